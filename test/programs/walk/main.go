// A window of walk (Go, on Win32 controls) for `npm run programs`: a form that greets its guest.
package main

import (
	"log"

	"github.com/lxn/walk"
	. "github.com/lxn/walk/declarative"
)

func main() {
	var guest *walk.LineEdit
	var loud *walk.CheckBox
	var language *walk.ComboBox
	var said *walk.TextEdit
	greet := func() {
		text := guest.Text() + " in " + language.Text()
		if loud.Checked() {
			text += ", aloud"
		}
		said.SetText(text)
	}
	_, err := MainWindow{
		Title: "walk guest form", Size: Size{Width: 500, Height: 420}, Layout: VBox{},
		Children: []Widget{
			Composite{Layout: Grid{Columns: 2}, Children: []Widget{
				Label{Text: "Guest:"}, LineEdit{AssignTo: &guest},
				Label{Text: "Language:"}, ComboBox{AssignTo: &language, Model: []string{"English", "German", "Chinese"}, CurrentIndex: 0},
			}},
			CheckBox{AssignTo: &loud, Text: "Read aloud"},
			PushButton{Text: "Greet", OnClicked: greet},
			PushButton{Text: "Not available", Enabled: false, OnClicked: func() { said.SetText("impossible") }},
			TextEdit{AssignTo: &said, ReadOnly: true},
		},
	}.Run()
	if err != nil {
		log.Fatal(err)
	}
}
