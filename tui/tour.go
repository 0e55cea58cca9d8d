package tui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
	"epsiloscope/tui/document"
	"epsiloscope/tui/layout"
)

// tour is the walk through the ideas while it lasts. Every step has a document of
// its own, so that going back finds what was changed there; the user's own waits.
type tour struct {
	at   int
	docs []*document.Document
	kept place
}

// place is what the tour found and puts back.
type place struct {
	doc                *document.Document
	focus              layout.Slot
	chart              int
	chartOn, chartFull bool
	knob               string
}

// unpinned are the rows of the bounds in their order, where no α is pinned.
var unpinned = []accounting.Method{
	accounting.Basic, accounting.Advanced, accounting.AdvancedKOV, accounting.Optimal, accounting.RDP,
	accounting.RDPClassic, accounting.ZCDP, accounting.ZCDPClassic, accounting.GDP, accounting.Numerical,
}

// startTour begins it, after telling what becomes of unsaved changes.
func (a *App) startTour() tea.Cmd {
	if a.tour != nil {
		return a.tourTo(0)
	}
	if !a.doc.Dirty() {
		return a.beginTour()
	}
	a.push(&confirm{a: a, title: "Unsaved changes", question: []string{
		"This scenario has changes no file holds. They wait, and are back when the tour ends.",
	}, answers: []answer{
		{"s", "save them first", func(a *App) tea.Cmd { return a.saveThen((*App).beginTour) }},
		{"t", "take the tour", (*App).beginTour},
	}})
	return nil
}

func (a *App) beginTour() tea.Cmd {
	a.tour = &tour{
		docs: make([]*document.Document, len(tourSteps)),
		kept: place{a.doc, a.focus, a.chart, a.chartOn, a.chartFull, a.knob},
	}
	return a.tourTo(0)
}

// tourTo puts a step on the screen; the one after the last ends the tour.
func (a *App) tourTo(at int) tea.Cmd {
	t := a.tour
	switch {
	case a.saving: // the answer must find the document it is about
		a.say("a save is under way")
		return nil
	case at >= len(tourSteps):
		return a.endTour()
	}
	t.at = max(0, at)
	step := tourSteps[t.at]
	if t.docs[t.at] == nil {
		// A few lines of embedded text: no work worth a command.
		s, err := scenarios.LoadBundled(step.scenario)
		if err != nil {
			a.complain(err)
			return nil
		}
		t.docs[t.at] = document.New(s)
		t.docs[t.at].Bundle = step.scenario
	}
	a.adopt(t.docs[t.at])
	a.knob, a.chartFull, a.focus = step.knob, false, layout.Stack
	a.panes[layout.Bounds].(*boundsPane).row = max(0, slices.Index(unpinned, step.row))
	a.chart = 0
	a.showBounds()
	for i, c := range a.charts {
		if c.key == step.chart {
			a.showChart(i)
		}
	}
	return nil
}

func tourBy(by int) func(*App) tea.Cmd {
	return func(a *App) tea.Cmd { return a.tourTo(a.tour.at + by) }
}

// endTour puts back what was on the screen before.
func (a *App) endTour() tea.Cmd {
	if a.saving {
		a.say("a save is under way")
		return nil
	}
	k := a.tour.kept
	a.tour = nil
	a.focus, a.chart, a.chartOn, a.chartFull = k.focus, k.chart, k.chartOn, k.chartFull
	a.adopt(k.doc)
	a.knob = k.knob
	a.backed = -1 // a save on the way has cleared the recovery file
	a.say("the tour is over; this is what you had before")
	return nil
}

// afterTour makes an action that leaves the document end the tour first, and then
// ask about the user's own changes.
func (a *App) afterTour(what string, do func(*App) tea.Cmd) func(*App) tea.Cmd {
	if a.tour == nil {
		return do
	}
	return func(a *App) tea.Cmd {
		if a.tour == nil {
			return do(a)
		}
		a.endTour()
		if a.tour != nil { // refused
			return nil
		}
		a.status = status{}
		return a.guarded(what, do)
	}
}

// tourTable are its keys. On another screen esc goes home, as always.
func (a *App) tourTable(home bool) Table {
	t := Table{"The tour", []Binding{
		{[]string{">"}, "next", "Tour: next step", tourBy(+1)},
		{[]string{"<"}, "back", "Tour: step back", tourBy(-1)},
	}}
	if home {
		t.Bindings = append(t.Bindings, Binding{[]string{"esc"}, "leave the tour", "Leave the tour; what was there before returns", (*App).endTour})
	}
	return t
}

// tourKey takes a key on home before the panes do.
func (a *App) tourKey(msg tea.KeyMsg) (tea.Cmd, bool) {
	if a.tour == nil || a.screen != 0 {
		return nil, false
	}
	return a.dispatch(msg, a.tourTable(true))
}

// tourTables is the table while a tour lasts.
func (a *App) tourTables() []Table {
	if a.tour == nil {
		return nil
	}
	return []Table{a.tourTable(a.screen == 0)}
}
