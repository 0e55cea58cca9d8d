package plot

import (
	"math"
	"slices"

	"epsiloscope/scenarios/report/chart"
)

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// same compares floats as chart inputs: NaN, the mark of an unset value, equals NaN.
func same(a, b float64) bool { return a == b || a != a && b != b }

// equalCharts compares everything that is drawn. It is far cheaper than drawing.
func equalCharts(a, b chart.Chart) bool {
	return a.Title == b.Title && same(a.Read, b.Read) && equalAxes(a.X, b.X) && equalAxes(a.Y, b.Y) &&
		slices.Equal(a.Notes, b.Notes) &&
		slices.EqualFunc(a.Series, b.Series, func(s, t chart.Series) bool {
			return s.Name == t.Name && s.Step == t.Step && s.Faint == t.Faint &&
				slices.EqualFunc(s.X, t.X, same) && slices.EqualFunc(s.Y, t.Y, same)
		}) &&
		slices.EqualFunc(a.Bars, b.Bars, func(s, t chart.Bar) bool {
			return s.Label == t.Label && s.Best == t.Best && same(s.Value, t.Value)
		}) &&
		slices.EqualFunc(a.Marks, b.Marks, func(s, t chart.Mark) bool {
			return s.Label == t.Label && s.Alert == t.Alert && same(s.X, t.X) && same(s.Y, t.Y)
		})
}

func equalAxes(a, b chart.Axis) bool {
	return a.Label == b.Label && a.Log == b.Log && a.Upper == b.Upper && slices.Equal(a.Names, b.Names) && same(a.Min, b.Min) && same(a.Max, b.Max)
}

// cloneChart keeps the plot's own copy, so that a caller that reuses its slices
// does not change a picture that is believed to be up to date.
func cloneChart(c chart.Chart) chart.Chart {
	c.Notes = slices.Clone(c.Notes)
	c.Bars = slices.Clone(c.Bars)
	c.Marks = slices.Clone(c.Marks)
	c.Series = slices.Clone(c.Series)
	for i := range c.Series {
		c.Series[i].X = slices.Clone(c.Series[i].X)
		c.Series[i].Y = slices.Clone(c.Series[i].Y)
	}
	return c
}
