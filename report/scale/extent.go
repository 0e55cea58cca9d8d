package scale

import (
	"iter"
	"math"
	"slices"

	"epsiloscope/report/chart"
)

// Finite reports whether a number is neither NaN nor infinite.
func Finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// shows reports whether an axis can show a value.
func shows(a chart.Axis, v float64) bool { return Finite(v) && (!a.Log || v > 0) }

// points returns all points of the curves.
func points(c chart.Chart) iter.Seq2[float64, float64] {
	return func(yield func(x, y float64) bool) {
		for _, s := range c.Series {
			for i := range min(len(s.X), len(s.Y)) {
				if !yield(s.X[i], s.Y[i]) {
					return
				}
			}
		}
	}
}

// HasPoints reports whether a chart has a point that its axes can show.
func HasPoints(c chart.Chart) bool {
	for x, y := range points(c) {
		if shows(c.X, x) && shows(c.Y, y) {
			return true
		}
	}
	return false
}

// dropUnusableEnds removes the ends of an axis that is left at its zero value, and
// non-positive ends of a logarithmic one.
func dropUnusableEnds(a chart.Axis) chart.Axis {
	if a.Min == a.Max {
		a.Min, a.Max = math.NaN(), math.NaN()
	}
	if a.Log && a.Min <= 0 {
		a.Min = math.NaN()
	}
	if a.Log && a.Max <= 0 {
		a.Max = math.NaN()
	}
	return a
}

// ends returns the ends of an axis: those it states, else those of the values. A mark may widen
// it only so far: a budget a hundred times above the curves must not flatten them.
func ends(a chart.Axis, values, marks []float64) (lo, hi float64) {
	hidden := func(v float64) bool { return !shows(a, v) }
	values, marks = slices.DeleteFunc(values, hidden), slices.DeleteFunc(marks, hidden)
	if len(values) == 0 {
		values = marks
	}
	switch {
	case len(values) > 0:
		lo, hi = slices.Min(values), slices.Max(values)
	case a.Log:
		lo, hi = 1, 10
	default:
		lo, hi = 0, 1
	}
	base := New(lo, hi, a.Log)
	for _, v := range marks {
		if t := base.Fraction(v); t >= -1 && t <= 2 {
			lo, hi = math.Min(lo, v), math.Max(hi, v)
		}
	}
	if Finite(a.Min) {
		lo = a.Min
	}
	if Finite(a.Max) {
		hi = a.Max
	}
	if lo > hi { // a fixed end beyond all data
		if Finite(a.Min) {
			hi = lo
		} else {
			lo = hi
		}
	}
	return lo, hi
}

// BarFraction returns the part of a bar that a value fills: all of it if infinite, nothing for
// NaN and for values that a logarithmic axis cannot show.
func (s Scale) BarFraction(v float64) float64 {
	if math.IsInf(v, 1) {
		return 1
	}
	t := s.Fraction(v)
	if math.IsNaN(t) {
		return 0
	}
	return ClampToAxis(t)
}
