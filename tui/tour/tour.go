// Package tour is the guided walk in ten steps: its texts, the strip above the footer, and the
// way from step to step. The explorer is its [Stage].
package tour

import (
	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/scenarios"
	"epsiloscope/tui/document"
	"epsiloscope/tui/kit"
)

// Tour is the walk through the ideas while it lasts. Every step has a document of
// its own, so that going back finds what was changed there; the user's own waits.
type Tour struct {
	*kit.Shell
	stage Stage
	at    int
	docs  []*document.Document
}

// Stage is the explorer as the tour sets it.
type Stage interface {
	// Busy reports that a save is under way: its answer must find the document it is
	// about. It tells the user so.
	Busy() bool
	// Set puts a step on home.
	Set(*document.Document, Step)
	// End puts back what was on the screen before the tour.
	End() tea.Cmd
	// Key opens a screen; "" if the explorer does not have it.
	Key(screen string) string
}

// New makes a tour that has not begun.
func New(s *kit.Shell, stage Stage) *Tour {
	return &Tour{Shell: s, stage: stage, docs: make([]*document.Document, len(Steps))}
}

// To puts a step on the screen; the one after the last ends the tour.
func (t *Tour) To(at int) tea.Cmd {
	switch {
	case t.stage.Busy():
		return nil
	case at >= len(Steps):
		return t.stage.End()
	}
	t.at = max(0, at)
	step := Steps[t.at]
	if t.docs[t.at] == nil {
		// A few lines of embedded text: no work worth a command.
		s, err := scenarios.LoadBundled(step.Scenario)
		if err != nil {
			t.Complain(err)
			return nil
		}
		t.docs[t.at] = document.New(s)
		t.docs[t.at].Bundle = step.Scenario
	}
	t.stage.Set(t.docs[t.at], step)
	return nil
}

func (t *Tour) by(n int) func() tea.Cmd {
	return func() tea.Cmd { return t.To(t.at + n) }
}

// Table are its keys. On another screen esc goes home, as always.
func (t *Tour) Table(home bool) kit.Table {
	keys := kit.NewTable("The tour",
		kit.Bind(">", "next", "Tour: next step", t.by(+1)),
		kit.Bind("<", "back", "Tour: step back", t.by(-1)),
	)
	if home {
		keys.Bindings = append(keys.Bindings, kit.Bind("esc", "leave the tour", "Leave the tour; what was there before returns", t.stage.End))
	}
	return keys
}
