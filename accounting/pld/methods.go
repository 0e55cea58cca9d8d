package pld

import (
	"context"
	"math"
	"slices"

	"epsiloscope/accounting/pld/exact"
	"epsiloscope/accounting/pld/spectrum"
	"epsiloscope/accounting/special"
)

// A stack in one direction comes in; an interval goes out, by the first method that makes it narrow: closed
// form, list, spectrum, cells, Rényi.

// method encloses the answers of a direction at some points.
type method func(ctx context.Context, d *direction, q query, open []unresolvedPoint) error

// methods are all of them, in the order in which they are taken.
var methods = []method{byForm, byList, byCellsFirst, bySpectrum, byCells, byRenyi}

// byForm takes what needs no composition.
func byForm(_ context.Context, d *direction, q query, open []unresolvedPoint) error {
	for _, p := range open {
		i, final := q.closedForm(d, p.at)
		d.known[p.index] = answer{i, final}
	}
	return nil
}

// byList lists every sum of losses, where they are few: then nothing but round-off is left.
func byList(ctx context.Context, d *direction, q query, open []unresolvedPoint) error {
	return d.refineUntilNarrow(ctx, q, open, func() (asked bool, err error) {
		s, ok := d.estimateStacks()
		if asked = ok && exact.CanListAll(s.Pessimistic) && exact.CanListAll(s.Optimistic); asked {
			err = d.sums(ctx, s.Refine, q, open)
		}
		for _, p := range open { // closer estimates may be too many to be listed
			d.known[p.index].final = asked && d.known[p.index].Upper < q.unknown().Upper
		}
		return asked, err
	})
}

// byCellsFirst adds up losses in cells if a spectrum would take long: of few copies of one release whose
// losses reach thousands of deviations far, as on a small sample with little noise. Nearly all of the
// mass is then next to 0, and no tilt suits both that and what is asked for. About where the answer lies
// says one release at its share of δ: for a large ε cells of one width do, for a small one they have to
// grow with the distance from 0, which is affordable for very few copies.
func byCellsFirst(ctx context.Context, d *direction, q query, open []unresolvedPoint) error {
	const far, few, veryFew, large = 5e3, 128, 16, 1
	if _, ok := q.quantity.(epsilonAt); !ok || len(q.at) > 1 {
		return nil
	}
	if d.capAtLargestLoss(q, open) || len(d.lines) != 1 || d.lines[0].count > few {
		return nil
	}
	s, ok := d.estimateStacks()
	if !ok || len(s.Pessimistic.Lines) != 1 {
		return nil
	}
	l := s.Pessimistic.Lines[0]
	_, variance := l.Loss.Moments()
	lo, hi := l.Loss.Span(1e-30)
	if !(hi-lo > far*math.Sqrt(variance*l.Count)) {
		return nil
	}
	switch _, about := invert(d.lines[0].upper, open[0].at/l.Count); {
	case about >= large:
		return d.sums(ctx, s.Refine, q, open)
	case l.Count <= veryFew:
		return d.sums(ctx, s.RefineByDistance, q, open)
	}
	return nil
}

// capAtLargestLoss reports whether a direction cannot be the worse one because another has more than
// all losses of this one together; these are then its upper end.
func (d *direction) capAtLargestLoss(q query, open []unresolvedPoint) bool {
	if _, ok := q.quantity.(epsilonAt); !ok || len(open) > 1 {
		return false
	}
	if _, possible := d.failureProbability(); possible > open[0].at || d.maxLoss() > open[0].least {
		return false
	}
	known := &d.known[open[0].index]
	known.Interval = known.meet(Interval{Upper: d.maxLoss()})
	return true
}

// bySpectrum reads off the spectrum.
func bySpectrum(ctx context.Context, d *direction, q query, open []unresolvedPoint) error {
	if d.capAtLargestLoss(q, open) {
		return nil
	}
	return d.refineUntilNarrow(ctx, q, open, func() (bool, error) { return true, d.spectral(ctx, q, open) })
}

