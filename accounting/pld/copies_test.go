package pld

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/accounting/special"
)

// What an event that happens in each of some copies shows is never more than the truth, which is known for Gaussian
// noise: δ at an ε, and ε at a δ. It never falls with the number of copies, and for one release it is the truth.
func TestCopiesOfOneRelease(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mu := math.Exp(rapid.Float64Range(-3, 1).Draw(t, "ln μ"))
		epsilon := rapid.Float64Range(-2, 20).Draw(t, "ε")
		delta := math.Exp(rapid.Float64Range(-650, -1).Draw(t, "ln δ"))
		beforeEpsilon, beforeDelta := 0.0, 0.0
		for _, count := range []float64{1, 2, 3, 4, 7, 8, 60, 1000} {
			s, err := directionsOf(context.Background(), []pairs.Part{{Pair: pairs.Gaussian(mu), Count: count}})
			if err != nil {
				t.Fatal(err)
			}
			d := s[0]
			// Copies of a Gaussian are one Gaussian, which is what they are compared with.
			d.lines[0] = pairs.Line{Loss: pairs.Gaussian(mu).Remove, Count: count}
			truth := func(x float64) float64 { return special.LogGaussianProfile(mu*math.Sqrt(count), x) }
			reached, shown := d.copiesOfOne(delta), deltaAt{}.renyi(d, epsilon).Lower
			if _, most := invert(truth, delta); reached > most || reached < beforeEpsilon {
				t.Errorf("%v copies of μ %v: ε at least %v, the truth is %v, fewer reach %v",
					count, mu, reached, most, beforeEpsilon)
			}
			if most := math.Exp(truth(epsilon)); shown > most*(1+1e-10) || epsilon >= 0 && shown < beforeDelta {
				t.Errorf("%v copies of μ %v: δ at least %v, the truth is %v, fewer reach %v",
					count, mu, shown, most, beforeDelta)
			}
			if least, _ := invert(truth, delta); count == 1 && reached < least*(1-1e-9) {
				t.Errorf("one release of μ %v has %v, not %v", mu, reached, least)
			}
			beforeEpsilon, beforeDelta = reached, shown
		}
	})
}
