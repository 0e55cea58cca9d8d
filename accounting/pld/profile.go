package pld

import (
	"cmp"
	"context"
	"math"
	"slices"

	"epsiloscope/accounting/pld/exact"
)

// DeltaAt returns certified ends of the tight δ of the stack at ε, any real number, in
// the worse direction.
func DeltaAt(ctx context.Context, parts []Part, epsilon float64, opt Options) (lower, upper float64, err error) {
	l, u, err := Profile(ctx, parts, []float64{epsilon}, opt)
	if err != nil {
		return 0, 1, err
	}
	return l[0], u[0], nil
}

// Profile returns certified ends of the tight δ(ε) at many ε. Neighbouring ε share a
// tilt, and so a composition.
func Profile(ctx context.Context, parts []Part, epsilons []float64, opt Options) (lower, upper []float64, err error) {
	s, err := directionsOf(ctx, parts, opt.NoForm)
	if err != nil {
		return nil, nil, err
	}
	for _, d := range s {
		if err := d.spectralBand(ctx, epsilons, opt); err != nil {
			return nil, nil, err
		}
	}
	for _, d := range s {
		if err := d.sharpen(ctx, epsilons, s.band(), opt.width()); err != nil {
			return nil, nil, err
		}
	}
	all := s.band()
	all.tighten(epsilons)
	return all.lower, all.upper, nil
}

// band is δ at several ε, between two ends.
type band struct{ lower, upper []float64 }

// band is that of the whole stack.
func (s directions) band() band {
	n := len(s[0].band.lower)
	out := band{make([]float64, n), make([]float64, n)}
	for _, d := range s {
		for i := range n {
			out.lower[i] = math.Max(out.lower[i], d.band.lower[i])
			out.upper[i] = math.Max(out.upper[i], d.band.upper[i])
		}
	}
	return out
}

// put adds what is known of one point; what is not a number says nothing.
func (b band) put(i int, lower, upper float64) {
	if lower > b.lower[i] {
		b.lower[i] = math.Min(lower, 1)
	}
	if upper < b.upper[i] {
		b.upper[i] = math.Max(upper, 0)
	}
}

// wide reports whether δ at a point is known less well than a width asked for in ε lets
// expect: for the default, 1e-4, to a fiftieth.
func (b band) wide(i int, width float64) bool {
	return b.upper[i] > b.lower[i]*(1+200*width) && b.upper[i] > smallestDelta
}

// spectralBand is the curve of one direction by the spectrum of its losses, closed where
// it can be, and bounded by Rényi divergences where nothing better is at hand.
func (d *direction) spectralBand(ctx context.Context, epsilons []float64, opt Options) error {
	d.band = band{make([]float64, len(epsilons)), slices.Repeat([]float64{1}, len(epsilons))}
	var open []float64
	var at []int
	for i, e := range epsilons {
		if l, u, ok := d.formAt(e, opt.NoForm); ok {
			d.band.put(i, l, u)
		}
		if d.band.wide(i, opt.width()) {
			open, at = append(open, e), append(at, i)
		}
	}
	for _, below := range []bool{false, true} {
		s, ok := d.stack(below)
		if !ok || below && !d.bracketed() {
			continue
		}
		lower, upper, err := s.Deltas(ctx, open, opt.width())
		if err != nil {
			return err
		}
		for j, i := range at {
			if d.bracketed() && !below {
				lower[j] = 0
			} else if below {
				upper[j] = 1
			}
			d.band.put(i, lower[j], upper[j])
		}
	}
	for _, i := range at {
		if d.band.wide(i, opt.width()) {
			l, u := d.profileBound(epsilons[i])
			d.band.put(i, l, u)
		}
	}
	return nil
}

// formAt is the curve where it needs no grid.
func (d *direction) formAt(epsilon float64, noForm bool) (lower, upper float64, ok bool) {
	trivial := math.Max(0, -math.Expm1(epsilon)) // δ ≥ 1 − e^ε for any pair
	if len(d.lines) == 0 {
		return trivial, trivial, true
	}
	if epsilon >= d.ceiling() {
		certain, possible := d.lost()
		return math.Min(certain, 1), math.Min(1, possible*(1+8*ulp)), true
	}
	if l, ok := d.single(); ok && !noForm {
		x := math.Exp(l.LogDelta(epsilon))
		return x * (1 - 1e-11), math.Min(1, x*(1+1e-11)), true
	}
	return 0, 0, false
}

// sharpen adds up, one by one, the losses of a direction whose curve one tilt did not suit,
// as far as that matters to the stack. Cells do not depend on ε: one composition serves all
// of them.
func (d *direction) sharpen(ctx context.Context, epsilons []float64, stack band, width float64) error {
	var at []int
	smallest := 1.0
	for j, u := range d.band.upper {
		stack.upper[j] = u
		if stack.wide(j, width) && epsilons[j] < d.ceiling() {
			at = append(at, j)
			smallest = math.Min(smallest, u)
		}
	}
	s, ok := d.both()
	if !ok || len(at) == 0 || d.bracketed() { // what lies between two estimates stays
		return nil
	}
	return s.Refine(ctx, math.Max(smallest, smallestDelta), width, func(upper, lower *exact.Curve) float64 {
		finer := 1.0
		for _, j := range at {
			d.band.put(j, lower.Delta(epsilons[j]), upper.Delta(epsilons[j]))
			if d.band.wide(j, width) {
				finer = 0.3
			}
		}
		return finer
	})
}

// tighten uses that δ(ε) does not increase and that δ(ε) ≥ 1 − e^ε.
func (b band) tighten(epsilons []float64) {
	order := make([]int, len(epsilons))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(epsilons[i], epsilons[j]) })
	best := 1.0
	for _, i := range order {
		best = math.Min(best, b.upper[i])
		b.upper[i] = best
	}
	best = 0
	for _, i := range slices.Backward(order) {
		best = math.Max(best, b.lower[i])
		b.lower[i] = math.Min(b.upper[i], math.Max(best, -math.Expm1(math.Min(0, epsilons[i]))))
	}
}

// Tradeoff returns, for each type I error x, a type II error that no test of "the
// record was in" against "it was not" can beat (Dong, Roth, Su 2022): the largest of
// 1 − δ − e^ε·x and e^{−ε}(1 − δ − x) over ε ≥ 0, with δ the certified upper end.
func Tradeoff(ctx context.Context, parts []Part, typeI []float64, opt Options) ([]float64, error) {
	end, err := Epsilon(ctx, parts, 1e-9, Options{Width: 1e-2})
	if err != nil {
		return nil, err
	}
	top := end.Upper
	if math.IsInf(top, 1) {
		top = 1
	}
	const points = 160
	epsilons := make([]float64, points+1)
	for k := range epsilons { // denser near 0, where the curve bends most
		t := float64(k) / points
		epsilons[k] = top * t * t
	}
	_, upper, err := Profile(ctx, parts, epsilons, opt)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(typeI))
	for i, x := range typeI {
		for k, e := range epsilons {
			rest := 1 - upper[k]
			out[i] = math.Max(out[i], math.Max(rest-math.Exp(e)*x, math.Exp(-e)*(rest-x)))
		}
		out[i] = math.Min(out[i], math.Max(0, 1-x))
	}
	return out, nil
}
