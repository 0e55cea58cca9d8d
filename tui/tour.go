package tui

import (
	"context"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/scenarios"
	"epsiloscope/tui/dialogs"
	"epsiloscope/tui/document"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/home"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/layout"
	"epsiloscope/tui/theme"
)

// tour is the walk through the ideas while it lasts. Every step has a document of its own, so
// that going back finds what was changed there; what was on the screen before waits.
type tour struct {
	at   int
	docs []*document.Document

	mine *document.Document // what it found and puts back
	home home.Place
	knob string
}

// startTour begins the tour, after saying what becomes of unsaved changes.
func (a *App) startTour() tea.Cmd {
	if a.tour != nil {
		return a.tourTo(0)
	}
	if !a.Doc.Dirty() {
		return a.beginTour()
	}
	return dialogs.Ask(a.Shell, "Unsaved changes",
		"This scenario has unsaved changes. They wait, and are back when the tour ends.",
		kit.Bind("s", "", "save them first", func() tea.Cmd { return a.saveThen(a.beginTour) }),
		kit.Bind("t", "", "take the tour", a.beginTour),
	)
}

func (a *App) beginTour() tea.Cmd {
	a.tour = &tour{docs: make([]*document.Document, len(tourSteps)), mine: a.Doc, home: a.home.Place, knob: a.Knob}
	return a.tourTo(0)
}

// tourTo puts a step on home; the one after the last ends the tour.
func (a *App) tourTo(at int) tea.Cmd {
	t := a.tour
	if at >= len(tourSteps) {
		return a.endTour()
	}
	t.at = max(0, at)
	step := tourSteps[t.at]
	if t.docs[t.at] == nil {
		// A few lines of embedded text: no work worth a command.
		s, err := scenarios.LoadBundled(step.Scenario)
		if err != nil {
			return a.Complain(err)
		}
		t.docs[t.at] = document.New(s)
		t.docs[t.at].Bundle = step.Scenario
	}
	a.adopt(t.docs[t.at])
	a.home.Point(step.Row, step.Chart)
	a.Knob, a.trail = step.Knob, nil
	return nil
}

// endTour puts back what was on the screen before the tour.
func (a *App) endTour() tea.Cmd {
	t := a.tour
	a.tour, a.home.Place = nil, t.home
	a.adopt(t.mine)
	a.Knob, a.trail = t.knob, nil
	a.backed = -1 // what is unsaved is kept once more
	return a.Say("the tour is over; this is what you had before")
}

// afterTour makes an action that leaves the document end the tour first, and then
// ask about the user's own changes.
func (a *App) afterTour(ask func(func() tea.Cmd) tea.Cmd, do func() tea.Cmd) func() tea.Cmd {
	if a.tour == nil {
		return do
	}
	return func() tea.Cmd {
		if a.tour == nil {
			return do()
		}
		a.endTour()
		a.Status = kit.Status{}
		return ask(do)
	}
}

// tourTables returns its keys while it lasts. On another screen esc goes home, as always.
func (a *App) tourTables() []kit.Table {
	if a.tour == nil {
		return nil
	}
	return []kit.Table{a.tourTable()}
}

func (a *App) tourTable() kit.Table {
	by := func(n int) func() tea.Cmd { return func() tea.Cmd { return a.tourTo(a.tour.at + n) } }
	keys := kit.NewTable("The tour", kit.Action("tour.next", "> right", "next", "Tour: next step", by(+1)), kit.Action("tour.back", "< left", "back", "Tour: step back", by(-1)))
	if a.screen == 0 {
		keys.Bindings = append(keys.Bindings, kit.Action("tour.leave", "esc", "leave the tour", "Leave the tour; what was there before returns", a.endTour))
	}
	return keys
}

// tourRows returns the height of the strip, the same for every step, so that nothing jumps.
func (a *App) tourRows() int {
	if a.tour == nil || a.w < layout.MinWidth {
		return 0
	}
	idea, try := 0, 0
	for _, s := range tourSteps {
		idea = max(idea, len(a.Pen.Wrap(s.Idea, a.w-4)))
		try = max(try, len(a.Pen.Wrap(a.tryText(s), a.w-4)))
	}
	return 1 + idea + try
}

// tourStrip draws the step above the footer: its number and the keys, what to see, what to press.
func (a *App) tourStrip() []string {
	rows := a.home.Lay.Notice.H
	if a.tour == nil || rows == 0 {
		return nil
	}
	p, at := a.Pen, a.tour.at
	var list []kit.Binding
	for _, b := range a.tourTables()[0].Bindings {
		first := b.Keys()[0]
		switch {
		case first == "<" && at == 0:
			continue
		case first == ">" && at == len(tourSteps)-1:
			b.SetHelp(b.Help().Key, "finish")
		}
		list = append(list, b)
	}
	if a.screen != 0 {
		list = append(list, kit.Hint("esc", "home"))
	}
	keys, right := a.Hints(a.w, list...)
	step := fmt.Sprintf("%s Tour %d/%d  ", p.Glyphs.Select, at+1, len(tourSteps))
	head := p.Line(a.w).Skip(1).Put(p.Accent, step).Put(p.Title, tourSteps[at].Title)
	out := kit.NewWriter(p, a.w-1, head.FillTo(a.w-right-1).Raw(keys, right).String())
	out.Inset(3, p.Text, tourSteps[at].Idea)
	out.Inset(3, p.Strong, a.tryText(tourSteps[at]))
	return draw.Box(out.Lines, a.w, rows)
}

// bareApp returns an explorer without a screen, for texts made from its tables.
func bareApp() *App {
	dark, _ := theme.ByName("dark")
	return newApp(context.Background(), Options{theme: dark}, document.New(scenarios.New()))
}
