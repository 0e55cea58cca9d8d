package home

import (
	"math"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/report"
	"epsiloscope/report/chart"
	"epsiloscope/report/scale"
	"epsiloscope/tui/draw"
)

// maxReach is the largest multiple of the best bound on the axis, so that one loose theorem does not push the rest
// together; maxBudgetReach is the largest factor between the best bound and a budget that has its place on the axis.
const maxReach, maxBudgetReach = 16, 1000

// negligible is the value from which on a bound has its place on the axis: what is less is the remainder of an ε of 0,
// and stands at its beginning.
const negligible = 1e-30

// dotAxis is the axis on which every theorem has a dot. Equal distances are equal factors.
type dotAxis struct {
	scale scale.Scale
	cells int
	best  float64
	limit float64 // the largest value that fits the budget; 0 if there is none
	rule  int     // the column of the budget; -1 if there is none or it is far away
}

// newDotAxis returns an axis of some cells for the values of the bounds, the best among them, and the largest
// value that fits. Its ends are round numbers: a knob moves the dots, not the axis.
func newDotAxis(values []float64, best, limit float64, cells int) dotAxis {
	d := dotAxis{cells: cells, best: best, limit: limit, rule: -1}
	from, to := math.Inf(1), 0.0
	for _, v := range values {
		if v > negligible {
			from, to = math.Min(from, v), math.Max(to, v)
		}
	}
	if best > 0 {
		to = math.Min(to, maxReach*best)
	}
	inReach := limit > 0 && cells > 4 && (to == 0 || limit < maxBudgetReach*from && from < maxBudgetReach*limit)
	if inReach {
		from, to = math.Min(from, limit), math.Max(to, limit)
	}
	d.scale = scale.New(roundEnd(from/1.1, math.Floor), roundEnd(to*1.1, math.Ceil), true)
	if inReach {
		d.rule = max(1, min(d.cell(limit), cells-2))
	}
	return d
}

// roundEnd returns a number of at most two digits below a value, or above it.
func roundEnd(v float64, toward func(float64) float64) float64 {
	if !(v > 0) || math.IsInf(v, 0) {
		return v
	}
	const perDecade = 6
	return math.Pow(10, toward(math.Log10(v)*perDecade)/perDecade)
}

// cell returns the cell in which a value lies, or the nearest one on the axis.
func (d dotAxis) cell(v float64) int {
	if !(v > 0) {
		return 0
	}
	return int(math.Round(scale.ClampToAxis(d.scale.Fraction(v)) * float64(d.cells-1)))
}

// column returns the column of a dot: right of the rule if the value is over the budget, by however little, else left
// of it.
func (d dotAxis) column(v float64) int {
	at := d.cell(v)
	switch {
	case d.rule < 0:
		return at
	case v <= d.limit:
		return min(at, d.rule-1)
	default:
		return max(at, d.rule+1)
	}
}

// leaves reports whether a value lies beyond the end of the axis.
func (d dotAxis) leaves(v float64) bool { return d.scale.Fraction(v) > 1 }

// amount returns what a bound is compared by: its ε, or the harm it implies if the budget limits that.
func (b *boundsPane) amount(x accounting.Bound) float64 {
	if b.limitsHarm() {
		return report.ImpliedHarm(b.Result, x)
	}
	return x.Epsilon
}

// axis returns the axis of the bounds on the screen.
func (b *boundsPane) axis(cells int) dotAxis {
	limit := 0.0
	if budget := b.Result.Target.Epsilon; budget > 0 {
		limit = accounting.BudgetLimit(budget)
	}
	if b.limitsHarm() {
		limit = b.Result.Harm.Limit.Limit()
	}
	best := 0.0
	var values []float64
	for i := range b.Result.Bounds {
		if x, _ := b.boundOf(i); x.Finite() {
			if values = append(values, b.amount(x)); i == b.best() {
				best = b.amount(x)
			}
		}
	}
	return newDotAxis(values, best, limit, cells)
}

