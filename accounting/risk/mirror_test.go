package risk

import (
	"context"
	"math"
	"testing"

	"epsiloscope/accounting/pld"
)

// A curve uses what is known of one direction at −ε for the other at ε. That is sound only if the upper end of a
// pair holds at negative ε too: it must not lie below what the lower end of the other direction implies there.
func TestUpperEndsHoldAtNegativeEpsilon(t *testing.T) {
	ctx := context.Background()
	pairs := map[string]pld.Pair{
		"bounded range": pld.BoundedRange(1), "one of many selections": pld.IndividualRange(1), "responses": pld.Response(1, 4),
		"approximate": pld.Approximate(1, 0.01), "shuffled": pld.ShuffledEpoch(10, 1, 1, false), "allocated": pld.Allocation(10, 1),
		"replace": pld.Replace(pld.Laplace(1)), "group": pld.Group(pld.Laplace(0.5), 2), "sampled replace": pld.SampledReplace(0.2, pld.Gaussian(1)),
		"parallel": pld.Parallel([][]pld.Part{{{Pair: pld.Laplace(0.5), Count: 2}}, {{Pair: pld.Gaussian(0.7), Count: 1}}}, true),
	}
	if p, ok := pld.AdaptiveRange(0.3, 5, 1e-4); ok {
		pairs["adaptive selections"] = p
	}
	if p, ok := pld.FixedRange(0.3, 5); ok {
		pairs["fixed selections"] = p
	}
	for name, pair := range pairs {
		parts := []pld.Part{{Pair: pair, Count: 1}}
		for _, epsilon := range []float64{0.05, 0.2, 0.5, 0.9} {
			for _, order := range []pld.Direction{pld.WithRecord, pld.WithoutRecord} {
				lower, _, err := pld.DirectedProfile(ctx, parts, order, []float64{epsilon}, pld.Options{})
				if err != nil {
					t.Fatal(name, err)
				}
				_, upper, err := pld.DirectedProfile(ctx, parts, 1-order, []float64{-epsilon}, pld.Options{})
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
