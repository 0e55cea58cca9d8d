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

// method encloses the answers of a direction at the open points of a query, and notes them in direction.known.
type method func(ctx context.Context, d *direction, q query, open []unresolvedPoint) error

// methods lists every method, in the order in which they are tried.
var methods = []method{byForm, bySums, bySpectrum, byRenyi}

// byForm answers the points that need no composition.
func byForm(_ context.Context, d *direction, q query, open []unresolvedPoint) error {
	for _, p := range open {
		i, final := q.closedForm(d, p.at)
		d.known[p.index] = answer{i, final}
	}
	return nil
}

// FormSums is the [Interval.Form] of an answer read off a list of all sums of losses.
const FormSums = "every sum of losses"

// bySums lists every sum of losses, if the query asks for that and they are few. It answers for ε at a δ only.
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

// capAtLargestLoss reports whether a direction cannot be the worse one, because the lower end of the other direction is
// at least the sum of the largest losses of this one. That sum is then its upper end, and nothing is composed.
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

// bySpectrum reads the answers off the spectrum. If the two estimates of a loss lie too far apart, it asks again with
// closer ones, if there are any: twice as close as they would have to be, because part of the width has other
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

// spectral reads the upper ends off the pessimistic estimates and the lower ends off the optimistic ones. A point is
// final if both intervals are narrow.
func (d *direction) spectral(ctx context.Context, q query, open []unresolvedPoint) error {
	upper, err := d.readSpectrum(ctx, q, open, func(l pairs.Line) *pairs.Estimate { return l.Upper() })
	lower := upper
	if err == nil && d.hasBracketedLoss() {
		lower, err = d.readAttacks(ctx, q, open)
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

// readSpectrum returns the intervals that one estimate of each line gives; nothing is known if it has no spectrum.
func (d *direction) readSpectrum(ctx context.Context, q query, open []unresolvedPoint,
	estimate func(pairs.Line) *pairs.Estimate) ([]Interval, error) {
	s, ok := d.stack(estimate)
	if !ok {
		return slices.Repeat([]Interval{q.unknown()}, len(open)), nil
	}
	return q.spectrum(ctx, s, open, q.width)
}

// readAttacks returns, at each point, the interval of the attack with the largest lower end: each is possible, so the
// best counts. Attack n of a stack is attack n on every line, or the last one of a line that has fewer.
func (d *direction) readAttacks(ctx context.Context, q query, open []unresolvedPoint) (best []Interval, err error) {
	toReach := slices.Clone(open)
	for n := range d.attacks() {
		found, err := d.readSpectrum(ctx, q, toReach, func(l pairs.Line) *pairs.Estimate {
			all := l.Lower().Attacks()
			return all[min(n, len(all)-1)]
		})
		if err != nil {
			return nil, err
		}
		if n == 0 {
			best = slices.Clone(found)
		}
		for i, f := range found {
			if f.Lower > best[i].Lower {
				best[i] = f
			}
			toReach[i].least = math.Max(toReach[i].least, best[i].Lower) // only an attack that reaches more is of use
		}
	}
	return best, nil
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

// byRenyi bounds the points that are still open by a Rényi divergence.
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
