// Package tour is the guided walk in ten steps: its texts, the strip above the footer, and the
// way from step to step. The explorer is its [Stage].
package tour

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/scenarios"
	"epsiloscope/tui/document"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/layout"
	"epsiloscope/tui/text"
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

// Rows is the height of the strip on a screen w cells wide, the same for every step, so that
// nothing jumps.
func (t *Tour) Rows(w int) int {
	if t == nil || w < layout.MinWidth {
		return 0
	}
	idea, try := 0, 0
	for _, s := range Steps {
		idea = max(idea, len(t.Pen.Wrap(s.Idea, w-4)))
		try = max(try, len(t.Pen.Wrap(t.tryText(s), w-4)))
	}
	return 1 + idea + try
}

// Strip draws the step above the footer: its number and the keys, what to see, what to press.
func (t *Tour) Strip(w, rows int, home bool) []string {
	if t == nil || rows == 0 {
		return nil
	}
	p, step := t.Pen, Steps[t.at]
	var list []kit.Binding
	for _, b := range t.Table(home).Bindings {
		switch first := b.Keys()[0]; {
		case first == "<" && t.at == 0:
			continue
		case first == ">" && t.at == len(Steps)-1:
			b.SetHelp(first, "finish")
		}
		list = append(list, b)
	}
	if !home {
		list = append(list, kit.Hint("esc", "home"))
	}
	keys, right := t.Hints(w, list...)
	head := p.Line(w).Skip(1).Put(p.Accent, fmt.Sprintf("%s Tour %d/%d  ", p.Glyphs.Select, t.at+1, len(Steps))).Put(p.Title, step.Title)
	out := kit.NewWriter(p, w-1, head.To(w-right-1).Raw(keys, right).String())
	out.Inset(3, p.Text, step.Idea)
	out.Inset(3, p.Strong, t.tryText(step))
	return text.Box(out.Lines, w, rows)
}
