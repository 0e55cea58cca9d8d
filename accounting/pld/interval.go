package pld

import "math"

// width is relative to the upper end.
func (i Interval) width() float64 {
	if i.Upper == i.Lower {
		return 0
	}
	return (i.Upper - i.Lower) / i.Upper
}

// meet keeps the better of both ends: every certified interval holds. Two that
// contradict each other by more than rounding cannot both be right, and it is not known
// which is wrong: then only what both allow for is kept, the ends furthest out. What is not a
// number says nothing.
func (i Interval) meet(j Interval) Interval {
	if math.IsNaN(j.Lower) || math.IsNaN(j.Upper) {
		return i
	}
	lower, upper := math.Max(i.Lower, j.Lower), math.Min(i.Upper, j.Upper)
	switch {
	case lower > upper*(1+1e-9)+1e-12:
		lower, upper = math.Min(i.Lower, j.Lower), math.Max(i.Upper, j.Upper)
	case lower > upper:
		upper = lower
	}
	if i.Upper <= j.Upper {
		j = i
	}
	j.Lower, j.Upper = lower, upper
	return j
}

// above is an interval of which a lower end is known from elsewhere.
func (i Interval) above(least float64) Interval {
	i.Lower = math.Min(i.Upper, math.Max(i.Lower, least))
	return i
}
