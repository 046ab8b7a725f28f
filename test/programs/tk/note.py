"""A note in Tk; its state goes to the file that is named, whenever it changes."""
import json
import os
import sys

here = os.path.dirname(os.path.abspath(__file__))
os.environ['TCL_LIBRARY'] = os.path.join(here, 'tcl', 'tcl8.6')
os.environ['TK_LIBRARY'] = os.path.join(here, 'tcl', 'tk8.6')
import tkinter
from tkinter import ttk

root = tkinter.Tk()
root.title('Tk note')
root.geometry('420x300+80+80')
bold = tkinter.BooleanVar()
pressed = 0
menu = tkinter.Menu(root)
options = tkinter.Menu(menu, tearoff=False)
options.add_command(label='Clear', underline=0, command=lambda: note.delete('1.0', 'end'))
menu.add_cascade(label='Options', underline=0, menu=options)
root.config(menu=menu)
ttk.Checkbutton(root, text='Bold', variable=bold).pack(fill='x', ipady=8)


def press():
    global pressed
    pressed += 1


ttk.Button(root, text='Press', command=press).pack(fill='x', ipady=8)
note = tkinter.Text(root, height=8)
note.pack(fill='both', expand=True)
note.focus_force()
last = None


def keep():
    global last
    state = json.dumps({'text': note.get('1.0', 'end-1c'), 'bold': bold.get(), 'pressed': pressed})
    if state != last:
        last = state
        with open(sys.argv[1], 'w', encoding='utf-8') as file:
            file.write(state)
    root.after(50, keep)


keep()
root.mainloop()
