package pld

import (
	"context"
	"math"
	"slices"

	"epsiloscope/accounting/pld/exact"
	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/accounting/pld/spectrum"
	"epsiloscope/accounting/special"
)

// method encloses the answers of a direction at some points.
type method func(ctx context.Context, d *direction, q query, open []unresolvedPoint) error

// methods are all of them, in the order in which they are taken.
var methods = []method{byForm, bySums, bySpectrum, byRenyi}

// byForm takes what needs no composition.
func byForm(_ context.Context, d *direction, q query, open []unresolvedPoint) error {
	for _, p := range open {
		i, final := q.closedForm(d, p.at)
		d.known[p.index] = answer{i, final}
	}
	return nil
}

// FormSums is the [Interval.Form] of an answer read off a list of all sums of losses.
const FormSums = "every sum of losses"

// bySums lists every sum of losses, if the query asks for that and they are few. It knows ε only.
func bySums(_ context.Context, d *direction, q query, open []unresolvedPoint) error {
	if _, ok := q.quantity.(epsilonAt); !ok || !q.sums || d.hasBracketedLoss() {
		return nil
	}
	s, ok := d.stack(func(l pairs.Line) *pairs.Estimate { return l.Upper() })
	if !ok || s.Square > 0 {
		return nil
	}
	list, ok := exact.List(s.Lines)
	if !ok {
		return nil
	}
	for _, p := range open {
		i := Interval{Form: FormSums}
		i.Lower, i.Upper = list.Epsilon(p.at)
		i.Budget.Roundoff = i.Upper - i.Lower
		met, err := i.meet(d.known[p.index].Interval, q.nothing())
		if err != nil {
			return err
		}
		d.known[p.index] = answer{met, !math.IsInf(met.Upper, 1)}
	}
	return nil
}

// capAtLargestLoss reports whether a direction cannot be the worse one because another has more than
// all losses of this one together; these are then its upper end.
func (d *direction) capAtLargestLoss(q query, open []unresolvedPoint) (capped bool, err error) {
	if _, ok := q.quantity.(epsilonAt); !ok || len(open) > 1 {
		return false, nil
	}
	if _, possible := d.failureProbability(); possible > open[0].at || d.maxLoss() > open[0].least {
		return false, nil
	}
	known := &d.known[open[0].index]
	known.Interval, err = known.meet(Interval{Upper: d.maxLoss()}, q.nothing())
	return true, err
}

// bySpectrum reads off the spectrum. If two estimates of a loss lie too far apart, it asks again with closer
// ones, if there are any: twice as close as they would have to be, because part of the width has other
// causes. It does so for one point only: for a curve it is too expensive, and without an upper end it has no use.
func bySpectrum(ctx context.Context, d *direction, q query, open []unresolvedPoint) error {
	if capped, err := d.capAtLargestLoss(q, open); capped || err != nil {
		return err
	}
	for {
		if err := d.spectral(ctx, q, open); err != nil || len(q.at) > 1 {
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
	read := func(open []unresolvedPoint, estimate func(pairs.Line) *pairs.Estimate) ([]Interval, error) {
		s, ok := d.stack(estimate)
		if !ok {
			return slices.Repeat([]Interval{q.unknown()}, len(open)), nil
		}
		return q.spectrum(ctx, s, open, q.width)
	}
	upper, err := read(open, func(l pairs.Line) *pairs.Estimate { return l.Upper() })
	lower := upper
	for n := 0; err == nil && d.hasBracketedLoss() && n < d.attacks(); n++ {
		var other []Interval
		better := slices.Clone(open) // where an attack has to reach more than those before it
		for i := range better {
			if n > 0 {
				better[i].least = math.Max(better[i].least, lower[i].Lower)
			}
		}
		if other, err = read(better, func(l pairs.Line) *pairs.Estimate {
			all := l.Lower().Attacks()
			return all[min(n, len(all)-1)]
		}); err != nil {
			break
		}
		if n == 0 {
			lower = other
			continue
		}
		for i, o := range other { // each attack is possible, so the best counts
			if o.Lower > lower[i].Lower {
				lower[i] = o
			}
		}
	}
	if err != nil {
		return err
	}
	for i, p := range open {
		final := q.narrow(upper[i]) && q.narrow(lower[i])
		if d.hasBracketedLoss() { // the lower end of one estimate and the upper end of the other
			upper[i].Lower = 0
			below := Interval{Lower: lower[i].Lower, Upper: q.unknown().Upper}
			if upper[i], err = upper[i].meet(below, q.nothing()); err != nil {
				return err
			}
			upper[i].Budget.Grid = math.Max(0, upper[i].Upper-upper[i].Lower)
		}
		met, err := d.known[p.index].meet(upper[i], q.nothing())
		if err != nil {
			return err
		}
		d.known[p.index] = answer{met, final}
	}
	return nil
}

// attacks returns the largest number of attacks known on a loss of the direction.
func (d *direction) attacks() (most int) {
	for _, l := range d.lines {
		most = max(most, len(l.Lower().Attacks()))
	}
	return most
}

// tightenEstimates brings the estimates of every bracketed loss `times` times closer to each
// other and reports whether any loss could be narrowed.
func (d *direction) tightenEstimates(ctx context.Context, times float64) (can bool) {
	for i, l := range d.lines {
		if l.Upper().CanBeFiner() {
			d.lines[i].Loss, d.divergences, can = l.Upper().Finer(ctx, times), nil, true
		}
	}
	return can
}

// byRenyi takes what is left.
func byRenyi(_ context.Context, d *direction, q query, open []unresolvedPoint) error {
	for _, p := range open {
		met, err := d.known[p.index].meet(q.renyi(d, p.at), q.nothing())
		if err != nil {
			return err
		}
		d.known[p.index].Interval = met
	}
	return nil
}

// stack returns a direction for the package spectrum, with one of the estimates of each line; ok is
// false if one of its lines has another form.
func (d *direction) stack(estimate func(pairs.Line) *pairs.Estimate) (s spectrum.Stack, ok bool) {
	s.Cache = d.cache
	s.Lines = make([]spectrum.Line, 0, len(d.lines))
	var squares special.Adder
	for _, l := range d.lines {
		known := estimate(l)
		if l.Count != math.Floor(l.Count) || l.Count > 1e26 {
			return s, false
		}
		if mu, ok := known.Gaussian(); ok {
			squares.Add(l.Count * mu * mu)
			continue
		}
		one, ok := known.Composable()
		if !ok {
			return s, false
		}
		s.Lines = append(s.Lines, spectrum.Line{Loss: one, Count: l.Count, Key: known.Key()})
	}
	s.Square = squares.Sum()
	return s, true
}
