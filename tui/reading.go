package tui

import (
	"context"
	"fmt"
	"math"

	"github.com/charmbracelet/bubbles/viewport"
	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/scenarios"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/text"
)

// reading is the part that screens of scrolled text share: the text is worked out by
// a job whenever the scenario or its result changes, and set anew for every width.
type reading struct {
	base
	view    viewport.Model
	job     job
	asked   readingWant
	serial  int // of what was found
	failure error
	ready   bool
	content cached[readingLook]
}

// readingWant names what the text is about. It changes only once a result is final,
// so that a knob in motion does not start the work again and again.
type readingWant struct {
	scenario *scenarios.Scenario
	result   *scenarios.Result
	extra    string // a choice of the screen's own
}

type readingLook struct {
	look
	serial, style int
	pending       bool
}

func newReading(s *Shell) reading { return reading{base: base{Shell: s}, view: viewport.New(0, 0)} }

// scrollTable are the keys of scrolled text.
func (r *reading) scrollTable() []Binding {
	scroll := func(by int) func() tea.Cmd {
		return just(func() { r.view.SetYOffset(r.view.YOffset + by) })
	}
	return []Binding{
		bind("up k", "", "Scroll up", scroll(-1)),
		bind("down j", "", "Scroll down", scroll(+1)),
		bind("pgup", "", "Page up", just(func() { r.view.PageUp() })),
		bind("pgdown space", "", "Page down", just(func() { r.view.PageDown() })),
		bind("home", "", "To the top", just(func() { r.view.GotoTop() })),
		bind("end", "", "To the end", just(func() { r.view.GotoBottom() })),
	}
}

func (r *reading) HandleMouse(_, _ int, m tea.MouseMsg) tea.Cmd {
	switch m.Button {
	case tea.MouseButtonWheelUp:
		r.view.SetYOffset(r.view.YOffset - 3)
	case tea.MouseButtonWheelDown:
		r.view.SetYOffset(r.view.YOffset + 3)
	}
	return nil
}

// refresh starts the work if the final result is another than the text is about. The
// work returns what to do with its answer.
func (r *reading) refresh(extra string, work func(ctx context.Context, s *scenarios.Scenario, result *scenarios.Result) (func(), error)) tea.Cmd {
	if r.pending || r.result == nil {
		return nil
	}
	want := readingWant{r.doc.Scenario(), r.result, extra}
	if want == r.asked {
		return nil
	}
	r.asked = want
	return r.pool.start(&r.job, pauseChart, func(ctx context.Context, emit func(tea.Msg)) {
		take, err := work(ctx, want.scenario, want.result)
		if ctx.Err() != nil {
			return
		}
		emit(found(func() {
			r.failure, r.ready = err, true
			r.serial++
			if err == nil {
				take()
			}
		}))
	})
}

// show draws the text in its frame; write sets it at a width.
func (r *reading) show(title string, focused bool, style int, foot func(*draw.Line) *draw.Line, write func(out *writer)) []string {
	p := r.pen
	inner, h := draw.Inner(r.w, r.h)
	pages := pagesIn(inner, h-1)
	width := pages.w
	r.view.Width, r.view.Height = width, pages.lines()
	fresh := false
	lines := r.content.get(readingLook{r.look(true), r.serial, style, r.pending}, func() []string {
		fresh = true
		out := newWriter(p, min(width, 112))
		switch {
		case r.refusal != nil:
			out.prose(p.Over, r.refusal.Error())
		case r.failure != nil:
			out.prose(p.Warn, r.failure.Error())
		case !r.ready:
			out.prose(p.Muted, "Being worked out …")
		default:
			write(out)
		}
		return pad(out.lines, width)
	})
	if fresh {
		r.view.SetContent(joinLines(lines))
	}
	at := ""
	if r.view.TotalLineCount() > r.view.Height {
		at = fmt.Sprintf("%d %%", int(math.Round(100*r.view.ScrollPercent())))
	}
	body := pages.set(splitLines(r.view.View()), inner)
	l := foot(p.Line(inner)).Put(p.Key, "↑↓").Put(p.Muted, " scroll  ").Put(p.Key, "esc").Put(p.Muted, " back")
	if r.pending || r.job.busy {
		l.Put(p.Stale, "  computing …")
	}
	body = append(body, l.To(inner-text.Width(at)).Put(p.Muted, at).String())
	return p.Frame(draw.Frame{Title: title, Focus: focused}, body, r.w, r.h)
}
