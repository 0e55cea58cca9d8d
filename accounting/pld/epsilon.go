package pld

import (
	"context"
	"math"
	"slices"

	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/accounting/pld/spectrum"
	"epsiloscope/accounting/special"
)

// epsilonAt is the query for ε at δ.
type epsilonAt struct{}

func (epsilonAt) unknown() Interval { return Interval{Upper: math.Inf(1)} }

// allowedWidth returns the width allowed for an interval of ε.
func (epsilonAt) allowedWidth(i Interval, width float64) float64 {
	return math.Max(spectrum.SmallestEpsilon, width*i.Upper)
}

// smallestDelta is the width below which an interval of δ counts as nothing. minDelta is the least δ at which ε is
// composed: a spectrum has logarithms, and its δ is a float64 down to there. Between both, masses that are too small
// for float64 may be more than δ, as they are taken for infinite losses.
const (
	smallestDelta = 1e-250
	minDelta      = 1e-305
)

// closedForm answers for an empty stack, for Gaussians only (all Gaussians are one), for a single
// release, whose ε is read off its curve, and if the certain failure probability exceeds δ or δ covers
// the total variation distance.
func (q epsilonAt) closedForm(d *direction, delta float64) (Interval, bool) {
	certain, possible := d.failureProbability()
	l, single := d.single()
	out := Interval{}
	switch {
	case delta >= 1:
		out.Form = "δ ≥ 1"
	case len(d.lines) == 0:
		out.Form = "an empty stack"
	case possible < 1 && math.Abs(possible-delta) <= 8*ulp*delta && !math.IsInf(d.maxLoss(), 1):
		// The last digit of δ may move the lower end far. It is that of the copies of one release alone.
		out.Lower, out.Upper, out.Form = d.copiesOfOne(delta), d.maxLoss(), "the largest loss"
		if single && isApproximateAt(l, delta) {
			out.Lower = out.Upper
		}
		out.Note = "the stated failure probabilities are just as large as δ, so the largest loss is left"
	case certain*(1-8*ulp) > delta:
		out.Lower, out.Upper, out.Form = math.Inf(1), math.Inf(1), "mass at infinite loss"
		out.Note = "the stated failure probabilities alone exceed δ"
	case single:
		out.Lower, _ = invert(l.Lower().LogDeltaAlone, delta)
		_, out.Upper = invert(l.Upper().LogDelta, delta)
		_, gaussian := l.Upper().Gaussian()
		width := out.Upper - out.Lower
		switch {
		case !l.Exact():
			out.Form, out.Budget.Grid = "the curves of a single release", width
		case gaussian:
			out.Form, out.Budget.Roundoff = "all Gaussians are one Gaussian", width
		default:
			out.Form, out.Budget.Roundoff = "the curve of a single release", width
		}
	case !d.noForm && d.totalVariation() <= delta*(1-1e-9):
		out.Form = "δ covers the total variation distance"
	case delta > 0 && (delta < minDelta || delta < smallestDelta && delta <= possible):
		out = q.renyi(d, delta)
		out.Note = fallenBack + "δ is below what the accountant computes with"
	default:
		return q.unknown(), false
	}
	return out, true
}

// isApproximateAt reports whether a loss is that of an (ε, δ) guarantee at its own δ: its curve is δ from ε on, and
// larger below.
func isApproximateAt(l *pairs.Loss, delta float64) bool {
	f, exact, ok := pairs.SymmetricPair(l).Form()
	return ok && exact && f.Kind == "approximate" && f.Scheme == "" && f.Delta == delta
}

// totalVariation returns at least the total variation distance of the stack: those of its releases add
// up.
func (d *direction) totalVariation() (sum float64) {
	for _, l := range d.lines {
		sum += l.Count * math.Exp(l.Upper().LogDelta(0))
	}
	return sum * (1 + 1e-11)
}

