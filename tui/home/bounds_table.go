package home

import (
	"math"
	"slices"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms/numeral"
	"epsiloscope/scenarios/report"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/text"
)

// table is one line for every theorem: figure, bar, slack against the certified
// lower end, how many more fit, whether it fits. A row never changes its place.
func (b *boundsPane) table(inner, room int, focused bool) []string {
	p := b.Pen
	shown := b.shown(room - 2)
	c := boundColumnsFor(inner, text.Width(p.Glyphs.OverMark))
	lines := make([]string, 0, len(shown)+1)
	full := b.fullBar()
	head := p.Line(inner).Skip(2).Left(p.Muted, "bound", c.name).Right(p.Muted, "ε  ", c.figure).Skip(2)
	lines = append(lines, b.barHead(head, full, c.bar).
		Right(p.Muted, "slack", c.slack).Right(p.Muted, kit.Widest(c.distance, "to budget", ""), c.distance).Right(p.Muted, "more fit", c.left).String())
	for _, i := range shown {
		lines = append(lines, b.tableRow(c, inner, i, full, focused))
	}
	return lines
}

type boundColumns struct{ name, figure, bar, slack, distance, left int }

func boundColumnsFor(inner, mark int) boundColumns {
	c := boundColumns{name: 13, figure: 10, slack: 8, left: 9}
	if inner >= 66 { // a narrow table leaves it to the mark and the headline
		c.distance, c.left = 11, 10
	}
	if mark > 1 { // in ASCII, where α is a word
		c.name += 2
	}
	c.bar = max(4, inner-2-c.name-c.figure-2-c.slack-c.distance-c.left-2-mark)
	return c
}

// giveWay are the rows that go first where not all fit: looser twins of others.
var giveWay = []accounting.Method{accounting.RDPClassic, accounting.ZCDPClassic, accounting.AdvancedKOV, accounting.GDP}

// shown are the bounds that fit into a count of rows, in their order. The best and
// the selected one always do.
func (b *boundsPane) shown(rows int) []int {
	r := b.Result
	all := make([]int, len(r.Bounds))
	for i := range all {
		all[i] = i
	}
	drop := func(unwanted func(accounting.Bound) bool) {
		for k := 0; k < len(all) && len(all) > rows; {
			if i := all[k]; i != b.best() && i != b.row && unwanted(r.Bounds[i]) {
				all = slices.Delete(all, k, k+1)
				continue
			}
			k++
		}
	}
	for _, m := range giveWay {
		drop(func(x accounting.Bound) bool { return x.Method == m })
	}
	drop(func(x accounting.Bound) bool { return !x.Finite() })
	drop(func(accounting.Bound) bool { return true })
	return all[:min(len(all), max(0, rows))]
}

// best is the row of the best bound as the headline has it.
func (b *boundsPane) best() int {
	r := b.Result
	if old := b.Full; b.Pending && old != nil && old.Best >= 0 {
		return slices.IndexFunc(r.Bounds, func(x accounting.Bound) bool { return x.Method == old.Bounds[old.Best].Method })
	}
	return r.Best
}

func (b *boundsPane) tableRow(c boundColumns, inner, i int, full float64, focused bool) string {
	p, r := b.Pen, b.Result
	x := r.Bounds[i]
	best, stale := i == b.best(), false
	if x.Method == accounting.Numerical && b.Pending { // the old figure, dimmed
		stale = true
		if old, ok := b.Full.Bound(accounting.Numerical); ok {
			x = old
		}
	}
	l := p.Line(inner)
	name, figure, bar := p.Text, p.Text, p.Muted
	switch {
	case stale:
		name, figure, bar = p.Stale, p.Stale, p.Stale
	case best && b.Result.Target.Epsilon > 0 && !report.Fits(x, b.Result.Target.Epsilon):
		name, figure, bar = p.Winner, p.Over, p.Over // the best there is, and not good enough
	case best:
		name, figure, bar = p.Winner, p.Winner, p.Winner
	}
	marker, mark := " ", p.Winner
	if best {
		marker = p.Glyphs.Star
	}
	if focused && i == b.row {
		marker, mark, name = p.Glyphs.Select, p.Accent, p.Accent
	}
	l.Left(mark, marker, 2).Left(name, kit.MethodName(x), c.name)
	if !x.Finite() {
		word := "n/a"
		if x.Status == accounting.Vacuous {
			word = "∞"
		}
		if stale {
			word = p.Glyphs.Ellipsis
		}
		l.Right(p.Muted, word, c.figure-2).Skip(2)
		return l.Put(p.Muted, kit.Clause(p.Spell(x.Note), l.Room())).String()
	}
	l.Figure(figure, report.Upper(x.Epsilon), c.figure).Skip(2)
	b.bar(l, bar, x.Epsilon, full, c.bar)
	slack, left := p.Muted, p.Text
	if b.Pending {
		slack = p.Stale
	}
	count, old := b.leftText(x)
	if old {
		left = p.Stale
	}
	l.Right(slack, kit.SlackText(b.home.slackOf(x)), c.slack).Right(p.Muted, kit.Widest(c.distance, b.distance(x), ""), c.distance)
	l.Right(left, count, c.left).Skip(2)
	return b.fitMark(l, x).String()
}

// distance is what a bound leaves of the budget: +0.62, or −11.8 if it is over.
func (b *boundsPane) distance(x accounting.Bound) string {
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
		digits := 2 // as Compact has room for, and never more than fit
		if n >= 1e10 {
			digits = 1
		}
		return kit.Compact(numeral.RoundDown(n, digits)), stale
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
	case budget <= 0:
		return l
	case report.Fits(x, budget):
		return l.Put(p.Good, p.Glyphs.Tick)
	}
	return l.Put(p.Over, p.Glyphs.OverMark)
}

// slackOf is a bound against the certified lower end, as it was before while that
// is being computed anew.
func (h *Home) slackOf(b accounting.Bound) float64 {
	if !h.Pending || h.Full == nil {
		return report.Slack(h.Result, b)
	}
	old, ok := h.Full.Bound(b.Method)
	if !ok {
		return 0
	}
	return report.Slack(h.Full, old)
}
