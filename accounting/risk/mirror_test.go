package risk

import (
	"context"
	"math"
	"testing"

	"epsiloscope/accounting/pld"
	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/internal/gauge"
)

// A curve uses what is known of one direction at −ε for the other at ε. That is sound only if the upper end of a
// pair holds at negative ε too: it must not lie below what the lower end of the other direction implies there.
func TestUpperEndsHoldAtNegativeEpsilon(t *testing.T) {
	ctx := context.Background()
	named := map[string]pairs.Pair{
		"bounded range": pairs.BoundedRange(1), "one of many selections": pairs.IndividualRange(1), "responses": pairs.Response(1, 4),
		"approximate": pairs.Approximate(1, 0.01), "shuffled": pairs.ShuffledEpoch(10, 1, 1, false), "allocated": pairs.Allocation(10, 1),
		"replace": pairs.Replace(pairs.Laplace(1)), "group": pairs.Group(pairs.Laplace(0.5), 2), "sampled replace": pairs.SampledReplace(0.2, pairs.Gaussian(1)),
		"parallel": pairs.Parallel([][]pairs.Part{{{Pair: pairs.Laplace(0.5), Count: 2}}, {{Pair: pairs.Gaussian(0.7), Count: 1}}}, true),
	}
	if p, ok := pairs.AdaptiveRange(0.3, 5, 1e-4); ok {
		named["adaptive selections"] = p
	}
	if p, ok := pairs.FixedRange(0.3, 5); ok {
		named["fixed selections"] = p
	}
	for name, pair := range named {
		parts := []pairs.Part{{Pair: pair, Count: 1}}
		for _, epsilon := range gauge.Some(2, []float64{0.05, 0.2, 0.5, 0.9}) {
			for _, order := range []pld.Direction{pld.WithRecord, pld.WithoutRecord} {
				lower, _, err := pld.NewDirectedCurve(parts, order).Profile(ctx, []float64{epsilon}, pld.Options{})
				if err != nil {
					t.Fatal(name, err)
				}
				_, upper, err := pld.NewDirectedCurve(parts, 1-order).Profile(ctx, []float64{-epsilon}, pld.Options{})
				if err != nil {
					t.Fatal(name, err)
				}
				if need := 1 - math.Exp(-epsilon)*(1-lower[0]); upper[0] < need-1e-9 {
					t.Errorf("%s: δ(−%g) ≤ %g, and the other direction needs %g", name, epsilon, upper[0], need)
				}
			}
		}
	}
}
