package home

import (
	"math"

	"epsiloscope/accounting"
	"epsiloscope/tui/draw"
)

// fullBar is the ε that fills a bar: the largest, but no more than five times the
// best or twice the budget, so that one hopeless theorem does not flatten the rest.
func (b *boundsPane) fullBar() float64 {
	largest, best := 0.0, math.Inf(1)
	for _, x := range b.Result.Bounds {
		if x.Finite() {
			largest, best = math.Max(largest, x.Epsilon), math.Min(best, x.Epsilon)
		}
	}
	return math.Min(largest, math.Max(5*best, 2*b.Result.Target.Epsilon))
}

// bar draws a bar, with a rule where the budget is; one that leaves the scale ends
// in an arrow.
func (b *boundsPane) bar(l *draw.Line, ink draw.Ink, x, full float64, w int) {
	p := b.Pen
	part, arrow := x/full, 0
	if x > full*(1+1e-9) {
		part, arrow = 1, 1
	}
	if at := b.budgetCell(full, w); at > 0 {
		filled, beyond := part*float64(w), 0.0
		if x > accounting.Ceiling(b.Result.Target.Epsilon) { // any excess shows, however small
			beyond = math.Max(1e-9, (filled-float64(at+1))/float64(w-at-1-arrow))
		}
		l.Bar(ink, filled/float64(at), at).Put(p.Over, string(p.Glyphs.RuleV)).Bar(ink, beyond, w-at-1-arrow)
	} else {
		l.Bar(ink, part, w-arrow)
	}
	if arrow > 0 {
		l.Put(ink, p.Glyphs.Right)
	}
}

// budgetCell is the cell of a bar where the budget lies; 0 if it is off the scale.
func (b *boundsPane) budgetCell(full float64, w int) int {
	at := int(math.Round(b.Result.Target.Epsilon / full * float64(w)))
	if at >= w-1 || !(full > 0) {
		return 0
	}
	return at
}

// barHead names the rule in the bars.
func (b *boundsPane) barHead(l *draw.Line, full float64, w int) *draw.Line {
	const name = "budget"
	at, end := b.budgetCell(full, w), l.At()+w
	if at > 0 && w >= len(name) {
		l.Skip(min(at, w-len(name))).Put(b.Pen.Muted, name)
	}
	return l.To(end)
}
