package planview

import (
	"fmt"

	"epsiloscope/report"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
)

func (p *Screen) View(focused bool) []string {
	pen, s := p.Pen, p.Doc.Scenario()
	if p.view == divideView && len(s.Stack) > 0 && s.Budget.IsSet() {
		return p.drawDivide(p.title(), focused)
	}
	inner, h := draw.Inner(p.W, p.H)
	text := min(inner, 112)
	if inner >= besideCells && p.view == solveView {
		text = min(text, inner-besideGap-curveCells)
	}
	out := kit.NewWriter(pen, text)
	p.tight, p.place = h < 23, ""
	p.tabs(out)
	p.gap(out)
	switch {
	case len(s.Stack) == 0:
		out.Prose(pen.Muted, "The stack is empty: there is nothing to plan. esc, then a adds the first mechanism.")
	case !s.Budget.IsSet() && p.view != entriesView:
		out.Prose(pen.Muted, "There is no budget to plan for: t sets the total ε, or a harm to stay within.")
	case p.view == solveView:
		p.viewSolve(out, inner, h-1)
	default:
		p.viewMargins(out, inner, h-len(out.Lines)-1)
	}
	return p.DrawFrame(draw.Frame{Title: p.title() + p.place, Focus: focused}, out.Lines, p.foot(inner))
}

// title says what is planned for.
func (p *Screen) title() string {
	b := p.Doc.Scenario().Budget
	switch {
	case b.Epsilon > 0:
		return fmt.Sprintf("Plan for ε = %s at δ = %s", report.FormatGiven(b.Epsilon), report.FormatGiven(b.Delta))
	case b.IsSet():
		return fmt.Sprintf("Plan for %s ≤ %s", report.HarmName(b.Harm), report.FormatGiven(b.Harm.Limit()))
	}
	return "Plan"
}

// tabGap are the cells between the names of the views, tabWidth those of a name and its mark.
const tabGap = 3

func tabWidth(i int) int { return 2 + len(views[i]) }

func (p *Screen) tabs(out *kit.Writer) {
	pen := out.Pen
	l := pen.Line(out.W)
	for i, name := range views {
		if i == p.view {
			l.Put(pen.Accent, pen.Glyphs.Select+" ").Put(pen.Strong, name)
		} else {
			l.Put(pen.Muted, "  "+name)
		}
		l.Skip(tabGap)
	}
	out.Add(l)
}

// gap writes a blank line, unless every line is needed.
func (p *Screen) gap(out *kit.Writer) {
	if !p.tight || p.view != solveView {
		out.Gap()
	}
}

// foot returns the keys of the view; where room is short what is wanted most comes first. Where nothing can be planned
// it has no keys that would do nothing.
func (p *Screen) foot(w int) string {
	if s := p.Doc.Scenario(); len(s.Stack) == 0 || p.Refusal != nil {
		return p.BusyFoot(w, false, kit.Hint("tab", "view"), kit.Hint("esc", "back")).String()
	} else if !s.Budget.IsSet() && p.view != entriesView {
		return p.BusyFoot(w, false, kit.Hint("t", "target"), kit.Hint("tab", "view"), kit.Hint("esc", "back")).String()
	}
	main := []kit.Binding{kit.Hint("enter", "apply"), kit.Hint("tab", "view")}
	if p.view == entriesView || p.view == divideView && p.noneFits() { // there is nothing to apply
		main = main[1:]
	}
	rows := "theorem"
	if p.stuck() {
		rows = "way out"
	}
	entry := kit.Hint("J K", "entry")
	if q, _ := p.currentQuestion(); q.entry == 0 { // the unknown is nobody's
		entry = kit.Binding{}
	}
	list := [][]kit.Binding{
		{kit.Hint("←→", "unknown"), entry, kit.Hint("↑↓", rows), kit.Hint("r", "error")},
		{kit.Hint("space", "lock"), kit.Hint("*", "weight"), kit.Hint("g", "size"), kit.Hint("r", "error"), kit.Hint("←→", "theorem")},
		{kit.Hint("←→", "theorem")},
	}[p.view]
	if w < 74 {
		main, list = list, main
	}
	return p.BusyFoot(w, p.solve.Busy || p.divide.Busy || p.margin.Busy, append(list, main...)...).String()
}
