// Asks four questions through huh, or shows a list of its own through bubbletea: forms-target.exe huh|bubbletea JOURNAL.
// Each answer is a line of the journal, as JSON.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/huh"
)

var journal *os.File

func note(question string, answer any) {
	line, err := json.Marshal(map[string]any{"question": question, "answer": answer})
	if err != nil {
		panic(err)
	}
	fmt.Fprintf(journal, "%s\n", line)
}

// one runs a form with a single field, as programs do that ask step by step.
func one(field huh.Field) {
	if err := huh.NewForm(huh.NewGroup(field)).Run(); err != nil {
		note("error", err.Error())
		os.Exit(1)
	}
}

func form() {
	var sure bool
	var city, name string
	var toppings []string
	one(huh.NewConfirm().Title("Deploy to production?").Value(&sure))
	note("confirm", sure)
	one(huh.NewSelect[string]().Title("Which city?").Options(huh.NewOptions("Aachen", "Köln", "東京", "Zürich")...).Value(&city))
	note("select", city)
	one(huh.NewMultiSelect[string]().Title("Which toppings?").Options(huh.NewOptions("Käse", "Pilze", "豆腐")...).Value(&toppings))
	note("several", toppings)
	one(huh.NewInput().Title("Your name?").Value(&name))
	note("text", name)
}

type list struct {
	at     int
	chosen string
}

var cities = []string{"Aachen", "Köln", "東京", "Zürich"}

func (list) Init() tea.Cmd { return nil }

func (model list) Update(message tea.Msg) (tea.Model, tea.Cmd) {
	key, isKey := message.(tea.KeyMsg)
	if !isKey {
		return model, nil
	}
	switch key.String() {
	case "down":
		model.at = min(model.at+1, len(cities)-1)
	case "up":
		model.at = max(model.at-1, 0)
	case "enter":
		model.chosen = cities[model.at]
		return model, tea.Quit
	case "esc":
		return model, tea.Quit
	}
	return model, nil
}

func (model list) View() string {
	var text strings.Builder
	text.WriteString("Which city?\n\n")
	for index, city := range cities {
		mark := "  "
		if index == model.at {
			mark = "> "
		}
		text.WriteString(mark + city + "\n")
	}
	return text.String() + "\n↑/↓: move • enter: choose • esc: leave\n"
}

func main() {
	var err error
	if journal, err = os.Create(os.Args[2]); err != nil {
		panic(err)
	}
	if os.Args[1] == "huh" {
		form()
	} else {
		// on the whole screen, as most programs of its kind
		model, err := tea.NewProgram(list{}, tea.WithAltScreen()).Run()
		if err != nil {
			note("error", err.Error())
			os.Exit(1)
		}
		note("select", model.(list).chosen)
	}
	note("end", nil)
	time.Sleep(time.Minute)
}
