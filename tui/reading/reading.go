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

// reading is the part that screens of scrolled text share: the text is worked out by
// a job whenever the scenario or its result changes, and set anew for every width.
type reading struct {
	kit.Base
	text    kit.Scroll[readingLook]
	job     jobs.Job
	asked   readingWant
	serial  int // of what was found
	failure error
	ready   bool
}

// readingWant names what the text is about. It changes only once a result is final,
// so that a knob in motion does not start the work again and again.
type readingWant struct {
	scenario *scenarios.Scenario
	result   *scenarios.Result
	extra    string // a choice of the screen's own
}

type readingLook struct {
	kit.Look
	serial, style int
	pending       bool
}

func newReading(s *kit.Shell) reading { return reading{Base: kit.Base{Shell: s}} }

// table are the keys of a screen, its own and those that scroll.
func (r *reading) table(name string, own ...kit.Binding) kit.Table {
	return kit.NewTable(name, append(own, r.text.Keys()...)...)
}

func (r *reading) HandleMouse(_, _ int, m tea.MouseMsg) tea.Cmd { r.text.Wheel(m); return nil }

// refresh starts the work if the final result is another than the text is about. The
// work returns what to do with its answer.
func (r *reading) refresh(extra string, work func(ctx context.Context, s *scenarios.Scenario, result *scenarios.Result) (func(), error)) tea.Cmd {
	if r.Pending || r.Result == nil {
		return nil
	}
	want := readingWant{r.Doc.Scenario(), r.Result, extra}
	if want == r.asked {
		return nil
	}
	r.asked = want
	return r.Jobs.Start(&r.job, jobs.PauseChart, func(ctx context.Context, tell func(func())) {
		take, err := work(ctx, want.scenario, want.result)
		tell(func() {
			r.failure, r.ready = err, true
			r.serial++
			if err == nil {
				take()
			}
		})
	})
}

// show draws the text in its frame with its keys below; write sets it at a width.
func (r *reading) show(title string, focused bool, style int, write func(out *kit.Writer), keys ...kit.Binding) []string {
	r.text.FillPages(r.Shell, readingLook{r.Look(true), r.serial, style, r.Pending}, r.W, r.H, func(out *kit.Writer) {
		switch p := out.Pen; {
		case r.Refusal != nil:
			out.Prose(p.Over, r.Refusal.Error())
		case r.failure != nil:
			out.Prose(p.Warn, r.failure.Error())
		case !r.ready:
			out.Prose(p.Muted, "computing …")
		default:
			write(out)
		}
	})
	note := ""
	if r.Pending || r.job.Busy {
		note = "  computing …"
	}
	return r.text.Pages(r.Shell, draw.Frame{Title: title, Focus: focused}, r.W, r.H, note, append(keys, kit.Hint("↑↓", "scroll"), kit.Hint("esc", "back"))...)
}

// Share gives the whole text, not only what is in sight.
func (r *reading) Share() share.Subject { return share.Subject{Text: plain(r.text.All())} }

// plain is text without its looks.
func plain(lines []string) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(strings.TrimRight(ansi.Strip(l), " ") + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}
