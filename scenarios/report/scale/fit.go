package scale

import (
	"math"

	"epsiloscope/scenarios/report/chart"
)

// Fit returns the scales of a chart: the axis's own ends where it sets them, the
// data's where it does not. Curves fill the width; the height gets nice ends.
func Fit(c chart.Chart) (x, y Scale) {
	x = FitX(c)
	return x, FitY(c, x)
}

// FitX returns the horizontal scale.
func FitX(c chart.Chart) Scale {
	c.X = fixed(c.X)
	e := extent{log: c.X.Log}
	whole := true
	for _, s := range c.Series {
		n := min(len(s.X), len(s.Y))
		for i := range n {
			if finite(s.Y[i]) && (!c.Y.Log || s.Y[i] > 0) {
				e.add(s.X[i])
				whole = whole && (s.X[i] == math.Trunc(s.X[i]) || !finite(s.X[i]))
			}
		}
	}
	if !c.X.Log {
		for _, s := range c.Series {
			if n := len(s.X); s.Step && monotone(s) && n > 1 { // the last value holds a while, too
				held := s.X[n-1] + lastHalf(s)
				e.add(held)
				if c.X.Max == s.X[n-1] && finite(held) {
					c.X.Max = held
				}
			}
		}
	}
	for _, m := range c.Marks {
		e.suggest(m.X)
	}
	lo, hi := e.ends(c.X)
	x := New(lo, hi, c.X.Log)
	x.Whole, x.Since, x.Names = whole && e.count > 0, c.X.Since, c.X.Names
	return x
}

// lastHalf is half the distance between the last two points.
func lastHalf(s chart.Series) float64 {
	n := len(s.X)
	return math.Abs(s.X[n-1]-s.X[n-2]) / 2
}

// FitY returns the vertical scale for the data that the horizontal scale shows.
func FitY(c chart.Chart, x Scale) Scale {
	c.Y = fixed(c.Y)
	e := extent{log: c.Y.Log}
	from, to := x.Value(-edge), x.Value(1+edge)
	for _, s := range c.Series {
		for i := range min(len(s.X), len(s.Y)) {
			if s.X[i] >= from && s.X[i] <= to {
				e.add(s.Y[i])
			}
		}
	}
	if e.count == 0 { // zoomed in between two points
		e.addHeights(c)
	}
	e.suggestHeights(c)
	lo, hi := e.ends(c.Y)
	if !c.Y.Log && lo > 0 && lo < hi/2 && !finite(c.Y.Min) {
		lo = 0 // amounts that are not all alike read best from zero
	}
	s := New(lo, hi, c.Y.Log)
	nice := s.Nice(6)
	if finite(c.Y.Min) && s.Min == c.Y.Min {
		nice.Min = s.Min
	}
	if finite(c.Y.Max) && s.Max == c.Y.Max {
		nice.Max = s.Max
	}
	return New(nice.Min, nice.Max, c.Y.Log)
}

// FitBars returns the scale of the bars' values; linear ones start at zero, because
// a bar's length is its message.
func FitBars(c chart.Chart) Scale {
	c.Y = fixed(c.Y)
	e := extent{log: c.Y.Log}
	for _, b := range c.Bars {
		e.add(b.Value)
	}
	e.addHeights(c)
	e.suggestHeights(c)
	lo, hi := e.ends(c.Y)
	switch {
	case c.Y.Log && !finite(c.Y.Min):
		lo /= 2 // the shortest bar must still be seen
	case !c.Y.Log:
		lo = math.Min(0, lo)
		hi = math.Max(0, hi)
	}
	return New(lo, hi, c.Y.Log)
}

// Filled is the part of a bar that a value fills: all of it when infinite, nothing for NaN and
// for what a logarithmic axis cannot show.
func (s Scale) Filled(v float64) float64 {
	if math.IsInf(v, 1) {
		return 1
	}
	t := s.Fraction(v)
	if math.IsNaN(t) {
		return 0
	}
	return unit(t)
}
