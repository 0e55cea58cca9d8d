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

// paneMsg carries what a screen's own job found; take puts it into the pane.
type paneMsg struct{ take func() }

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

func newReading(a *App) reading { return reading{base: base{a: a}, view: viewport.New(0, 0)} }

// scrollTable are the keys of scrolled text.
func (r *reading) scrollTable() []Binding {
	scroll := func(by int) func(*App) tea.Cmd {
		return just(func(*App) { r.view.SetYOffset(r.view.YOffset + by) })
	}
	return []Binding{
		{[]string{"up", "k"}, "", "Scroll up", scroll(-1)},
		{[]string{"down", "j"}, "", "Scroll down", scroll(+1)},
		{[]string{"pgup"}, "", "Page up", just(func(*App) { r.view.PageUp() })},
		{[]string{"pgdown", " "}, "", "Page down", just(func(*App) { r.view.PageDown() })},
		{[]string{"home"}, "", "To the top", just(func(*App) { r.view.GotoTop() })},
		{[]string{"end"}, "", "To the end", just(func(*App) { r.view.GotoBottom() })},
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
	a := r.a
	if a.pending || a.result == nil {
		return nil
	}
	want := readingWant{a.doc.Scenario(), a.result, extra}
	if want == r.asked {
		return nil
	}
	r.asked = want
	return a.pool.start(&r.job, a.pause(pauseChart), func(ctx context.Context, emit func(tea.Msg)) {
		take, err := work(ctx, want.scenario, want.result)
		if ctx.Err() != nil {
			return
		}
		emit(paneMsg{func() {
			r.failure, r.ready = err, true
			r.serial++
			if err == nil {
				take()
			}
		}})
	})
}

// show draws the text in its frame; write sets it at a width.
func (r *reading) show(title string, focused bool, style int, foot func(*draw.Line) *draw.Line, write func(out *writer)) []string {
	p := r.a.pen
	inner, h := draw.Inner(r.w, r.h)
	pages := pagesIn(inner, h-1)
	width := pages.w
	r.view.Width, r.view.Height = width, pages.lines()
	fresh := false
	lines := r.content.get(readingLook{r.look(true), r.serial, style, r.a.pending}, func() []string {
		fresh = true
		out := &writer{p, min(width, 112), nil}
		switch {
		case r.a.refusal != nil:
			out.prose(p.Over, r.a.refusal.Error())
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
	if r.a.pending || r.job.busy {
		l.Put(p.Stale, "  computing …")
	}
	body = append(body, l.To(inner-text.Width(at)).Put(p.Muted, at).String())
	return p.Frame(draw.Frame{Title: title, Focus: focused}, body, r.w, r.h)
}
