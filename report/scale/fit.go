package scale

import (
	"math"
	"slices"

	"epsiloscope/report/chart"
)

// Fit returns the scales of a chart: the axis's own ends where it sets them, the
// data's where it does not. Curves fill the width; the height gets nice ends.
func Fit(c chart.Chart) (x, y Scale) {
	x = FitX(c)
	return x, FitY(c, x)
}

// FitX returns the horizontal scale.
func FitX(c chart.Chart) Scale {
	if c.X = dropUnusableEnds(c.X); c.Focus > 0 {
		c.X.Max = c.Focus
	}
	xs := make([]float64, 0, countPoints(c))
	for x, y := range points(c) {
		if shows(c.Y, y) {
			xs = append(xs, x)
		}
	}
	whole := slices.ContainsFunc(xs, func(x float64) bool { return shows(c.X, x) }) &&
		!slices.ContainsFunc(xs, func(x float64) bool { return Finite(x) && x != math.Trunc(x) })
	for _, s := range c.Series {
		if n := len(s.X); !c.X.Log && s.Step && monotone(s) && n > 1 { // the last step is drawn with a width too
			held := s.X[n-1] + lastHalf(s)
			xs = append(xs, held)
			if c.X.Max == s.X[n-1] && Finite(held) {
				c.X.Max = held
			}
		}
	}
	var marks []float64
	for _, m := range c.Marks {
		marks = append(marks, m.X)
	}
	lo, hi := ends(c.X, xs, marks)
	x := New(lo, hi, c.X.Log)
	x.Whole, x.Names, x.Days = whole, c.X.Names, c.X.Days
	return x
}

// countPoints counts the points of a chart's series, with room for a few more.
func countPoints(c chart.Chart) int {
	n := 2 * len(c.Series)
	for _, s := range c.Series {
		n += len(s.X)
	}
	return n
}

// lastHalf returns half the distance between the last two points.
func lastHalf(s chart.Series) float64 {
	n := len(s.X)
	return math.Abs(s.X[n-1]-s.X[n-2]) / 2
}

// FitY returns the vertical scale for the data that the horizontal scale shows.
func FitY(c chart.Chart, x Scale) Scale {
	s := FitYClosely(c, x)
	nice, y := s.Nice(6), dropUnusableEnds(c.Y)
	if Finite(y.Min) && s.Min == y.Min {
		nice.Min = s.Min
	}
	if Finite(y.Max) && s.Max == y.Max {
		nice.Max = s.Max
	}
	return New(nice.Min, nice.Max, y.Log)
}

// FitYClosely returns the vertical scale that ends at the highest point which [FitY] shows, not at a round number.
func FitYClosely(c chart.Chart, x Scale) Scale {
	from, to := x.Value(-edge), x.Value(1+edge)
	near := make([]float64, 0, countPoints(c))
	decides := c.SetsScale()
	for i, s := range c.Series {
		for k := range min(len(s.X), len(s.Y)) {
			if s.X[k] >= from && s.X[k] <= to && decides(i, k) {
				near = append(near, s.Y[k])
			} else if c.Rivals && k > 0 && s.X[k-1] <= to && s.X[k] > to && decides(i, k-1) && decides(i, k) &&
				!s.Step {
				// where it leaves the picture
				near = append(near, s.Y[k-1]+(to-s.X[k-1])/(s.X[k]-s.X[k-1])*(s.Y[k]-s.Y[k-1]))
			}
		}
	}
	if !slices.ContainsFunc(near, func(y float64) bool { return shows(c.Y, y) }) { // zoomed in between two points
		near = heights(c)
	}
	c.Y = dropUnusableEnds(c.Y)
	lo, hi := ends(c.Y, near, markHeights(c))
	if !c.Y.Log && lo > 0 && lo < hi/2 && !Finite(c.Y.Min) {
		lo = 0 // amounts that are not all alike read best from zero
	}
	return New(lo, hi, c.Y.Log)
}

// FitBars returns the scale of the bars' values; linear ones start at zero, because
// a bar's length is its message.
func FitBars(c chart.Chart) Scale {
	c.Y = dropUnusableEnds(c.Y)
	values := heights(c)
	for _, b := range c.Bars {
		values = append(values, b.Value)
	}
	lo, hi := ends(c.Y, values, markHeights(c))
	switch {
	case c.Y.Log && !Finite(c.Y.Min):
		lo /= 2 // the shortest bar must still be seen
	case !c.Y.Log:
		lo = math.Min(0, lo)
		hi = math.Max(0, hi)
	}
	return New(lo, hi, c.Y.Log)
}

func heights(c chart.Chart) (ys []float64) {
	for _, s := range c.Series {
		ys = append(ys, s.Y...)
	}
	return ys
}

func markHeights(c chart.Chart) (ys []float64) {
	for _, m := range c.Marks {
		ys = append(ys, m.Y)
	}
	return ys
}
