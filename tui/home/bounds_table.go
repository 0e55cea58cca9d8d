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

// The bounds of a result come in; one line per theorem goes out, for the pane of bounds.

// table returns one line for every theorem: number, bar, slack against the certified
// lower end, how many more fit, whether it fits. A row never changes its place.
func (b *boundsPane) table(inner, room int, focused bool) []string {
	p, full := b.Pen, b.fullBar()
	c := boundColumnsFor(inner, draw.Width(p.Glyphs.OverMark))
	if wider := min(3, c.bar-4); b.limitsHarm() && wider > 0 { // an advantage has more digits than a slack
		c.slack, c.bar = c.slack+wider, c.bar-wider
	}
	head := p.Line(inner).Skip(2).Left(p.Muted, "bound", c.name).Right(p.Muted, "ε  ", c.epsilon).Skip(2)
	slack := "slack"
	if b.limitsHarm() {
		slack = kit.Widest(c.slack-1, kit.HarmHeads[b.Result.Harm.Limit.Kind()]...)
	}
	lines := []string{b.barHead(head, full, c.bar).
		Right(p.Muted, slack, c.slack).Right(p.Muted, kit.Widest(c.distance, "to budget", ""), c.distance).Right(p.Muted, "more fit", c.left).String()}
	for _, i := range b.visibleBounds(room - 2) {
		lines = append(lines, b.tableRow(c, inner, i, full, focused))
	}
	if len(lines)+2 < room { // a blank line and the foot stay
		lines = append(lines, b.formsLine(inner)...)
	}
	return lines
}

type boundColumns struct{ name, epsilon, bar, slack, distance, left int }

func boundColumnsFor(inner, mark int) boundColumns {
	c := boundColumns{name: 13, epsilon: 10, slack: 8, left: 11}
	if inner >= 66 { // a narrow table leaves it to the mark and the headline
		c.distance, c.left = 11, 12
	}
	if mark > 1 { // in ASCII, where α is a word
		if c.name += 2; c.distance == 0 {
			c.left -= 2 // so that the mark is not cut
		}
	}
	c.bar = max(4, inner-2-c.name-c.epsilon-2-c.slack-c.distance-c.left-2-mark)
	return c
}

// visibleBounds returns the bounds that fit into a number of rows, in their order. The best and
// the selected one stay longest, other forms of a theorem go first; of others alike the first goes first.
func (b *boundsPane) visibleBounds(rows int) []int {
	best := b.best()
	goes := func(i int) int { // the higher, the sooner
		switch method := b.Result.Bounds[i].Method; {
		case i == min(best, b.row):
			return 0
		case i == max(best, b.row):
			return 1
		case isOtherForm(method):
			return 5
		case method == accounting.GDP:
			return 4
		case !b.Result.Bounds[i].Finite():
			return 3
		}
		return 2
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

func (b *boundsPane) tableRow(c boundColumns, inner, i int, full float64, focused bool) string {
	p, x, best := b.Pen, b.Result.Bounds[i], i == b.best()
	stale := b.Pending && x.Method == accounting.Numerical // the old number, dimmed
	if old, ok := b.Full.Bound(accounting.Numerical); ok && stale {
		x = old
	}
	name, value, bar := p.Text, p.Text, p.Muted
	marker, mark := " ", p.Winner
	if best {
		marker = p.Glyphs.Star
		name = p.Winner
		value, _ = kit.Verdict(p, x, b.Result.Target.Epsilon, b.Result.IsOpen()) // the best there is may not be good enough
		if b.limitsHarm() {
			_, value = b.harmVerdict(b.Result)
		}
		bar = value
	}
	if stale {
		name, value, bar = p.Stale, p.Stale, p.Stale
	}
	if focused && i == b.row {
		marker, mark, name = p.Glyphs.Select, p.Accent, p.Accent
	}
	l := p.Line(inner).Left(mark, marker, 2).Left(name, kit.MethodName(x), c.name)
	if !x.Finite() {
		word := "n/a"
		if x.Status == accounting.Vacuous {
			word = "∞"
		}
		if stale {
			word = p.Glyphs.Ellipsis
		}
		l.Right(p.Muted, word, c.epsilon-2).Skip(2)
		return l.Put(p.Muted, kit.Clause(p.Spell(x.Note), l.Room())).String()
	}
	l.Number(value, report.Upper(x.Epsilon), c.epsilon).Skip(2)
	b.bar(l, bar, x.Epsilon, full, c.bar)
	slack, left := p.Muted, p.Text
	if b.Pending {
		slack = p.Stale
	}
	distance := ""
	if !stale {
		distance = b.distance(x)
	}
	count, old := b.leftText(x)
	if old {
		left = p.Stale
	}
	beside := kit.SlackText(b.home.slackOf(x))
	if b.limitsHarm() {
		beside = b.harmText(x)
	}
	l.Right(slack, beside, c.slack).Right(p.Muted, kit.Widest(c.distance, distance, ""), c.distance)
	l.Right(left, count, c.left).Skip(2)
	if stale { // nothing is claimed of an old number
		return l.String()
	}
	return b.fitMark(l, x).String()
}

// distance returns what a bound leaves of the budget: +0.62, or −11.8 if it is over.
func (b *boundsPane) distance(x accounting.Bound) string {
	if b.limitsHarm() {
		return b.harmDistance(x)
	}
	budget := b.Result.Target.Epsilon
	switch d := budget - x.Epsilon; {
	case budget <= 0 || x.Status != accounting.Valid:
		return ""
	case report.Fits(x, budget):
		return "+" + report.Lower(max(d, 0))
	default:
		return "−" + report.Upper(-d)
	}
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
	switch budget := b.Result.Target.Epsilon; {
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

// slackOf returns a bound against the certified lower end, as it was before while that
// is being computed anew.
func (h *Home) slackOf(b accounting.Bound) float64 {
	r := h.Result
	if h.Pending && h.Full != nil {
		r = h.Full
		b, _ = r.Bound(b.Method)
	}
	return report.Slack(r, b)
}
