package spectrum

import (
	"context"
	"math"
	"slices"

	"epsiloscope/accounting/numeral"
)

// A stack and the aims of one pass come in; the interval of that pass goes out, from one spectrum or from two.

// pass evaluates a stack once.
//
// No one tilt suits some stacks: rarely sampled releases whose far losses are all that δ is
// made of, or a few atoms far apart. With a cut in every release, M = A + B, A of the
// common losses below it, B of the rare ones above,
//
//	M^K = A^K + (M^K − A^K),
//
// and both are transforms of positive measures: of the composed loss where no release has
// a rare loss, and where at least one has. δ(ε) is the sum of what either contributes. Each
// is read off a spectrum of its own, with its own tilt and window. The level of the target says
// where the cut is: the P-mass above it, in units of δ/K. Level 0 is no cut, and one spectrum.
//
// A pass that fails has the upper end +Inf. One that would need more frequencies than the search allows is not made,
// and ok is false.
func (s search) pass(ctx context.Context, t target, known Interval) (out Interval, ok bool, err error) {
	vain := Interval{Upper: math.Inf(1)}
	per := s.delta / math.Max(1, s.releases())
	short := s.truncate(ctx, t.tail*per)
	goal, low, ok := short.goals(s.delta)
	parts := []*truncated{&short}
	if ok && t.level > 0 {
		parts, ok = short.cut(t.level * per)
	}
	if !ok {
		return vain, true, ctx.Err()
	}
	t.logDelta = goal
	shares := []float64{1}
	if len(parts) > 1 {
		if math.IsNaN(t.epsilon) {
			t.epsilon = guess(parts, goal, known)
		}
		shares = sharesAt(parts, t.epsilon)
	}
	read, within, err := evaluateParts(ctx, parts, shares, t, s.frequencies)
	if err != nil || read == nil {
		return vain, within || s.frequencies == maxFrequencies, err
	}
	near := Inversion{deviation: math.Inf(1)}
	for i, c := range read {
		out.Frequencies += len(c.terms)
		if shares[i] == 1 {
			out.Inversion = c.plan
		}
		if c.plan.deviation < near.deviation {
			near = c.plan
		}
	}
	out.Upper = math.Max(0, solve(excess(read, goal, numeral.Up), near, numeral.Up))
	out.Lower = math.Max(0, solve(excess(read, low, numeral.Down), near, numeral.Down))
	out.Errors.Truncation = low - goal
	for i, c := range read {
		out.Errors.add(shares[i], c.errorsAt(out.Upper))
	}
	return out, true, nil
}

// evaluateParts evaluates every part of a stack, as closely as its share of δ(ε) makes it matter. There are no spectra
// if one of them is too much work; within is false if one would need more frequencies than most.
func evaluateParts(ctx context.Context, parts []*truncated, shares []float64, t target,
	most float64) (spectra []*Spectrum, within bool, err error) {
	plans := make([]Inversion, len(parts))
	for i, part := range parts {
		own, ok := t, false
		if shares[i] < 1 {
			own.width = math.Min(1e-2, t.width/math.Max(1e-9, shares[i]))
		}
		if plans[i], ok = part.choose(own); !ok {
			return nil, true, ctx.Err()
		}
		if plans[i].frequencies() > most {
			return nil, false, nil
		}
	}
	spectra = make([]*Spectrum, len(parts))
	for i, plan := range slices.Backward(plans) { // the rare losses, which need fewer frequencies, fail more often
		c, ok, err := parts[i].evaluate(ctx, plan)
		if err != nil || !ok {
			return nil, true, err
		}
		spectra[i] = c
	}
	return spectra, true, nil
}

// excess returns ln of what the parts contribute to δ(ε) together over e^{goal}.
func excess(parts []*Spectrum, goal float64, side numeral.Side) func(epsilon float64) float64 {
	round := float64(side) * care * unit
	return func(epsilon float64) float64 {
		sum := 0.0
		for _, c := range parts {
			log, most := c.LogDelta(epsilon)
			if side == numeral.Up {
				log = most
			}
			if len(parts) == 1 {
				return log - goal
			}
			sum += math.Exp(log - goal)
		}
		return math.Log(sum * (1 + round))
	}
}
