// Package scale maps data to a chart's axes and chooses their ticks. The terminal
// chart and the SVG and PNG writers share it, so a reader finds the same ticks
// wherever a chart is drawn. Start with Fit.
package scale

import (
	"math"
)

// Scale maps values in [Min, Max] to [0, 1], linearly or by logarithm. Scales are
// made by New, and always have finite Min < Max, both positive if Log.
type Scale struct {
	Min, Max float64
	Log      bool
	Whole    bool     // only whole numbers mean anything: ticks stand on no others
	Names    []string // of 1, 2, 3 … where numbers say little
	Days     bool     // the names are days: one that the tick before has is not written again

	lo, span float64 // log10 of Min and of Max/Min, if Log
}

// limit keeps every difference, sum and step of axis values finite.
const limit = 1e300

// New returns a usable scale whatever it is given: non-finite ends are replaced,
// equal ones spread apart, non-positive ones of a logarithmic axis raised.
func New(lo, hi float64, log bool) Scale {
	lo, hi = clamp(lo), clamp(hi)
	if lo > hi {
		lo, hi = hi, lo
	}
	if log {
		return newLog(lo, hi)
	}
	if math.IsNaN(lo) || math.IsNaN(hi) {
		return Scale{Min: 0, Max: 1}
	}
	// On a narrower axis rounding would move what is drawn by more than a dot.
	if hi-lo <= 1e-9*math.Max(math.Abs(lo), math.Abs(hi)) || hi-lo < 1e-290 {
		pad := math.Abs(lo) / 10
		if pad < 1e-290 {
			pad = 1
		}
		lo, hi = clamp(lo-pad), clamp(hi+pad)
		if lo == hi { // at the very limit
			lo /= 2
		}
	}
	return Scale{Min: lo, Max: hi}
}

func newLog(lo, hi float64) Scale {
	switch {
	case !(hi > 0):
		lo, hi = 1, 10
	case !(lo > 0):
		lo = hi / 1e3
	}
	lo, hi = math.Max(lo, 1/limit), math.Max(hi, 1/limit)
	if hi/lo < 1+1e-6 {
		lo, hi = math.Max(lo/2, 1/limit), math.Min(hi*2, limit)
	}
	return Scale{Min: lo, Max: hi, Log: true, lo: math.Log10(lo), span: math.Log10(hi) - math.Log10(lo)}
}

func clamp(v float64) float64 { return math.Max(-limit, math.Min(limit, v)) }

// Fraction returns where v lies: 0 at Min, 1 at Max, outside that beyond them. It
// is NaN for values the axis cannot show: NaN, infinities, and non-positive
// values on a logarithmic axis.
func (s Scale) Fraction(v float64) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return math.NaN()
	}
	if s.Log {
		if v <= 0 {
			return math.NaN()
		}
		return (math.Log10(v) - s.lo) / s.span
	}
	// Halved, so that a span from -1e300 to 1e300 and values beyond do not overflow.
	return (v/2 - s.Min/2) / (s.Max/2 - s.Min/2)
}

// Value returns the inverse of Fraction.
func (s Scale) Value(t float64) float64 {
	if s.Log {
		return math.Pow(10, s.lo+t*s.span)
	}
	return 2 * (s.Min/2 + t*(s.Max/2-s.Min/2))
}

// Window returns the part of the scale between two fractions of it, for zooming.
func (s Scale) Window(from, to float64) Scale {
	w := New(s.Value(from), s.Value(to), s.Log)
	w.Whole, w.Names, w.Days = s.Whole, s.Names, s.Days
	return w
}

// Nice widens a linear scale to the ticks around it and a logarithmic one to the
// next 1, 2 or 5, so that no curve touches the frame.
func (s Scale) Nice(ticks int) Scale {
	if s.Log {
		return newLog(niceDown(s.Min), niceUp(s.Max))
	}
	step := roundStep(s.Max-s.Min, ticks)
	lo, hi := math.Floor(s.Min/step+1e-10)*step, math.Ceil(s.Max/step-1e-10)*step
	if math.IsNaN(lo) || math.IsNaN(hi) || math.IsInf(lo, 0) || math.IsInf(hi, 0) {
		return s
	}
	return New(lo, hi, false)
}

func niceDown(v float64) float64 {
	decade := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{5, 2, 1} {
		if m*decade <= v*(1+1e-9) {
			return m * decade
		}
	}
	return decade
}

// niceUp returns the smallest of 1, 2, 5 times a power of ten that is not below v.
func niceUp(v float64) float64 {
	decade := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{1, 2, 5} {
		if m*decade >= v*(1-1e-9) {
			return m * decade
		}
	}
	return 10 * decade
}
