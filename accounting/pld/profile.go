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
	directions, err := directionsOf(ctx, parts, opt.NoForm)
	if err != nil {
		return nil, nil, err
	}
	bands := make([]band, len(directions))
	for i, d := range directions {
		if bands[i], err = d.spectralBand(ctx, epsilons, opt); err != nil {
			return nil, nil, err
		}
	}
	if err := sharpen(ctx, directions, bands, epsilons, opt.width()); err != nil {
		return nil, nil, err
	}
	all := worst(bands, len(epsilons))
	tighten(epsilons, all.lower, all.upper)
	return all.lower, all.upper, nil
}

// band is δ at several ε, between two ends.
type band struct{ lower, upper []float64 }

// newBand knows nothing: δ is between 0 and 1.
func newBand(n int) band {
	return band{make([]float64, n), slices.Repeat([]float64{1}, n)}
}

// worst is the largest of several bands.
func worst(bands []band, n int) band {
	out := band{make([]float64, n), make([]float64, n)}
	for _, b := range bands {
		for i := range b.upper {
			out.lower[i] = math.Max(out.lower[i], b.lower[i])
			out.upper[i] = math.Max(out.upper[i], b.upper[i])
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

// blunt reports whether δ is known less well than a width asked for in ε lets expect: for
// the default, 1e-4, to a fiftieth.
func blunt(lower, upper, width float64) bool {
	return upper > lower*(1+200*width) && upper > smallestDelta
}

// sharpen adds up, one by one, the losses of the directions whose curve one tilt did not
// suit. Cells do not depend on ε: one composition serves all of them.
func sharpen(ctx context.Context, directions directions, bands []band, epsilons []float64, width float64) error {
	for i, d := range directions {
		if d.bracketed() { // what lies between two estimates stays
			continue
		}
		all := worst(bands, len(epsilons))
		var at []int
		smallest := 1.0
		for j, u := range bands[i].upper {
			if blunt(all.lower[j], u, width) && epsilons[j] < d.ceiling() {
				at = append(at, j)
				smallest = math.Min(smallest, u)
			}
		}
		s, ok := d.stack(false)
		if !ok || len(at) == 0 {
			continue
		}
		err := exact.Stack{Pessimistic: s, Optimistic: s}.Refine(ctx, math.Max(smallest, smallestDelta), width, func(upper, lower *exact.Curve) float64 {
			finer := 1.0
			for _, j := range at {
				bands[i].put(j, lower.Delta(epsilons[j]), upper.Delta(epsilons[j]))
				if blunt(bands[i].lower[j], bands[i].upper[j], width) {
					finer = 0.3
				}
			}
			return finer
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// tighten uses that δ(ε) does not increase and that δ(ε) ≥ 1 − e^ε.
func tighten(epsilons, lower, upper []float64) {
	order := make([]int, len(epsilons))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(epsilons[a], epsilons[b]) })
	best := 1.0
	for _, i := range order {
		best = math.Min(best, upper[i])
		upper[i] = best
	}
	best = 0
	for _, i := range slices.Backward(order) {
		best = math.Max(best, lower[i])
		lower[i] = math.Min(upper[i], math.Max(best, -math.Expm1(math.Min(0, epsilons[i]))))
	}
}

// Tradeoff returns, for each type I error x, a type II error that no test of "the
// record was in" against "it was not" can beat (Dong, Roth, Su 2022): the largest of
// 1 − δ − e^ε·x and e^{−ε}(1 − δ − x) over ε ≥ 0, with δ the certified upper end.
func Tradeoff(ctx context.Context, parts []Part, typeI []float64, opt Options) ([]float64, error) {
	top := 1.0
	if i, err := Epsilon(ctx, parts, 1e-9, Options{Width: 1e-2}); err == nil && !math.IsInf(i.Upper, 1) {
		top = i.Upper
	} else if err != nil {
		return nil, err
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
