package chart

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"epsiloscope/accounting"
	"epsiloscope/report"
	"epsiloscope/report/curve"
	"epsiloscope/scenarios"
)

// EpsilonK is ε by method against K, the releases of the stack's only entry or, if opt.Entry is given, of that
// entry; of a stack with several entries against R, the rounds of all of it. Where one theorem starts to
// beat another is marked, and so are the answer and the budget.
var EpsilonK = Kind{"epsilon-k", "ε against K, the number of releases: by method; of several entries against R, their rounds", "entry max-k method numerical", true, epsilonK}

func epsilonK(v *view) (Chart, error) {
	l := &sweep{view: v, symbol: "R", what: "R, rounds of the stack", now: v.Scenario.Rounds}
	if v.Entry == 0 && (len(v.Stack) != 1 || v.Options.Rounds) {
		once := v.Clone()
		once.Rounds = 1
		stack, err := scenarios.Stack(once)
		if err != nil {
			return Chart{}, err
		}
		l.stack = func(k float64) ([]accounting.Entry, error) { return accounting.Times(stack, k), nil }
		return l.chart()
	}
	if v.Entry < 0 || v.Entry > len(v.Stack) {
		return Chart{}, fmt.Errorf("there is no entry %d; the stack has %d", v.Entry, len(v.Stack))
	}
	i, work := max(v.Entry, 1)-1, v.Clone()
	l.symbol, l.what = "K", fmt.Sprintf("K, the releases of entry %d", i+1)
	if len(v.Stack) == 1 {
		l.what = "K, the releases of the entry"
	}
	l.now = v.Stack[i].Count
	l.stack = func(k float64) ([]accounting.Entry, error) {
		work.Stack[i].Count = k
		return scenarios.Stack(work)
	}
	return l.chart()
}

// minTop is the smallest end of the axis: large enough to show the crossings of everyday
// parameters.
const minTop = 1000

func (l *sweep) chart() (Chart, error) {
	most := l.MaxK
	if most <= 0 {
		most = math.Max(minTop, 10*l.now)
	}
	most = math.Min(math.Max(1, math.Floor(most)), 1e12)
	if l.MaxK <= 0 {
		most = math.Max(most, l.farCrossing(most))
	}
	ks := curve.WholeSpace(most, l.pointsUpTo(most), l.now)
	found, err := l.evaluateAt(ks)
	if err != nil || l.Err() != nil {
		return Chart{}, err
	}
	values, rough, lower := found.values, found.rough, found.lower
	c := Chart{
		Title: "ε against " + l.what,
		X:     Axis{Label: l.symbol, Min: 0, Max: most},
		Y:     Axis{Label: "ε", Min: 0, Max: unset, Upper: true},
		Read:  l.now,
		Notes: rough, Rivals: true,
	}
	shown := lastFinite(values, len(ks))
	if shown > 1 && shown < len(ks) { // the stated δ's add up to the total δ
		c.X.Max = ks[shown-1]
		c.Notes = append(c.Notes, fmt.Sprintf("no theorem gives a finite ε beyond about %s", l.countText(c.X.Max)))
	}
	for _, m := range sortMethods(slices.Collect(maps.Keys(values))) {
		c.Series = append(c.Series, Series{Name: string(m), X: ks, Y: values[m],
			Rough: slices.Contains(rough, roughNote(m))})
	}
	if slices.ContainsFunc(lower, func(y float64) bool { return y > 0 }) {
		c.Series = append(c.Series, Series{Name: LowerEnd, X: ks, Y: lower, Faint: true, Attack: true})
	}
	c.MarkBudget(l.Budget.Epsilon)
	c.markAnswer(l.countText(l.now))
	if note := l.winnersNote(found, ks, shown); note != "" {
		c.Notes = append(c.Notes, note)
	}
	for _, race := range []struct{ challenger, champion accounting.Method }{
		{accounting.Advanced, accounting.Basic}, {accounting.RDP, accounting.Advanced},
	} {
		if err := l.markCrossing(&c, ks[:shown], values, race.challenger, race.champion); err != nil {
			return Chart{}, err
		}
	}
	// if it is so from the first point, there is no jump
	if from := firstFromRDP(values, shown); from > 0 && from < shown {
		c.Notes = append(c.Notes, fmt.Sprintf("from %s on the numerical bound is that of RDP: its own is larger", l.countText(ks[from])))
	}
	if n := len(c.Series); n > 0 && c.Series[n-1].Attack {
		c.Notes = append(c.Notes, "the tight ε lies between the lower end and numerical")
	}
	c.Focus = focusOf(c, l.Budget.Epsilon)
	return c, nil
}

