package chart

import (
	"math"
	"slices"

	"epsiloscope/accounting"
)

// maxScaleMultiple is the largest multiple of the best bound at which a point still sets the vertical scale.
const maxScaleMultiple = 5.0

// focusOf returns where the horizontal axis of a chart of ε against a count ends: at three times the crossing of
// basic and advanced composition, or beyond the present count, if that is farther; without a crossing where the best
// bound has used three budgets, but not before three times the present count. It is 0 if no bound is finite.
func focusOf(c Chart, budget float64) float64 {
	least, ok := c.LeastBounds()
	if !ok {
		return 0
	}
	for _, m := range c.Marks {
		if c.showsCrossing(m, least) {
			return math.Min(math.Max(spanOfCrossing*m.X, math.Round(1.2*c.Read)), c.X.Max)
		}
	}
	end := math.Max(3*c.Read, shortestSpan)
	for i, x := range c.Series[0].X {
		if x > end && least[i] <= 3*budget {
			end = x
		}
	}
	return math.Min(end, c.X.Max)
}

// showsCrossing reports whether a mark is the crossing of basic and advanced composition, and these are there at most
// as many times the best bound as the chart shows.
func (c Chart) showsCrossing(m Mark, least []float64) bool {
	return m.Cross[1] == string(accounting.Basic) && slices.ContainsFunc(c.Series, func(s Series) bool {
		i := slices.IndexFunc(s.X, func(x float64) bool { return x >= m.X })
		return s.Name == string(accounting.Basic) && i >= 0 && s.Y[i] <= maxScaleMultiple*least[i]
	})
}

// spanOfCrossing is the multiple of the crossing of basic and advanced composition at which the axis of a count ends;
// shortestSpan is the end of the shortest such axis without a crossing.
const spanOfCrossing, shortestSpan = 3, 10

// SetsScale returns a function that reports whether a point sets the vertical scale: of rivals one that is at most five
// times the best bound at its place. Higher points may lie outside the chart, because one loose bound would
// flatten all others. In other charts every point sets the scale.
func (c Chart) SetsScale() func(series, place int) bool {
	least, ok := c.LeastBounds()
	if !c.Rivals || c.Whole || c.Y.Lower || !ok {
		return func(int, int) bool { return true }
	}
	return func(series, place int) bool {
		s := c.Series[series]
		return !s.Other && !(s.Rough && s.Name != c.Selected) && s.Y[place] <= maxScaleMultiple*least[place] &&
			!(s.Attack && s.Y[place] < least[place]/maxScaleMultiple)
	}
}
