package tui

import (
	"fmt"
	"math"

	"github.com/charmbracelet/bubbles/viewport"
	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/layout"
	"epsiloscope/tui/text"
)

// whyPane explains every bound: what went into it, which conditions the stack
// meets, what the theorem remarks.
type whyPane struct {
	base
	view     viewport.Model
	sections map[accounting.Method]int // line each bound starts at
	delta    int                       // line of the note on δ
	content  cached[look]
}

func newWhyPane(a *App) *whyPane { return &whyPane{base: base{a: a}, view: viewport.New(0, 0)} }

func (w *whyPane) Keys() Table {
	scroll := func(by int) func(*App) tea.Cmd { return just(func(*App) { w.view.SetYOffset(w.view.YOffset + by) }) }
	return Table{"Why screen", []Binding{
		{[]string{"up", "k"}, "", "Scroll up", scroll(-1)},
		{[]string{"down", "j"}, "", "Scroll down", scroll(+1)},
		{[]string{"pgup"}, "", "Page up", just(func(*App) { w.view.PageUp() })},
		{[]string{"pgdown", " "}, "", "Page down", just(func(*App) { w.view.PageDown() })},
		{[]string{"home"}, "", "To the top", just(func(*App) { w.view.GotoTop() })},
		{[]string{"end"}, "", "To the end", just(func(*App) { w.view.GotoBottom() })},
	}}
}

func (w *whyPane) HandleKey(msg tea.KeyMsg) (tea.Cmd, bool) { return w.a.dispatch(msg, w.Keys()) }

func (w *whyPane) HandleMouse(_, _ int, m tea.MouseMsg) tea.Cmd {
	switch m.Button {
	case tea.MouseButtonWheelUp:
		w.view.SetYOffset(w.view.YOffset - 3)
	case tea.MouseButtonWheelDown:
		w.view.SetYOffset(w.view.YOffset + 3)
	}
	return nil
}

// Shown scrolls to what the user came from: the δ knob, or a selected theorem.
func (w *whyPane) Shown() tea.Cmd {
	w.fill()
	w.view.GotoTop()
	if b := w.a.panes[layout.Bounds].(*boundsPane); w.a.focus == layout.Bounds && w.a.result != nil && b.row < len(w.a.result.Bounds) {
		w.view.SetYOffset(w.sections[w.a.result.Bounds[b.row].Method])
	} else if w.a.knob == knobDelta {
		w.view.SetYOffset(w.delta)
	}
	return nil
}

func (w *whyPane) View(focused bool) []string {
	p := w.a.pen
	w.fill()
	inner, h := draw.Inner(w.w, w.h)
	at := ""
	if n := w.view.TotalLineCount(); n > h-1 {
		at = fmt.Sprintf("%d %%", int(math.Round(100*w.view.ScrollPercent())))
	}
	lines := text.Box(splitLines(w.view.View()), inner, h-1)
	foot := p.Line(inner).Put(p.Key, "↑↓").Put(p.Muted, " scroll  ").Put(p.Key, "+ -").Put(p.Muted, " tune the knob  ").
		Put(p.Key, "esc").Put(p.Muted, " back")
	foot.To(inner-len(at)).Put(p.Muted, at)
	lines = append(lines, foot.String())
	return p.Frame(draw.Frame{Title: "Why these bounds differ", Focus: focused}, lines, w.w, w.h)
}

// fill writes the text anew when the result or the size has changed.
func (w *whyPane) fill() {
	inner, h := draw.Inner(w.w, w.h)
	w.view.Width, w.view.Height = inner, max(0, h-1)
	lines := w.content.get(w.look(true), func() []string { return w.write(inner) })
	if w.view.TotalLineCount() != len(lines) || w.view.Width != inner {
		w.view.SetContent(joinLines(lines))
		return
	}
	w.view.SetContent(joinLines(lines))
}

func (w *whyPane) write(inner int) []string {
	p := w.a.pen
	out := writer{p, min(inner, 110), nil}
	w.sections = map[accounting.Method]int{}
	r := w.a.full
	if w.a.pending || r == nil {
		r = w.a.result
	}
	if r == nil {
		out.prose(p.Muted, "Nothing has been computed yet.")
		return pad(out.lines, inner)
	}
	out.prose(p.Text, "Every row is a theorem about the same stack. A theorem that uses less of what is known about the mechanisms "+
		"gives a larger ε; none of them changes what is released.")
	out.gap()
	for _, b := range r.Bounds {
		w.sections[b.Method] = len(out.lines)
		w.bound(&out, r, b)
	}
	w.delta = len(out.lines)
	out.add(p.Line(out.w).Put(p.Title, "Why δ′ cannot be 0"))
	out.prose(p.Text, "The advanced theorem keeps a part δ′ of δ for itself and pays √(2K ln(1/δ′))·ε: as δ′ goes to 0 this first term goes to infinity. "+
		"With δ = 0 only the sum of the ε is left, which is basic composition.")
	if len(r.Lints) > 0 {
		out.gap()
		out.add(p.Line(out.w).Put(p.Warn, "Remarks"))
		for _, l := range r.Lints {
			out.bullet(lintText(l))
		}
	}
	return pad(out.lines, inner)
}

func lintText(l scenarios.Lint) string {
	if l.Entry > 0 {
		return fmt.Sprintf("entry %d: %s", l.Entry, l.Text)
	}
	return l.Text
}

// bound writes one theorem: figure, inputs, conditions, note.
func (w *whyPane) bound(out *writer, r *scenarios.Result, b accounting.Bound) {
	p := out.pen
	l := p.Line(out.w).Left(p.Title, methodName(b), 16)
	switch {
	case b.Finite():
		ink := p.Strong
		if r.Best >= 0 && r.Bounds[r.Best].Method == b.Method {
			ink = p.Winner
		}
		l.Put(ink, "ε = "+report.Upper(b.Epsilon)).Put(p.Muted, "  at δ = "+short(b.Delta))
		if s := report.Slack(r, b); s > 0 {
			l.Put(p.Muted, "  "+slackText(s)+" the certified lower end")
		}
		if budget := r.Target.Epsilon; budget > 0 && !report.Fits(b, budget) {
			l.Put(p.Over, "  "+p.Glyphs.Cross+" over the budget of "+short(budget))
		}
	default:
		l.Put(p.Muted, string(b.Status))
	}
	out.add(l)
	if b.Note != "" {
		inset(out, p.Muted, b.Note)
	}
	for _, q := range b.Inputs {
		out.add(p.Line(out.w).Skip(4).Left(p.Accent, q.Symbol, 8).Left(p.Text, short(q.Value), 12).Put(p.Muted, q.Meaning))
	}
	for _, c := range b.Conditions {
		mark, ink := p.Glyphs.Tick, p.Good
		if !c.Holds {
			mark, ink = p.Glyphs.Cross, p.Over
		}
		out.add(p.Line(out.w).Skip(4).Put(ink, mark+" ").Put(p.Text, c.Text))
	}
	out.gap()
}

func inset(out *writer, ink draw.Ink, s string) {
	for _, l := range text.Wrap(text.Clean(s), out.w-4) {
		out.add(out.pen.Line(out.w).Skip(4).Put(ink, l))
	}
}
