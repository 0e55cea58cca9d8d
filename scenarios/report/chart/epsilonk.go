package chart

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report/curve"
)

// EpsilonK is ε by method against the number of rounds of the whole stack or, if
// opt.Entry is given, against the count of that entry. Where one theorem starts to
// beat another is marked, and so is the budget.
func EpsilonK(ctx context.Context, s *scenarios.Scenario, opt Options) (Chart, error) {
	l, err := newLadder(s, opt)
	if err != nil {
		return Chart{}, err
	}
	return l.chart(ctx, s, opt)
}

func (l *ladder) chart(ctx context.Context, s *scenarios.Scenario, opt Options) (Chart, error) {
	ks := curve.WholeSpace(l.most, opt.points(), l.now)
	values, rough, _, err := l.climb(ctx, ks, opt)
	if err != nil {
		return Chart{}, err
	}
	c := Chart{
		Title: "ε against " + l.what,
		X:     Axis{Label: l.symbol, Log: true, Min: 1, Max: l.most},
		Y:     Axis{Label: "ε", Log: true, Min: unset, Max: unset, Upper: true},
		Read:  l.now,
		Notes: rough,
	}
	shown := lastFinite(values, len(ks))
	if shown > 1 && shown < len(ks) { // stated δ's add up, and leave nothing of the total
		l.most = ks[shown-1]
		c.X.Max = l.most
		c.Notes = append(c.Notes, fmt.Sprintf("no theorem gives a finite ε beyond about %s", l.at(l.most)))
	}
	for _, m := range inOrder(slices.Collect(maps.Keys(values))) {
		c.Series = append(c.Series, Series{Name: string(m), X: ks, Y: values[m], Rough: slices.Contains(rough, roughNote(m))})
	}
	c.markBudget(s.Budget)
	if l.now > 1 {
		c.Marks = append(c.Marks, Mark{X: l.now, Y: unset, Label: "now " + l.at(l.now)})
	}
	for _, race := range []struct{ challenger, champion accounting.Method }{
		{accounting.Advanced, accounting.Basic}, {accounting.RDP, accounting.Advanced},
	} {
		if err := l.mark(ctx, &c, ks[:shown], values, race.challenger, race.champion); err != nil {
			return Chart{}, err
		}
	}
	if from := borrowed(values, shown); from > 0 && from < shown { // where it is so from the start there is no jump
		c.Notes = append(c.Notes, fmt.Sprintf("from %s on the numerical bound is that of RDP: its own is larger", l.at(ks[from])))
	}
	return c, nil
}

// borrowed is the first of n points from which on the numerical accountant's upper end is that of
// RDP; n if there is none.
func borrowed(values map[accounting.Method][]float64, n int) int {
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

// gaps is n points without a value.
func gaps(n int) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = unset
	}
	return xs
}
