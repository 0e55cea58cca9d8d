package tui

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/tui/dialogs"
	"epsiloscope/tui/document"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
)

// A library scenario is there to be tried: what was changed in one is set aside when another document
// takes its place, and the list of scenarios to open begins with it. Other documents are asked about.

// maxAside is the largest number of changed library scenarios that are set aside.
const maxAside = 20

// groupAside is the group of items of the open dialog that were set aside.
const groupAside = "set aside"

// setsAside reports whether leaving the document on the screen sets it aside instead of asking.
func (a *App) setsAside() bool { return a.tour == nil && a.Doc.Bundle != "" && a.Doc.Dirty() }

// replaceDoc puts another document on the screen and sets the one that stood there aside if it is a
// changed library scenario.
func (a *App) replaceDoc(d *document.Document) {
	if a.setsAside() {
		a.aside = append([]*document.Document{a.Doc}, a.aside...)
		a.aside = a.aside[:min(len(a.aside), maxAside)]
		a.asideNote = "; your changes to “" + draw.Clean(a.Doc.Scenario().Name) + "” are kept: o lists them first"
	}
	a.adopt(d)
}

// sayWithAsideNote says what was opened, and what was set aside for it.
func (a *App) sayWithAsideNote(words string) tea.Cmd {
	note := a.asideNote
	a.asideNote = ""
	return a.Say(words + note)
}

// asideItems lists what was set aside, for the open dialog.
func (a *App) asideItems() (list []dialogs.Item) {
	for _, d := range a.aside {
		list = append(list, dialogs.Item{
			Name: d.Bundle, Title: d.Scenario().Name, Group: groupAside, Head: "changed, not saved", Scenario: d.Scenario(),
		})
	}
	return list
}

// bringBack puts a document that was set aside on the screen again, with all its changes.
func (a *App) bringBack(it dialogs.Item) tea.Cmd {
	i := slices.IndexFunc(a.aside, func(d *document.Document) bool { return d.Scenario() == it.Scenario })
	if i < 0 {
		return nil
	}
	d := a.aside[i]
	return a.confirmLoss("Opening another loses them", func() tea.Cmd {
		a.aside = slices.DeleteFunc(a.aside, func(x *document.Document) bool { return x == d })
		a.replaceDoc(d)
		a.backed = -1 // it is unsaved again
		return a.sayWithAsideNote("your changes to “" + draw.Clean(d.Scenario().Name) + "” are back; u undoes them")
	})
}

// confirmAside does something that ends the explorer, after asking about what was set aside.
func (a *App) confirmAside(do func() tea.Cmd) tea.Cmd {
	if len(a.aside) == 0 {
		return do()
	}
	var names []string
	for _, d := range a.aside {
		if name := "“" + draw.Clean(d.Scenario().Name) + "”"; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return dialogs.Ask(a.Shell, unsavedTitle, "Changes to "+strings.Join(names, ", ")+" were set aside and are not saved. Quitting loses them.",
		kit.Bind("o", "", "look at them: they stand first in the list", a.openOpen),
		kit.Bind("d", "", "discard them", do),
	)
}
