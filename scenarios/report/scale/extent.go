package scale

import (
	"math"

	"epsiloscope/scenarios/report/chart"
)

// extent is how far the data of an axis reach.
type extent struct {
	lo, hi float64
	count  int
	log    bool
	hints  []float64
}

// fixed drops ends that cannot be meant: an axis left at its zero value, and
// non-positive ends of a logarithmic one.
func fixed(a chart.Axis) chart.Axis {
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

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// HasPoints reports whether a chart has a point that its axes can show.
func HasPoints(c chart.Chart) bool {
	for _, s := range c.Series {
		for i := range min(len(s.X), len(s.Y)) {
			if finite(s.X[i]) && finite(s.Y[i]) && (!c.X.Log || s.X[i] > 0) && (!c.Y.Log || s.Y[i] > 0) {
				return true
			}
		}
	}
	return false
}

func (e *extent) add(v float64) {
	if !finite(v) || e.log && v <= 0 {
		return
	}
	if e.count == 0 {
		e.lo, e.hi = v, v
	}
	e.lo, e.hi = math.Min(e.lo, v), math.Max(e.hi, v)
	e.count++
}

func (e *extent) addHeights(c chart.Chart) {
	for _, s := range c.Series {
		for _, v := range s.Y {
			e.add(v)
		}
	}
}

func (e *extent) suggestHeights(c chart.Chart) {
	for _, m := range c.Marks {
		e.suggest(m.Y)
	}
}

// suggest asks for a mark to be shown. A mark may widen the axis only so far: a
// budget a hundred times above the curves must not flatten them.
func (e *extent) suggest(v float64) {
	if finite(v) && (!e.log || v > 0) {
		e.hints = append(e.hints, v)
	}
}

func (e *extent) ends(a chart.Axis) (lo, hi float64) {
	if e.count == 0 {
		for _, v := range e.hints {
			e.add(v)
		}
	}
	lo, hi = e.lo, e.hi
	if e.count == 0 {
		lo, hi = 0, 1
		if e.log {
			lo, hi = 1, 10
		}
	}
	base := New(lo, hi, e.log)
	for _, v := range e.hints {
		if t := base.Fraction(v); t >= -1 && t <= 2 {
			lo, hi = math.Min(lo, v), math.Max(hi, v)
		}
	}
	if finite(a.Min) {
		lo = a.Min
	}
	if finite(a.Max) {
		hi = a.Max
	}
	if lo > hi { // a fixed end beyond all data
		if finite(a.Min) {
			hi = lo
		} else {
			lo = hi
		}
	}
	return lo, hi
}
