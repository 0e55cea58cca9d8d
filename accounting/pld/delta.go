package pld

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/accounting/pld/spectrum"
)

// deltaAt is the question for δ at ε, any real number.
type deltaAt struct{}

func (deltaAt) unknown() Interval { return Interval{Upper: 1} }

// allowedWidth returns the width of δ that corresponds to a relative width of ε: for the default, 1e-4,
// a fiftieth of δ.
func (deltaAt) allowedWidth(i Interval, width float64) float64 {
	return math.Max(smallestDelta, 200*width*i.Lower)
}

// closedForm answers for an empty stack, for a single release and for an ε beyond the largest loss.
func (q deltaAt) closedForm(d *direction, epsilon float64) (Interval, bool) {
	l, single := d.single()
	switch {
	case len(d.lines) == 0:
		trivial := math.Max(0, -math.Expm1(epsilon)) // δ ≥ 1 − e^ε for any pair
		return Interval{Lower: trivial, Upper: trivial}, true
	case epsilon >= d.maxLoss():
		certain, possible := d.failureProbability()
		return Interval{Lower: math.Min(certain, 1), Upper: math.Min(1, possible*(1+8*ulp))}, !d.hasBracketedLoss()
	case single:
		least, most := math.Exp(l.Lower().LogDeltaAlone(epsilon)), math.Exp(l.Upper().LogDelta(epsilon))
		return Interval{Lower: least * (1 - 1e-11), Upper: math.Min(1, most*(1+1e-11))}, true
	}
	return q.unknown(), false
}

func (deltaAt) spectrum(ctx context.Context, s spectrum.Stack, open []unresolvedPoint, width float64) ([]Interval, error) {
	out, epsilons := make([]Interval, len(open)), make([]float64, len(open))
	for n, p := range open {
		epsilons[n] = p.at
	}
	lower, upper, err := s.Deltas(ctx, epsilons, width)
	for n := range lower {
		out[n] = Interval{Lower: lower[n], Upper: upper[n]}
	}
	return out, err
}

// DeltaAt returns certified ends of the tight δ of the stack at ε, any real number, in
// the worse direction.
func DeltaAt(ctx context.Context, parts []pairs.Part, epsilon float64, opt Options) (lower, upper float64, err error) {
	l, u, err := Profile(ctx, parts, []float64{epsilon}, opt)
	if err != nil {
		return 0, 1, err
	}
	return l[0], u[0], nil
}

// Profile returns certified ends of the tight δ(ε) at many ε. Neighbouring ε share a
// tilt, and so a composition.
func Profile(ctx context.Context, parts []pairs.Part, epsilons []float64, opt Options) (lower, upper []float64, err error) {
	if slices.ContainsFunc(epsilons, math.IsNaN) {
		return nil, nil, unsupportedError("δ is asked for at an ε that is not a number")
	}
	s, err := enclose(ctx, parts, query{deltaAt{}, epsilons, opt.width(), opt.NoForm}, methods...)
	if err != nil {
		return nil, nil, err
	}
	lower, upper = make([]float64, len(epsilons)), make([]float64, len(epsilons))
	order := make([]int, len(epsilons))
	certain := 0.0 // at any ε
	for _, d := range s {
		given, _ := d.failureProbability()
		certain = math.Max(certain, given*(1-8*ulp))
	}
	for n := range epsilons {
		i := s.intervalAt(n)
		lower[n], upper[n], order[n] = math.Max(i.Lower, certain), i.Upper, n
		if i.Upper == 0 && slices.ContainsFunc(s, func(d *direction) bool { return epsilons[n] < d.maxLoss() }) {
			upper[n] = math.SmallestNonzeroFloat64 // too small for float64, and not 0
		}
	}
	// δ(ε) does not increase, and is at least 1 − e^ε.
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(epsilons[i], epsilons[j]) })
	best := 1.0
	for _, n := range order {
		best = math.Min(best, upper[n])
		upper[n] = best
	}
	best = 0
	for _, n := range slices.Backward(order) {
		best = math.Max(best, lower[n])
		lower[n] = math.Min(upper[n], math.Max(best, -math.Expm1(math.Min(0, epsilons[n]))))
	}
	return lower, upper, nil
}

// Tradeoff returns, for each type I error x, a type II error that no test of "the
// record was in" against "it was not" can beat (Dong, Roth, Su 2022): the largest of
// 1 − δ − e^ε·x and e^{−ε}(1 − δ − x) over ε ≥ 0, with δ the certified upper end, rounded down.
func Tradeoff(ctx context.Context, parts []pairs.Part, typeI []float64, opt Options) ([]float64, error) {
	for _, x := range typeI {
		if !(x >= 0 && x <= 1) {
			return nil, fmt.Errorf("a type I error lies between 0 and 1, and is not %g", x)
		}
	}
	end, err := Epsilon(ctx, parts, 1e-9, Options{Width: 1e-2})
	if err != nil {
		return nil, err
	}
	// Beyond e^40 both errors are below 1e-17, which is as good as 0.
	tops := []float64{math.Min(end.Upper, 40)}
	if math.IsInf(end.Upper, 1) { // what else there is may be small
		tops = append(tops, 1)
	}
	const points = 160
	var epsilons []float64
	for _, top := range tops {
		for k := range points + 1 { // denser near 0, where the curve bends most
			t := float64(k) / points
			epsilons = append(epsilons, top*t*t)
		}
	}
	for _, e := range pairs.Corners(parts) { // where there are some, the curve is a line between them
		epsilons = append(epsilons, math.Min(e, 40))
	}
	_, upper, err := Profile(ctx, parts, epsilons, opt)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(typeI))
	for i, x := range typeI {
		for k, e := range epsilons {
			out[i] = math.Max(out[i], typeIIError(e, upper[k], x))
		}
		out[i] = math.Min(out[i], math.Max(0, subDown(1, x)))
	}
	return out, nil
}

// typeIIError returns a lower bound on max(1 − δ − e^ε·x, e^{−ε}(1 − δ − x)), the type II error at type I error
// x; negative if both are.
func typeIIError(epsilon, delta, x float64) float64 {
	rest := subDown(1, delta)
	return math.Max(subDown(rest, math.Exp(epsilon)*x*(1+4*ulp)), math.Exp(-epsilon)*(1-4*ulp)*subDown(rest, x))
}

// subDown returns a − b rounded down, 0 ≤ b ≤ a.
func subDown(a, b float64) float64 {
	d := a - b
	if a-d < b { // a − d is exact
		d = math.Nextafter(d, math.Inf(-1))
	}
	return d
}
