package pld

import (
	"context"
	"math"

	"epsiloscope/accounting/pld/exact"
	"epsiloscope/accounting/pld/loss"
	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/accounting/pld/spectrum"
	"epsiloscope/accounting/special"
)

// Computed counts the values of characteristic functions that had to be computed so far.
func (a *Accountant) Computed() int64 { return a.cache.Count() }

// Bytes returns about how much memory the vectors take that are kept.
func (a *Accountant) Bytes() int { return a.cache.Bytes() }

// Kept counts the intervals that are kept.
func (a *Accountant) Kept() int { return len(a.answers) }

// Exactly returns ε by adding up losses one by one, which shares only the pairs with the accountant's own
// methods; ok is false if that is too much work.
func Exactly(parts []pairs.Part, delta, width float64) (i Interval, ok bool) {
	directions, err := directionsOf(context.Background(), parts)
	if err != nil {
		return i, false
	}
	for _, d := range directions {
		one, ok := d.exactly(delta, width)
		if !ok {
			return i, false
		}
		i.Lower, i.Upper = math.Max(i.Lower, one.Lower), math.Max(i.Upper, one.Upper)
	}
	return i, i.Upper < 1e300
}

// exactly returns ε of one direction by lists of sums, in finer and finer cells.
func (d *direction) exactly(delta, width float64) (i Interval, ok bool) {
	above, okAbove := d.linesToList(false)
	below, okBelow := d.linesToList(true)
	if !okAbove || !okBelow {
		return i, false
	}
	i.Upper = math.Inf(1)
	for fineness := 32.0; fineness <= 512 && i.Upper > i.Lower*(1+width); fineness *= 2 {
		losses, masses, top, ok := exact.Pessimistic(above, fineness)
		if !ok {
			break
		}
		i.Upper = math.Min(i.Upper, invertList(losses, masses, top, delta, true))
		if losses, masses, top, ok = exact.Optimistic(below, fineness); ok {
			i.Lower = math.Max(i.Lower, invertList(losses, masses, top, delta, false))
		}
	}
	return i, true
}

// linesToList returns the lines of a direction with its Gaussians as one; ok is false if they are too many.
func (d *direction) linesToList(lower bool) (lines []spectrum.Line, ok bool) {
	s, ok := d.stack(func(l pairs.Line) *pairs.Estimate {
		if lower {
			return l.Lower()
		}
		return l.Upper()
	})
	if lines = s.Lines; s.Square > 0 {
		lines = append(lines, spectrum.Line{Loss: loss.Gaussian(math.Sqrt(s.Square)), Count: 1})
	}
	releases := 0.0
	for _, l := range lines {
		releases += l.Count
	}
	return lines, ok && releases <= 4096
}

// listDelta returns δ(ε) of a list of losses with the mass top at +∞.
func listDelta(losses, masses []float64, top, epsilon float64) float64 {
	sum := top
	for i, x := range losses {
		if x > epsilon {
			sum -= masses[i] * math.Expm1(epsilon-x)
		}
	}
	return sum
}

// invertList returns the smallest ε ≥ 0 with δ(ε) ≤ delta of a list, rounded up (upper) or down; +Inf if the mass at +∞
// is more, of which nothing is certain from below.
func invertList(losses, masses []float64, top, delta float64, upper bool) float64 {
	side := -1e-12
	if upper {
		side = 1e-12
	}
	above := func(epsilon float64) bool { return listDelta(losses, masses, top, epsilon)*(1+side) > delta }
	switch {
	case top*(1+side) > delta:
		return math.Inf(1)
	case len(losses) == 0 || !above(0):
		return 0
	}
	most := math.Max(0, losses[len(losses)-1])
	lo, hi := special.Bisect(0, most*(1+1e-12), 1e-15*most, above)
	if upper {
		return hi
	}
	return lo
}

// BothWays returns every direction of a stack by the spectrum and one by one.
func BothWays(parts []pairs.Part, delta, width float64) [][2]Interval {
	q := query{quantity: epsilonAt{}, at: []float64{delta}, width: width, noForm: true}
	stack, err := enclose(context.Background(), parts, q)
	if err != nil {
		return nil
	}
	var out [][2]Interval
	for _, d := range stack {
		if certain, _ := d.failureProbability(); len(d.lines) == 0 || certain >= delta {
			continue
		}
		d.known = []answer{{Interval: q.unknown()}}
		if err := (directions{d}).ask(context.Background(), q, bySpectrum); err != nil {
			return nil
		}
		if one, ok := d.exactly(delta, width); ok {
			out = append(out, [2]Interval{d.known[0].Interval, one})
		}
	}
	return out
}

// width returns the width of an interval relative to its upper end.
func (i Interval) width() float64 {
	if i.Upper == i.Lower {
		return 0
	}
	return (i.Upper - i.Lower) / i.Upper
}
