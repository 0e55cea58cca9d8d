// Package reading has the screens of scrolled text: why the bounds differ, what the release
// means for a person, what may be quoted, what changed.
package reading

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/scenarios"
	"epsiloscope/tui/document"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/export"
	"epsiloscope/tui/jobs"
	"epsiloscope/tui/kit"
)

// page is a screen of scrolled text: what it says of the scenario is worked out by a job
// whenever the result changes, and set anew for every width.
type page[A any] struct {
	kit.Reader
	name, title string // of its keys, and of its frame
	keys        []kit.Binding
	ask         any // a choice of the user's on which the work depends, comparable
	look        int // one on which only the looks do
	work        func(context.Context, about) (A, error)
	write       func(out *kit.Writer, of about, says A)
	query       jobs.Query[about, A]
}

// about names what the text is about. It changes only once a result is final, so that a knob in
// motion does not start the work again and again.
type about struct {
	doc      *document.Document
	scenario *scenarios.Scenario
	result   *scenarios.Result
	ask      any
}

func newPage[A any](s *kit.Shell, name, title string) *page[A] {
	return &page[A]{Reader: kit.Reader{Base: kit.Base{Shell: s}}, name: name, title: title}
}

// Keys returns its own and those that scroll.
func (p *page[A]) Keys() kit.Table {
	return kit.NewTable(p.name, append(p.keys[:len(p.keys):len(p.keys)], p.Text.Keys()...)...)
}

// Refresh starts the work if the final result is another than the text is about.
func (p *page[A]) Refresh() tea.Cmd {
	if p.Pending || p.Result == nil {
		return nil
	}
	of, work := about{p.Doc, p.Doc.Scenario(), p.Result, p.ask}, p.work
	return p.query.Ask(p.Jobs, jobs.PauseChart, of, func(ctx context.Context, tell func(A, error)) { tell(work(ctx, of)) })
}

// View draws the text in its frame with its keys below.
func (p *page[A]) View(focused bool) []string {
	old := p.query.Of.scenario != p.Doc.Scenario() // what was said is about an earlier state
	p.Text.FillPages(p.Shell, p.Look(p.query.Serial, p.look, p.Pending, old), p.W, p.H, func(out *kit.Writer) {
		switch pen := out.Pen; {
		case p.Refusal != nil:
			out.Prose(pen.Over, p.Refusal.Error())
		case !p.query.Known || p.query.Of.doc != p.Doc: // or of another document
			out.Prose(pen.Muted, "computing …")
		case p.query.Err != nil:
			out.Prose(pen.Warn, p.query.Err.Error())
		default:
			defer out.Old(old)()
			p.write(out, p.query.Of, p.query.Answer)
		}
	})
	keys := append(p.keys[:len(p.keys):len(p.keys)], kit.Hint("↑↓", "scroll"), kit.Hint("esc", "back"))
	return p.Text.Pages(p.Shell, draw.Frame{Title: p.title, Focus: focused}, p.W, p.H, p.Pending || p.query.Busy, keys...)
}

// Share gives the whole text, not only what is in sight.
func (p *page[A]) Share() export.Subject { return export.Subject{Text: kit.Plain(p.Text.All())} }
