// Package reading has the screens of scrolled text: why the bounds differ, what the release
// means for a person, what may be quoted, what changed.
package reading

import (
	"context"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"epsiloscope/scenarios"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/jobs"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/share"
)

// reading is what screens of scrolled text share: what the text says of the scenario is worked
// out by a job whenever its result changes, and set anew for every width.
type reading[A any] struct {
	kit.Reader
	query jobs.Query[want, answer[A]]
}

// want names what the text is about. It changes only once a result is final, so that a knob in
// motion does not start the work again and again.
type want struct {
	scenario *scenarios.Scenario
	result   *scenarios.Result
	extra    string // a choice of the screen's own
}

type answer[A any] struct {
	says A
	err  error
}

func newReading[A any](s *kit.Shell) reading[A] {
	return reading[A]{Reader: kit.Reader{Base: kit.Base{Shell: s}}}
}

// table are the keys of a screen, its own and those that scroll.
func (r *reading[A]) table(name string, own ...kit.Binding) kit.Table {
	return kit.NewTable(name, append(own, r.Text.Keys()...)...)
}

// refresh starts the work if the final result is another than the text is about.
func (r *reading[A]) refresh(extra string, work func(context.Context, *scenarios.Scenario, *scenarios.Result) (A, error)) tea.Cmd {
	if r.Pending || r.Result == nil {
		return nil
	}
	w := want{r.Doc.Scenario(), r.Result, extra}
	return r.query.Ask(r.Jobs, jobs.PauseChart, w, func(ctx context.Context, tell func(answer[A])) {
		says, err := work(ctx, w.scenario, w.result)
		tell(answer[A]{says, err})
	})
}

// show draws the text in its frame with its keys below; write sets it at a width.
func (r *reading[A]) show(title string, focused bool, style int, write func(*kit.Writer, A), keys ...kit.Binding) []string {
	r.Text.FillPages(r.Shell, r.Look(true, r.query.Serial, style, r.Pending), r.W, r.H, func(out *kit.Writer) {
		switch p, a := out.Pen, r.query.Answer; {
		case r.Refusal != nil:
			out.Prose(p.Over, r.Refusal.Error())
		case a.err != nil:
			out.Prose(p.Warn, a.err.Error())
		case !r.query.Known:
			out.Prose(p.Muted, "computing …")
		default:
			write(out, a.says)
		}
	})
	note := ""
	if r.Pending || r.query.Busy {
		note = "  computing …"
	}
	return r.Text.Pages(r.Shell, draw.Frame{Title: title, Focus: focused}, r.W, r.H, note, append(keys, kit.Hint("↑↓", "scroll"), kit.Hint("esc", "back"))...)
}

// Share gives the whole text, not only what is in sight.
func (r *reading[A]) Share() share.Subject { return share.Subject{Text: plain(r.Text.All())} }

// plain is text without colours.
func plain(lines []string) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(strings.TrimRight(ansi.Strip(l), " ") + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}