// invert finds the ε ≥ 0 at which a curve of ln δ meets δ, from both sides.
func invert(logDelta func(epsilon float64) float64, delta float64) (lower, upper float64) {
	const slack = 1e-11 // relative error of the curve, generously
	goal := special.Log(delta)
	below := func(e float64) bool { return logDelta(e) <= goal-slack*(1+math.Abs(goal)) }
	above := func(e float64) bool { return logDelta(e) >= goal+slack*(1+math.Abs(goal)) }
	if below(0) {
		return 0, 0
	}
	hi := 1.0
	for i := 0; i < 1100 && !below(hi); i++ {
		hi *= 2
	}
	upper = math.Inf(1)
	if below(hi) {
		_, upper = special.Bisect(0, hi, 0, func(e float64) bool { return !below(e) })
	}
	switch {
	case !above(0):
		return 0, upper
	case above(hi): // more is lost than δ
		return math.Inf(1), upper
	}
	from, to := 0.0, math.Min(upper, hi)
	if near := to * (1 - 1e-9); above(near) { // both ends are as close as the curve is known
		from = near
	}
	lower, _ = special.Bisect(from, to, 0, above)
	return lower, upper
}

func (epsilonAt) spectrum(
	ctx context.Context, s spectrum.Stack, open []unresolvedPoint, width float64,
) ([]Interval, error) {
	out := make([]Interval, len(open))
	for n, p := range open {
		i, err := s.EpsilonAbove(ctx, p.at, width, p.least)
		if err != nil {
			return nil, err
		}
		per := 1 / math.Max(i.Theta, 1e-300) // −dε/d ln δ, about
		out[n] = Interval{
			Lower: i.Lower, Upper: i.Upper, Grid: i.Frequencies, Step: i.Smoothing, Tilt: i.Theta, Window: i.Window,
			Budget: ErrorBudget{
				Grid: per * (i.Errors.Smoothing + i.Errors.Bandwidth), Tail: per * i.Errors.Truncation,
				Wrap: per * i.Errors.Aliasing, Roundoff: per * i.Errors.Roundoff,
			},
		}
	}
	return out, nil
}

// refine yields intervals at the given multiples of the requested width, then at that width; only the last if
// the accountant has kept it.
func refine(
	ctx context.Context, parts []pairs.Part, delta float64, opt Options, coarser []float64, yield func(Interval) bool,
) error {
	if math.IsNaN(delta) {
		return unsupportedError("ε is asked for at a δ that is not a number")
	}
	accountant, key := accountantOf(ctx), answerKey(parts, delta, opt)
	if known, ok := accountant.knownAnswer(key); ok {
		yield(known)
		return ctx.Err()
	}
	q := query{epsilonAt{}, []float64{delta}, opt.width(), opt.Sums, opt.NoForm}
	s, err := enclose(ctx, parts, q, byForm)
	switch {
	case err != nil:
		return err
	case s.done(q):
		yield(s.intervalAt(0))
		return nil
	case !(delta > 0):
		return unsupportedError("the numerical accountant needs δ > 0")
	case slices.ContainsFunc(s, func(d *direction) bool { return d.indistinct(delta) }):
		yield(Interval{Form: "Pinsker's inequality", Direction: "both"})
		return nil
	}
	before := q.unknown()
	for _, times := range coarser {
		wider := q
		wider.width *= times
		s, err := enclose(ctx, parts, wider, methods...)
		if err != nil {
			return err
		}
		if before, err = before.meet(s.intervalAt(0), q.nothing()); err != nil {
			return NameStack(err, parts)
		}
		if q.narrow(before) || math.IsInf(before.Upper, 1) {
			break // no need for the steps between
		}
		if !yield(wider.addWidthNote(before)) {
			return nil
		}
	}
	if err = s.ask(ctx, q, methods[1:]...); err != nil { // as if nothing had gone before
		return NameStack(err, parts)
	}
	last := q.addWidthNote(s.intervalAt(0))
	if key != "" {
		accountant.keepAnswer(key, last)
	}
	yield(last)
	return nil
}

// addWidthNote returns the interval, with a note if it is wider than asked for.
func (q query) addWidthNote(i Interval) Interval {
	if !q.narrow(i) && i.Note == "" {
		i.Note = "wider than asked: a finer mesh, or more frequencies, would cost too much"
	}
	return i
}