// pointsUpTo returns how many counts up to most are asked for. Every count of a numerical curve is composed by
// itself, so that neighbours differ there by a factor of 1.45, as far as the usual number of points suffices: the
// chord of a square root lies 0.4 % below it at most, less than a dot of a chart.
func (l *sweep) pointsUpTo(most float64) int {
	const factor = 1.45
	if l.Points > 0 || !l.Numerical {
		return l.points()
	}
	return min(l.points(), 1+int(math.Ceil(math.Log(most)/math.Log(factor))))
}

// farCrossing returns the end of an axis that holds the crossing of basic and advanced composition, if that lies in
// the last third of the counts up to most; else 0. Only the two theorems are evaluated for it.
func (l *sweep) farCrossing(most float64) float64 {
	wins := func(k float64) bool {
		stack, err := l.stackAt(k)
		return err == nil &&
			epsilonOf(l, accounting.Advanced, stack, l.target()) < epsilonOf(l, accounting.Basic, stack, l.target())
	}
	if third := math.Floor(most / spanOfCrossing); wins(third) || !wins(most) {
		return 0
	}
	low, high := math.Floor(most/spanOfCrossing), most
	for high-low > 1 {
		if middle := math.Floor((low + high) / 2); wins(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return spanOfCrossing * high
}

// markAnswer marks the best bound at the present value, which words name. An ε of 0, which is no bound to divide others
// by, is the best too.
func (c *Chart) markAnswer(words string) {
	least, ok := c.LeastBounds()
	if !ok {
		return
	}
	i := slices.Index(c.Series[0].X, c.Read)
	if i < 0 || math.IsInf(least[i], 1) {
		return
	}
	if slices.ContainsFunc(c.Series, func(s Series) bool { return !s.Rough && !s.Attack && !s.Other && s.Y[i] == 0 }) {
		least[i] = 0
	}
	c.Marks = append(c.Marks, Mark{X: c.Read, Y: least[i], Answer: true, Label: words + ": ε = " +
		report.Upper(least[i])})
}

// LogAxes returns a chart of ε against a count on logarithmic axes, with all its counts; false if it is none.
func (c Chart) LogAxes() (Chart, bool) {
	if c.Focus == 0 || c.Y.Label != "ε" {
		return c, false
	}
	c.X.Log, c.Y.Log, c.X.Min, c.Y.Min, c.Focus = true, true, 1, unset, 0
	return c, true
}

// firstFromRDP returns the index of the first of n points from which on the numerical upper end equals the RDP bound; n
// if there is none.
func firstFromRDP(values map[accounting.Method][]float64, n int) int {
	own, rdp := values[accounting.Numerical], values[accounting.RDP]
	if own == nil || rdp == nil {
		return n
	}
	for n > 0 && own[n-1] == rdp[n-1] {
		n--
	}
	return n
}

// lastFinite counts the points up to the last at which some theorem is finite.
func lastFinite(values map[accounting.Method][]float64, n int) int {
	for ; n > 0; n-- {
		for _, v := range values {
			if !math.IsNaN(v[n-1]) {
				return n
			}
		}
	}
	return 0
}

// gaps returns n points without a value.
func gaps(n int) []float64 { return slices.Repeat([]float64{unset}, n) }
