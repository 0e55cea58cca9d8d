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
func (d *direction) stack(lower bool) (s spectrum.Stack, ok bool) {
	s.Cache = d.cache
	for _, l := range d.lines {
		law := l.upper
		if lower {
			law = l.lower
		}
		if l.count != math.Floor(l.count) || l.count > 1e26 {
			return s, false
		}
		if law.family == "gaussian" {
			s.Square += l.count * law.size * law.size
			continue
		}
		one, ok := law.composable()
		if !ok {
			return s, false
		}
		s.Lines = append(s.Lines, spectrum.Line{Loss: one, Count: l.count, Key: law.key})
	}
	return s, true
}

// both are the estimates of a direction.
func (d *direction) both() (exact.Stack, bool) {
	up, okUp := d.stack(false)
	low, okLow := d.stack(true)
	return exact.Stack{Pessimistic: up, Optimistic: low}, okUp && okLow
}

// spectral encloses ε of one direction by the spectrum of its losses; done says that both
// estimates are as narrow as was asked for, so that nothing is left to be done. What has no
// spectrum has no end.
func (d *direction) spectral(ctx context.Context, delta, width float64) (done bool, err error) {
	e := unknown
	up, done := d.stack(false)
	if done {
		i, err := up.Epsilon(ctx, delta, width)
		if err != nil {
			return false, err
		}
		per := 1 / math.Max(i.Theta, 1e-300) // −dε/d ln δ, about
		e = Interval{
			Lower: i.Lower, Upper: i.Upper, Grid: i.Frequencies, Step: i.Smoothing, Tilt: i.Theta, Window: i.Window,
			Budget: ErrorBudget{
				Grid: per * (i.Errors.Smoothing + i.Errors.Bandwidth), Tail: per * i.Errors.Truncation,
				Wrap: per * i.Errors.Aliasing, Roundoff: per * i.Errors.Roundoff,
			},
		}
		done = i.Narrow(width)
	}
	if d.bracketed() {
		e.Lower = 0
		low, ok := d.stack(true)
		if ok {
			i, err := low.Epsilon(ctx, delta, width)
			if err != nil {
				return false, err
			}
			e.Lower, ok = math.Min(i.Lower, e.Upper), i.Narrow(width)
			e.Budget.Grid = math.Max(0, e.Upper-e.Lower)
		}
		done = done && ok
	}
	d.known = d.known.meet(e)
	return done, nil
}

// short reports whether every sum of a direction's losses can be listed: then nothing but
// round-off is left.
func (d *direction) short() bool {
	s, ok := d.both()
	return ok && exact.Short(s.Pessimistic) && exact.Short(s.Optimistic)
}

// exactly encloses ε of one direction by adding up its losses one by one, on ever finer
// cells, until its upper end is near its lower end or the given one, that of the stack.
func (d *direction) exactly(ctx context.Context, delta, want, least float64) error {
	s, ok := d.both()
	if !ok {
		return nil
	}
	return s.Refine(ctx, delta, want, func(upper, lower *exact.Curve) float64 {
		next := Interval{Upper: upper.Epsilon(delta), Grid: upper.Points, Step: upper.Step}
		next.Lower = math.Min(lower.Epsilon(delta), next.Upper)
		next.Budget.Grid = next.Upper - next.Lower
		before := d.known
		d.known = before.meet(next)
		e := d.known
		gained := before.Upper - next.Upper + next.Lower - before.Lower
		changed := e.Lower != before.Lower || e.Upper != before.Upper
		// Between two estimates of a pair finer cells soon gain nothing.
		if e.near(least, want) || d.bracketed() && changed && gained < want*e.Upper {
			return 1
		}
		// The error is of second order.
		return math.Sqrt(0.4 * want * e.Upper / (e.Upper - math.Max(e.Lower, least)))
	})
}
