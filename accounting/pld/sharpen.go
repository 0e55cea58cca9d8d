package pld

import (
	"context"
	"math"

	"epsiloscope/accounting/pld/exact"
)

// blunt reports whether δ is known less well than a width asked for in ε lets expect: for
// the default, 1e-3, to a fifth.
func blunt(lower, upper, width float64) bool {
	return upper > lower*(1+200*width) && upper > smallestDelta
}

// sharpen adds up, one by one, the losses of the directions whose curve one tilt did not
// suit. Cells do not depend on ε: one composition serves all of them.
func sharpen(ctx context.Context, directions []direction, bands []band, epsilons []float64, width float64) error {
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
