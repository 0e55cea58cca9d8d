package home

import (
	"cmp"
	"math"
	"slices"

	"epsiloscope/accounting"
	"epsiloscope/report"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
)

// table returns one line for every theorem: its ε, a dot on an axis that all of them share, how many more fit, whether
// it fits. A row never changes its place.
func (b *boundsPane) table(inner, room int, focused bool) []string {
	p, c := b.Pen, b.columns(inner)
	d := b.axis(c.axis)
	head := p.Line(inner).Skip(2).Left(p.Muted, "bound", c.name).Right(p.Muted, "ε  ", c.epsilon)
	if c.harm > 0 {
		head.Right(p.Muted, kit.Widest(c.harm-1, kit.HarmHeads[b.Result.Harm.Limit.Kind()]...), c.harm)
	}
	b.axisHead(head.Skip(2), d)
	if c.left > 0 {
		head.Right(p.Muted, "more fit", c.left)
	}
	lines := []string{head.String()}
	for _, i := range b.visibleBounds(room - 2) {
		lines = append(lines, b.tableRow(c, d, inner, i, focused))
	}
	foot, forms := b.axisFoot(inner, c.axisColumn(), d), b.formsLine(inner)
	if len(lines)+len(foot)+len(forms)+1 <= room { // the foot of the pane stays
		lines = append(lines, foot...)
	}
	if len(lines)+len(forms)+1 <= room {
		lines = append(lines, forms...)
	}
	return lines
}

type boundColumns struct{ name, epsilon, harm, axis, left int }

// axisColumn returns the column where the axis begins.
func (c boundColumns) axisColumn() int { return 2 + c.name + c.epsilon + c.harm + 2 }

// columns divides a row: the axis has all that the numbers leave.
func (b *boundsPane) columns(inner int) boundColumns {
	c, mark := boundColumns{name: 13, epsilon: 10}, draw.Width(b.Pen.Glyphs.OverMark)
	if mark > 1 { // in ASCII, where α is a word
		c.name += 2
	}
	if b.limitsHarm() {
		c.harm = 11
	}
	if b.limitsHarm() || b.Result.Target.Epsilon > 0 {
		c.left = 10
	}
	c.axis = max(4, inner-c.axisColumn()-c.left-1-mark)
	return c
}

// visibleBounds returns the bounds that fit into a number of rows, in their order. The best and the selected one stay
// longest, then basic and advanced, the pair that lectures compare; other forms of a theorem go first; of others alike
// the first goes first.
func (b *boundsPane) visibleBounds(rows int) []int {
	best := b.best()
	goes := func(i int) int { // the higher, the sooner
		method := b.Result.Bounds[i].Method
		switch {
		case i == min(best, b.row):
			return 0
		case i == max(best, b.row):
			return 1
		case isOtherForm(method):
			return 6
		case method == accounting.GDP:
			return 5
		case !b.Result.Bounds[i].Finite():
			return 4
		case method == accounting.Basic || method == accounting.Advanced:
			return 2
		}
		return 3
	}
	all := b.visibleRows()
	slices.SortFunc(all, func(i, j int) int { return cmp.Or(goes(i)-goes(j), j-i) })
	all = all[:max(0, min(rows, len(all)))]
	slices.Sort(all)
	return all
}

// best returns the row of the best bound as the headline has it: that of the least harm, if the budget limits one.
func (b *boundsPane) best() int {
	r := b.Result
	if b.limitsHarm() {
		return report.BestRow(r)
	}
	if old := b.Full.BestBound(); b.Pending && old.Finite() {
		return slices.IndexFunc(r.Bounds, func(x accounting.Bound) bool { return x.Method == old.Method })
	}
	return r.Best
}

// boundOf returns the bound in a row, and whether it is an old one that is being computed again.
func (b *boundsPane) boundOf(i int) (x accounting.Bound, stale bool) {
	x = b.Result.Bounds[i]
	stale = b.Pending && x.Method == accounting.Numerical
	if old, ok := b.Full.Bound(accounting.Numerical); ok && stale {
		x = old
	}
	return x, stale
}

func (b *boundsPane) tableRow(c boundColumns, d dotAxis, inner, i int, focused bool) string {
	p, best := b.Pen, i == b.best()
	x, stale := b.boundOf(i) // an old number is dimmed
	name, value := p.Text, p.Text
	marker, mark := " ", p.Winner
	if best {
		marker = p.Glyphs.Star
		name = p.Winner
		// The best there is may not be good enough.
		value, _ = kit.Verdict(p, x, b.Result.Target.Epsilon, b.Result.IsOpen())
		if b.limitsHarm() {
			_, value = b.harmVerdict(b.Result)
		}
	}
	winner := value
	if stale {
		name, value = p.Stale, p.Stale
	}
	if focused && i == b.row {
		marker, mark, name = p.Glyphs.Select, p.Accent, p.Accent
	}
	l := p.Line(inner).Left(mark, marker, 2).Left(name, kit.MethodName(x), c.name)
	if !x.Finite() {
		return b.reason(l, x, stale, c).String()
	}
	l.Number(value, report.Upper(x.Epsilon), c.epsilon)
	if c.harm > 0 {
		l.Right(p.Text, b.harmText(x), c.harm)
	}
	b.dot(l.Skip(2), d, x, best, stale, winner)
	count, old := b.leftText(x)
	left := p.Text
	if old {
		left = p.Stale
	}
	l.Right(left, count, c.left).Skip(1)
	if stale { // nothing is claimed of an old number
		return l.String()
	}
	return b.fitMark(l, x).String()
}

// reason ends a row without a number: it says why there is none.
func (b *boundsPane) reason(l *draw.Line, x accounting.Bound, stale bool, c boundColumns) *draw.Line {
	p, word := b.Pen, "n/a"
	if x.Status == accounting.Vacuous {
		word = "∞"
	}
	if stale {
		word = p.Glyphs.Ellipsis
	}
	l.Right(p.Muted, word, c.epsilon-2).Skip(4)
	return l.Put(p.Muted, kit.Clause(p.Spell(x.Note), l.Room()))
}

func (b *boundsPane) leftText(x accounting.Bound) (count string, stale bool) {
	n, stale, ok := b.home.LeftOf(x.Method)
	switch {
	case !ok || x.Status != accounting.Valid:
		return "", false
	case math.IsInf(n, 1):
		return "∞", stale
	case n >= 1e5:
		return kit.CompactFit(n), stale
	}
	return report.Short(n), stale
}

// fitMark says in a glyph whether the bound proves that the budget holds.
func (b *boundsPane) fitMark(l *draw.Line, x accounting.Bound) *draw.Line {
	p := b.Pen
	budget := b.Result.Target.Epsilon
	switch {
	case x.Status == accounting.Unproven:
		return l.Put(p.Warn, "≈")
	case b.limitsHarm():
		return b.harmMark(l, x)
	case budget <= 0:
		return l
	case report.Fits(x, budget) && b.Result.IsOpen():
		return l.Put(p.Warn, "?")
	case report.Fits(x, budget):
		return l.Put(p.Good, p.Glyphs.Tick)
	}
	return l.Put(p.Over, p.Glyphs.OverMark)
}
