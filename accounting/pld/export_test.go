package pld

import "context"

// Multiplied is what multiplying out alone gives; ok is false where it gives nothing.
func Multiplied(parts []Part, delta, width float64) (i Interval, ok bool) {
	directions, err := new(Accountant).directions(parts, true)
	if err != nil {
		return i, false
	}
	known := newStanding(directions)
	if err := known.multiply(context.Background(), delta, width); err != nil {
		return i, false
	}
	i = known.interval()
	return i, i.Upper < 1e300
}