// dot writes the dot of a bound, and a stem from the best to it: what the theorem gives away. One beyond the axis is an
// arrow. A theorem may lie below the best by less than is written: the best is then the one native to the releases, and
// the dot stands at the star.
func (b *boundsPane) dot(l *draw.Line, d dotAxis, x accounting.Bound, isBest, stale bool, winner draw.Ink) {
	p, v := b.Pen, b.amount(x)
	s := draw.Stem{Sign: p.Glyphs.SliderKnob, From: d.column(d.best), At: d.column(v), Rule: d.rule, Cells: d.cells}
	s.Ink = *p.Series[chart.LookOf(x.Method)%len(p.Series)].Ink
	if x.Status != accounting.Unproven && v < d.best {
		s.At = s.From
	}
	switch {
	case x.Status == accounting.Unproven:
		s.Sign = p.Glyphs.Near
	case isBest:
		s.Sign, s.Ink = p.Glyphs.Star, winner
	case d.leaves(v):
		s.Sign = p.Glyphs.Right
	}
	if stale {
		s.Ink = p.Stale
	}
	if d.best <= 0 || isBest {
		s.From = s.At
	}
	l.Stem(s)
}

// tickFactors are the numbers that an axis names in every decade, the most welcome first.
var tickFactors = []float64{1, 3, 2, 5, 7, 1.5, 4}

// axisLabels is the line above the axis, kept as long as nothing in it changes.
type axisLabels struct {
	pen      *draw.Pen
	from, to float64
	cells    int
	rule     int
	budget   string
}

// axisHead names round numbers above the axis, and the budget above its rule.
func (b *boundsPane) axisHead(l *draw.Line, d dotAxis) {
	now := axisLabels{pen: b.Pen, from: d.scale.Min, to: d.scale.Max, cells: d.cells, rule: d.rule}
	if d.rule >= 0 {
		now.budget = b.budgetText()
	}
	if now != b.labels {
		b.labels, b.labelLine = now, b.drawLabels(d, now.budget)
	}
	l.Raw(b.labelLine, d.cells)
}

func (b *boundsPane) drawLabels(d dotAxis, budget string) string {
	p, cells := b.Pen, make([]byte, d.cells)
	start := func(label string, at int) int { return max(0, min(at-(len(label)-1)/2, d.cells-len(label))) }
	place := func(label string, at int) {
		from := start(label, at)
		around := cells[max(0, from-1):min(d.cells, from+len(label)+1)]
		if len(label) > d.cells || strings.Trim(string(around), "\x00") != "" {
			return
		}
		copy(cells[from:], label)
	}
	if d.rule >= 0 {
		place(budget, d.rule)
	}
	lo, hi := math.Floor(math.Log10(d.scale.Min)), math.Ceil(math.Log10(d.scale.Max))
	for _, f := range tickFactors {
		for e := lo; e <= hi && hi-lo < 30; e++ {
			if v := f * math.Pow(10, e); v >= d.scale.Min && v <= d.scale.Max {
				place(scale.Format(v, 3), d.cell(v))
			}
		}
	}
	l, from := p.Line(d.cells), start(budget, d.rule)
	for i, c := range cells {
		ink := p.Muted
		if i >= from && i < from+len(budget) {
			ink = p.Beyond
		}
		if c == 0 {
			l.Skip(1)
		} else {
			l.Put(ink, string(c))
		}
	}
	return l.String()
}

// budgetText returns what the budget allows, as it was typed.
func (b *boundsPane) budgetText() string {
	if b.limitsHarm() {
		return report.FormatGiven(b.Result.Harm.Limit.Limit())
	}
	return report.FormatGiven(b.Result.Target.Epsilon)
}

// axisFoot says below the table on which side of the rule a bound fits; nil without a rule.
func (b *boundsPane) axisFoot(inner, column int, d dotAxis) []string {
	if d.rule < 0 {
		return nil
	}
	p, fits, over := b.Pen, "fits ≤ "+b.budgetText()+" ", " over"
	l := p.Line(inner)
	if w := draw.Width(p.Spell(fits)); column+d.rule >= w {
		l.FillTo(column+d.rule-w).Put(p.Good, fits)
	}
	return []string{l.FillTo(column+d.rule).Put(p.Beyond, string(p.Glyphs.RuleV)).Put(p.Beyond, over).String()}
}