// refineUntilNarrow asks, and if two estimates of a loss lie too far apart asks again with
// closer ones, if there are any: twice as close as they would have to be, because part of the
// width has other causes. It does so for one point only: for a curve it is too expensive, and
// without an upper end it has no use.
func (d *direction) refineUntilNarrow(ctx context.Context, q query, open []unresolvedPoint, ask func() (asked bool, err error)) error {
	for {
		if asked, err := ask(); err != nil || !asked || len(q.at) > 1 {
			return err
		}
		e, times := d.known[0].withLower(open[0].least), 2.0
		if d.known[0].final {
			times *= (e.Upper - e.Lower) / q.allowedWidth(e, q.width)
		}
		if q.narrow(e) || e.Upper == q.unknown().Upper || !d.tightenEstimates(ctx, times) || ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

// spectral reads the pessimistic estimates for the upper end, and the optimistic ones for the
// lower end. What has no spectrum has no end; where both are narrow, nothing is left to be done.
func (d *direction) spectral(ctx context.Context, q query, open []unresolvedPoint) error {
	read := func(lower bool) ([]Interval, error) {
		s, ok := d.stack(lower)
		if !ok {
			return slices.Repeat([]Interval{q.unknown()}, len(open)), nil
		}
		return q.spectrum(ctx, s, open, q.width)
	}
	upper, err := read(false)
	lower := upper
	if err == nil && d.hasBracketedLoss() {
		lower, err = read(true)
	}
	if err != nil {
		return err
	}
	for i, p := range open {
		final := q.narrow(upper[i]) && q.narrow(lower[i])
		if d.hasBracketedLoss() {
			upper[i].Lower = math.Min(lower[i].Lower, upper[i].Upper)
			upper[i].Budget.Grid = math.Max(0, upper[i].Upper-upper[i].Lower)
		}
		d.known[p.index] = answer{d.known[p.index].meet(upper[i]), final}
	}
	return nil
}

// tightenEstimates brings the estimates of every bracketed loss `times` times closer to each
// other and reports whether any loss could be narrowed.
func (d *direction) tightenEstimates(ctx context.Context, times float64) (can bool) {
	for i, l := range d.lines {
		if l.upper.finer != nil {
			d.lines[i].Loss, can = l.upper.finer(ctx, times), true
		}
	}
	return can
}

// byCells adds up losses in cells. Of a whole curve what lies between two estimates stays.
func byCells(ctx context.Context, d *direction, q query, open []unresolvedPoint) error {
	s, ok := d.estimateStacks()
	if !ok || len(q.at) > 1 && d.hasBracketedLoss() {
		return nil
	}
	return d.sums(ctx, s.Refine, q, open)
}

// sums adds up losses one by one, where they are many on ever finer cells. These do not depend
// on the points: one composition serves all of them.
func (d *direction) sums(ctx context.Context, refine func(ctx context.Context, delta, width float64, yield func(upper, lower *exact.Curve) float64) error, q query, open []unresolvedPoint) error {
	delta := 1.0
	for _, p := range open {
		delta = math.Min(delta, q.smallest(p.at, d.known[p.index].Interval))
	}
	return refine(ctx, delta, q.width, func(upper, lower *exact.Curve) float64 {
		finer := 1.0
		for _, p := range open {
			next := Interval{Upper: q.read(upper, p.at), Grid: upper.Points, Step: upper.Step}
			next.Lower = math.Min(q.read(lower, p.at), next.Upper)
			next.Budget.Grid = next.Upper - next.Lower
			before := d.known[p.index].Interval
			now := before.meet(next)
			d.known[p.index].Interval = now
			gained := before.Upper - next.Upper + next.Lower - before.Lower
			changed := now.Lower != before.Lower || now.Upper != before.Upper
			if d.hasBracketedLoss() && changed && gained < q.allowedWidth(now, q.width) {
				continue // between two estimates finer cells soon gain nothing
			}
			if e := now.withLower(p.least); !q.narrow(e) { // the error is of second order
				finer = math.Min(finer, math.Sqrt(0.4*q.allowedWidth(e.withLower(e.Upper), q.width)/(e.Upper-e.Lower)))
			}
		}
		return finer
	})
}

// byRenyi takes what is left.
func byRenyi(_ context.Context, d *direction, q query, open []unresolvedPoint) error {
	for _, p := range open {
		d.known[p.index].Interval = d.known[p.index].meet(q.renyi(d, p.at))
	}
	return nil
}

// stack returns a direction for the packages spectrum and exact, from above or from below; ok is
// false if one of its lines has another form.
func (d *direction) stack(lower bool) (s spectrum.Stack, ok bool) {
	s.Cache = d.cache
	var squares special.Adder
	for _, l := range d.lines {
		known := l.upper
		if lower {
			known = l.lower
		}
		if l.count != math.Floor(l.count) || l.count > 1e26 {
			return s, false
		}
		if known.family == "gaussian" {
			squares.Add(l.count * known.size * known.size)
			continue
		}
		one, ok := known.composable()
		if !ok {
			return s, false
		}
		s.Lines = append(s.Lines, spectrum.Line{Loss: one, Count: l.count, Key: known.key})
	}
	s.Square = squares.Sum()
	return s, true
}

// estimateStacks returns the stacks of the pessimistic and of the optimistic estimates; false if one of the
// losses cannot be composed.
func (d *direction) estimateStacks() (exact.Stack, bool) {
	up, okUp := d.stack(false)
	low, okLow := d.stack(true)
	return exact.Stack{Pessimistic: up, Optimistic: low}, okUp && okLow
}
