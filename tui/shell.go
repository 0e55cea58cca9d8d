package tui

import (
	"context"
	"io"

	"github.com/aymanbagabas/go-osc52/v2"
	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
	"epsiloscope/tui/document"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/store"
)

// Accountant is what the explorer asks for figures; *scenarios.Evaluator is one.
type Accountant interface {
	Evaluate(ctx context.Context, s *scenarios.Scenario, opt scenarios.Options) (*scenarios.Result, error)
	Refine(ctx context.Context, s *scenarios.Scenario, opt scenarios.Options, yield func(*scenarios.Result) bool) error
	QueriesLeft(ctx context.Context, s *scenarios.Scenario, entry int, method accounting.Method) (float64, error)
	Plan(ctx context.Context, s *scenarios.Scenario, req scenarios.PlanRequest) (scenarios.PlanResult, error)
}

// Shell is all that a pane, a screen or a dialog knows of the explorer around it: how
// to draw, what is on the screen and what was computed of it, who computes, and the
// few things that may be asked of it.
type Shell struct {
	pen    *draw.Pen
	themes int // grows when the look of everything changes

	doc  *document.Document
	knob string // name of the active knob

	account Accountant
	pool    *pool
	store   *store.Store
	out     io.Writer // for escape sequences of the explorer's own (the clipboard)

	// What was computed of the document.
	result  *scenarios.Result // the newest, perhaps without its numerical column
	full    *scenarios.Result // the newest with one
	refusal error             // why the scenario cannot be evaluated
	pending bool              // result is not final for the document
	arrived int               // grows with everything that is computed

	status    status
	lastError status
	dialogs   []Dialog
}

// toClipboard uses OSC 52, which a terminal may ignore without a word: the message
// claims no more than is known.
func (s *Shell) toClipboard(words, what string) tea.Cmd {
	s.say(what + " was sent to the terminal’s clipboard")
	return s.pool.command(func() tea.Msg {
		if _, err := osc52.New(words).WriteTo(s.out); err != nil {
			return fail(err)
		}
		return nil
	})
}
