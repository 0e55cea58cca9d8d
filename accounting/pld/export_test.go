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

// BothWays is every direction of a stack by the spectrum and multiplied out.
func BothWays(parts []Part, delta, width float64) [][2]Interval {
	a := new(Accountant)
	directions, err := a.directions(parts, true)
	if err != nil {
		return nil
	}
	var out [][2]Interval
	for _, d := range directions {
		if len(d.lines) == 0 || d.lost(line.failing) >= delta {
			continue
		}
		e, _, err := d.spectral(context.Background(), delta, width)
		if err != nil {
			return nil
		}
		one := newStanding([]direction{d})
		if err := one.multiply(context.Background(), delta, width); err != nil {
			return nil
		}
		out = append(out, [2]Interval{{Lower: e.lower, Upper: e.upper}, one.interval()})
	}
	return out
}
