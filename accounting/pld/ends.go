package pld

import "math"

// ends is what is known of ε in one direction: a certified pair of ends, and where their
// distance comes from.
type ends struct {
	lower, upper float64
	length       int     // frequencies, or sums listed
	step         float64 // the smoothing, or the width of the cells
	tilt, window float64 // of the Fourier sum; 0 for a list
	budget       ErrorBudget
}

// meet keeps the better of both ends of a direction; where they come from is told of the
// upper one.
func (e ends) meet(f ends) ends {
	if e.upper < f.upper {
		e.lower = math.Max(e.lower, f.lower)
		return e
	}
	f.lower = math.Max(e.lower, f.lower)
	return f
}

// near reports whether the upper end is within the width asked for of a lower one.
func (e ends) near(least, want float64) bool {
	return Interval{Lower: math.Min(e.upper, math.Max(e.lower, least)), Upper: e.upper}.narrow(want)
}
