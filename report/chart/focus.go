package chart

import "math"

// maxScaleMultiple is the largest multiple of the best bound at which a point still sets the vertical scale. maxGrowth is
// the multiple of the budget, or of its own first value, at which the best bound ends the horizontal axis.
const maxScaleMultiple, maxGrowth = 5.0, 10.0

// focusOf returns where the horizontal axis of a chart of rivals ends: where the best bound is ten
// times the budget (or its own value at the left end, if that is more), but not before ten times the
// present value and twice the last crossing; 0 if no bound is finite.
func focusOf(c Chart, budget float64) float64 {
	least, ok := c.LeastBounds()
	if !ok {
		return 0
	}
	xs, counts := c.Series[0].X, budget
	for _, y := range least {
		if !math.IsInf(y, 1) {
			counts = math.Max(counts, y)
			break
		}
	}
	keep := maxGrowth * c.Read
	for _, m := range c.Marks {
		if m.Cross[0] != "" {
			keep = math.Max(keep, 2*m.X)
		}
	}
	last := len(xs) - 1
	for last > 1 && xs[last-1] >= keep && !(least[last-1] <= maxGrowth*counts) {
		last--
	}
	return math.Min(xs[last], c.X.Max)
}

// SetsScale returns a function that reports whether a point sets the vertical scale: it is at most five
// times the best bound at its place. Higher points may lie outside the chart, because one loose bound would
// flatten all others. In a chart without focus every point sets the scale.
func (c Chart) SetsScale() func(series, place int) bool {
	least, ok := c.LeastBounds()
	if c.Focus == 0 || !ok {
		return func(int, int) bool { return true }
	}
	return func(series, place int) bool {
		s := c.Series[series]
		return s.Y[place] <= maxScaleMultiple*least[place] && !(s.Attack && s.Y[place] < least[place]/maxScaleMultiple)
	}
}
