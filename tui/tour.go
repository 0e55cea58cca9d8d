package tui

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/scenarios"
	"epsiloscope/tui/dialogs"
	"epsiloscope/tui/document"
	"epsiloscope/tui/home"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/theme"
	"epsiloscope/tui/tour"
)

// place is what the tour found and puts back.
type place struct {
	doc  *document.Document
	home home.Place
	knob string
}

// startTour begins the tour, after saying what becomes of unsaved changes.
func (a *App) startTour() tea.Cmd {
	if a.tour != nil {
		return a.tour.To(0)
	}
	if !a.Doc.Dirty() {
		return a.beginTour()
	}
	dialogs.Ask(a.Shell, "Unsaved changes",
		"This scenario has unsaved changes. They wait, and are back when the tour ends.",
		dialogs.Reply("s", "save them first", func() tea.Cmd { return a.saveThen(a.beginTour) }),
		dialogs.Reply("t", "take the tour", a.beginTour),
	)
	return nil
}

func (a *App) beginTour() tea.Cmd {
	a.tour, a.before = tour.New(a.Shell, host{a}), place{a.Doc, a.home.Place, a.Knob}
	return a.tour.To(0)
}

// Busy tells that a save is under way.
func (h host) Busy() bool {
	if h.saving {
		h.Say("a save is under way")
	}
	return h.saving
}

// Set puts a step of the tour on home.
func (h host) Set(d *document.Document, step tour.Step) {
	h.adopt(d)
	h.Knob = step.Knob
	h.home.Point(step.Row, step.Chart)
	h.trail = nil
}

// Key is the key of a screen.
func (h host) Key(screen string) string {
	if i := h.screenNamed(screen); i >= 0 {
		return h.screens[i].key
	}
	return ""
}

// End puts back what was on the screen before the tour.
func (h host) End() tea.Cmd {
	if h.Busy() {
		return nil
	}
	k := h.before
	h.tour = nil
	h.home.Place = k.home
	h.adopt(k.doc)
	h.Knob, h.trail = k.knob, nil
	h.backed = -1 // what is unsaved is kept once more
	h.Say("the tour is over; this is what you had before")
	return nil
}

// afterTour makes an action that leaves the document end the tour first, and then
// ask about the user's own changes.
func (a *App) afterTour(what string, do func() tea.Cmd) func() tea.Cmd {
	if a.tour == nil {
		return do
	}
	return func() tea.Cmd {
		if a.tour == nil {
			return do()
		}
		host{a}.End()
		if a.tour != nil { // refused
			return nil
		}
		a.Status = kit.Status{}
		return a.guarded(what, do)
	}
}

// tourKey takes a key on home before the panes do.
func (a *App) tourKey(msg tea.KeyMsg) (tea.Cmd, bool) {
	if a.tour == nil || a.screen != 0 {
		return nil, false
	}
	return kit.Dispatch(msg, a.tour.Table(true))
}

// tourTables is the table while a tour lasts.
func (a *App) tourTables() []kit.Table {
	if a.tour == nil {
		return nil
	}
	return []kit.Table{a.tour.Table(a.screen == 0)}
}

// TourText is the whole tour as text, for use without a screen.
func TourText() string {
	a := bareApp()
	defer a.Jobs.Close()
	return tour.New(a.Shell, host{a}).Text()
}

// bareApp is an explorer without a screen, for texts made from its tables.
func bareApp() *App {
	dark, _ := theme.ByName("dark")
	return newApp(context.Background(), Options{theme: dark}, document.New(scenarios.New()))
}
