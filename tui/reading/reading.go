// Package reading has the screens of scrolled text: why the bounds differ, what the release
// means for a person, what may be quoted, what changed.
package reading

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/charmbracelet/bubbles/viewport"
	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/scenarios"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/jobs"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/text"
)

// reading is the part that screens of scrolled text share: the text is worked out by
// a job whenever the scenario or its result changes, and set anew for every width.
type reading struct {
	kit.Base
	view    viewport.Model
	job     jobs.Job
	asked   readingWant
	serial  int // of what was found
	failure error
	ready   bool
	content kit.Cached[readingLook]
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

func newReading(s *kit.Shell) reading {
	return reading{Base: kit.Base{Shell: s}, view: viewport.New(0, 0)}
}

// scrollKeys are the keys of scrolled text.
func scrollKeys(view *viewport.Model) []kit.Binding {
	scroll := func(by int) func() tea.Cmd {
		return kit.Just(func() { view.SetYOffset(view.YOffset + by) })
	}
	return []kit.Binding{
		kit.Bind("up k", "", "Scroll up", scroll(-1)),
		kit.Bind("down j", "", "Scroll down", scroll(+1)),
		kit.Bind("pgup", "", "Page up", kit.Just(func() { view.PageUp() })),
		kit.Bind("pgdown space", "", "Page down", kit.Just(func() { view.PageDown() })),
		kit.Bind("home", "", "To the top", kit.Just(func() { view.GotoTop() })),
		kit.Bind("end", "", "To the end", kit.Just(func() { view.GotoBottom() })),
	}
}

// wheel scrolls with the mouse.
func wheel(view *viewport.Model, m tea.MouseMsg) tea.Cmd {
	switch m.Button {
	case tea.MouseButtonWheelUp:
		view.SetYOffset(view.YOffset - 3)
	case tea.MouseButtonWheelDown:
		view.SetYOffset(view.YOffset + 3)
	}
	return nil
}

func (r *reading) HandleMouse(_, _ int, m tea.MouseMsg) tea.Cmd { return wheel(&r.view, m) }

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
	return r.Jobs.Start(&r.job, jobs.PauseChart, func(ctx context.Context, emit func(tea.Msg)) {
		take, err := work(ctx, want.scenario, want.result)
		if ctx.Err() != nil {
			return
		}
		emit(jobs.Found(func() {
			r.failure, r.ready = err, true
			r.serial++
			if err == nil {
				take()
			}
		}))
	})
}

// show draws the text in its frame with its keys below; write sets it at a width.
func (r *reading) show(title string, focused bool, style int, write func(out *kit.Writer), keys ...kit.Binding) []string {
	p := r.Pen
	inner, h := draw.Inner(r.W, r.H)
	pages := kit.PagesIn(inner, h-1)
	width := pages.W
	r.view.Width, r.view.Height = width, pages.Lines()
	fresh := false
	lines := r.content.Get(readingLook{r.Look(true), r.serial, style, r.Pending}, func() []string {
		fresh = true
		out := kit.NewWriter(p, min(width, 112))
		switch {
		case r.Refusal != nil:
			out.Prose(p.Over, r.Refusal.Error())
		case r.failure != nil:
			out.Prose(p.Warn, r.failure.Error())
		case !r.ready:
			out.Prose(p.Muted, "computing …")
		default:
			write(out)
		}
		return kit.Pad(out.Lines, width)
	})
	if fresh {
		r.view.SetContent(strings.Join(lines, "\n"))
	}
	at := ""
	if r.view.TotalLineCount() > r.view.Height {
		at = fmt.Sprintf("%d %%", int(math.Round(100*r.view.ScrollPercent())))
	}
	body := pages.Set(strings.Split(r.view.View(), "\n"), inner, at == "")
	l := p.Line(inner).Raw(r.Hints(inner, append(keys, kit.Hint("↑↓", "scroll"), kit.Hint("esc", "back"))...))
	if r.Pending || r.job.Busy {
		l.Put(p.Stale, "  computing …")
	}
	body = append(body, l.To(inner-text.Width(at)).Put(p.Muted, at).String())
	return p.Frame(draw.Frame{Title: title, Focus: focused}, body, r.W, r.H)
}
