// Package kit is what every screen of the explorer is made of. A screen is a [Pane]: it draws
// exactly its rectangle and hands out its keys as a [Table]. It holds a [Shell], which is
// all it knows of the explorer around it, and sets its prose with a [Writer].
package kit

import (
	"context"
	"errors"
	"io"

	"github.com/aymanbagabas/go-osc52/v2"
	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
	"epsiloscope/tui/document"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/jobs"
	"epsiloscope/tui/store"
)

// Evaluator computes the values of the explorer; *scenarios.Evaluator implements it.
type Evaluator interface {
	Evaluate(ctx context.Context, s *scenarios.Scenario, opt scenarios.Options) (*scenarios.Result, error)
	Refine(ctx context.Context, s *scenarios.Scenario, opt scenarios.Options, yield func(*scenarios.Result) bool) error
	QueriesLeft(ctx context.Context, s *scenarios.Scenario, entry int, method accounting.Method) (float64, error)
	Plan(ctx context.Context, s *scenarios.Scenario, req plan.Request) (plan.Result, error)
}

// Explorer is the part of the explorer that a screen may use.
type Explorer interface {
	// Arrange lays everything out anew.
	Arrange()
	// Show puts a screen up by name.
	Show(screen string) tea.Cmd
	// Back retraces the last step.
	Back() tea.Cmd
	// LinkText says in a few words what a link, such as chart:loss, shows; "" if there is nothing of that name.
	LinkText(link string) string
	// Follow shows what a link names. Charts, screens and proofs are of the bundled
	// scenario named, which takes the place of the document: unsaved changes are asked
	// about first. From there esc comes back to the screen that asked. Home lists the methods
	// that are needed there, even if they are folded otherwise.
	Follow(link string, scenario string, needed ...accounting.Method) tea.Cmd
}

// Shell is all that a pane, a screen or a dialog knows of the explorer around it: how
// to draw, what is on the screen and what was computed of it, who computes, and the
// few things that may be asked of it.
type Shell struct {
	Pen    *draw.Pen
	Keymap Keymap // the user's own keys
	// Tables returns the bindings that act now, the first of them first; nil where there are none.
	Tables func() []Table
	Themes int // grows when the look of everything changes
	// Projector: the answer and the chart, or one text; no feet, wide spacing, for an audience.
	Projector bool

	Doc  *document.Document
	Knob string // name of the active knob

	Explorer   Explorer
	Accountant Evaluator
	Jobs       *jobs.Pool
	Store      *store.Store
	Out        io.Writer // for escape sequences of the explorer's own (the clipboard)

	// What was computed of the document.
	Result  *scenarios.Result // the newest, perhaps without its numerical bound
	Full    *scenarios.Result // the newest with one
	Refusal error             // why the scenario cannot be evaluated
	Pending bool              // result is not final for the document
	Arrived int               // grows with everything that is computed

	Status    Status
	lastError Status
	Dialogs   []Dialog
}

// RequireResult reports whether the values on the screen are final, and tells the user if they are not.
func (s *Shell) RequireResult() bool {
	switch {
	case s.Refusal != nil:
		s.Complain(errors.New(s.RefusalText()))
	case s.Result == nil || s.Pending:
		s.Say("still computing; try again in a moment")
	default:
		return true
	}
	return false
}

// Copy copies words to the clipboard by OSC 52, which a terminal may ignore silently, so the message says
// only that they were sent.
func (s *Shell) Copy(words, what string) tea.Cmd {
	s.Say(what + " was sent to the terminal’s clipboard")
	return s.Jobs.Do(func() (func() tea.Cmd, error) { return nil, s.Clip(words) })
}

// Clip sends words to the clipboard at once, from a job.
func (s *Shell) Clip(words string) error {
	_, err := osc52.New(words).WriteTo(s.Out)
	return err
}

// EvaluateFully evaluates a scenario as the screen will show it: the last and narrowest result, not
// the closed forms alone.
func EvaluateFully(ctx context.Context, account Evaluator, s *scenarios.Scenario) (*scenarios.Result, error) {
	var last *scenarios.Result
	err := account.Refine(ctx, s, scenarios.Options{}, func(r *scenarios.Result) bool {
		last = r
		return ctx.Err() == nil
	})
	if err == nil {
		err = ctx.Err()
	}
	return last, err
}

// Status is the last thing the explorer had to say. An error stays until another
// key or the mouse has been pressed after it was drawn.
type Status struct {
	Text string
	Bad  bool
	age  int
}

// Say shows a message at the foot of the screen. There is nothing more to do, so an action may end
// with it.
func (s *Shell) Say(words string) tea.Cmd { s.Status = Status{Text: draw.Clean(words)}; return nil }

// Complain shows an error at the foot of the screen.
func (s *Shell) Complain(err error) tea.Cmd {
	s.Status = Status{Text: draw.Clean(err.Error()), Bad: true}
	s.lastError = s.Status
	return nil
}

// RepeatError brings the last error back to the status line.
func (s *Shell) RepeatError() {
	if s.lastError.Text == "" {
		s.Say("there was no error")
		return
	}
	s.Status = s.lastError
}

// CountKey counts a key or click; at the second one the message is dropped.
func (s *Status) CountKey() {
	if s.age++; s.age > 1 {
		*s = Status{}
	}
}
