package pld

import (
	"context"
	"math"

	"epsiloscope/accounting/pld/exact"
	"epsiloscope/accounting/pld/spectrum"
)

// A direction handed to the two ways to compose: packages spectrum and exact.

// stack is a direction for the spectrum, from above or from below; ok is false if one of
// its lines has another form.
func (d direction) stack(lower bool) (s spectrum.Stack, ok bool) {
	s.Cache = d.cache
	for _, l := range d.lines {
		face := l.upper
		if lower {
			face = l.lower
		}
		if l.count != math.Floor(l.count) || l.count > 1e26 {
			return s, false
		}
		if face.family == "gaussian" {
			s.Square += l.count * face.size * face.size
			continue
		}
		one, ok := face.composable()
		if !ok {
			return s, false
		}
		s.Lines = append(s.Lines, spectrum.Line{Loss: one, Count: l.count, Key: face.key})
	}
	return s, true
}

// spectral encloses ε of one direction by the spectrum of its losses; done says that both
// faces are as narrow as was asked for, so that nothing is left to be done. A direction
// without a spectrum has vacuous ends.
func (d direction) spectral(ctx context.Context, delta, width float64) (e Interval, done bool, err error) {
	e.Upper = math.Inf(1)
	up, ok := d.stack(false)
	if !ok {
		return e, false, nil
	}
	i, err := up.Epsilon(ctx, delta, width)
	if err != nil {
		return e, false, err
	}
	per := 1 / math.Max(i.Theta, 1e-300) // −dε/d ln δ, about
	e = Interval{
		Lower: i.Lower, Upper: i.Upper, Grid: i.Frequencies, Step: i.Smoothing, Tilt: i.Theta, Window: i.Window,
		Budget: ErrorBudget{
			Grid: per * (i.Errors.Smoothing + i.Errors.Bandwidth), Tail: per * i.Errors.Truncation,
			Wrap: per * i.Errors.Aliasing, Roundoff: per * (i.Errors.Quadrature + i.Errors.Roundoff),
		},
	}
	done = i.Narrow(width)
	if d.bracketed() {
		low, ok := d.stack(true)
		if !ok {
			e.Lower = 0
			return e, false, nil
		}
		i, err = low.Epsilon(ctx, delta, width)
		e.Lower = math.Min(i.Lower, e.Upper)
		done = done && i.Narrow(width)
		e.Budget.Grid = math.Max(0, e.Upper-e.Lower)
	}
	return e, done, err
}

// short reports whether every sum of a direction's losses can be listed.
func (d direction) short() bool {
	up, okUp := d.stack(false)
	low, okLow := d.stack(true)
	return okUp && okLow && exact.Short(up) && exact.Short(low)
}

// listed encloses ε of a direction that is short: nothing but round-off is left.
func (d direction) listed(ctx context.Context, delta, width float64) (Interval, bool, error) {
	e, err := d.exactly(ctx, delta, width, 0, Interval{Upper: math.Inf(1)})
	return e, e.Upper < math.Inf(1), err
}

// exactly encloses ε of one direction by adding up its losses one by one, on ever finer
// cells, until its upper end is near its lower end or the given one, that of the stack.
func (d direction) exactly(ctx context.Context, delta, want, least float64, e Interval) (Interval, error) {
	up, okUp := d.stack(false)
	low, okLow := d.stack(true)
	if !okUp || !okLow {
		return e, nil
	}
	err := exact.Stack{Pessimistic: up, Optimistic: low}.Refine(ctx, delta, want, func(upper, lower *exact.Curve) float64 {
		next := Interval{Upper: upper.Epsilon(delta), Grid: upper.Points, Step: upper.Step}
		next.Lower = math.Min(lower.Epsilon(delta), next.Upper)
		next.Budget.Grid = next.Upper - next.Lower
		gained := e.Upper - next.Upper + next.Lower - e.Lower
		before := e
		e = e.meet(next)
		changed := e.Lower != before.Lower || e.Upper != before.Upper
		// Between two estimates of a pair finer cells soon gain nothing.
		if e.near(least, want) || d.bracketed() && changed && gained < want*e.Upper {
			return 1
		}
		// The error is of second order.
		return math.Sqrt(0.4 * want * e.Upper / (e.Upper - math.Max(e.Lower, least)))
	})
	return e, err
}

// spectralBand is the curve of one direction by the spectrum of its losses, closed where
// it can be, and bounded by Rényi divergences where nothing better is at hand.
func (d direction) spectralBand(ctx context.Context, epsilons []float64, opt Options) (band, error) {
	out := newBand(len(epsilons))
	var open []float64
	var at []int
	for i, e := range epsilons {
		if l, u, ok := d.formAt(e, opt.NoForm); ok {
			out.put(i, l, u)
			continue
		}
		open, at = append(open, e), append(at, i)
	}
	for _, below := range []bool{false, true} {
		if below && !d.bracketed() {
			break
		}
		s, ok := d.stack(below)
		if !ok {
			continue
		}
		lower, upper, err := s.Deltas(ctx, open, opt.Width)
		if err != nil {
			return out, err
		}
		for j, i := range at {
			switch {
			case !d.bracketed():
				out.put(i, lower[j], upper[j])
			case below:
				out.put(i, lower[j], 1)
			default:
				out.put(i, 0, upper[j])
			}
		}
	}
	for _, i := range at {
		if blunt(out.lower[i], out.upper[i], opt.Width) {
			l, u := d.profileBound(epsilons[i])
			out.put(i, l, u)
		}
	}
	return out, nil
}
