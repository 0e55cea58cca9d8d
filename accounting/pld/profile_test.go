package pld

import (
	"context"
	"math"
	"testing"

	"epsiloscope/accounting/pld/pairs"
)

func TestProfileOfGaussians(t *testing.T) {
	var epsilons []float64
	for e := -2.0; e <= 20; e += 0.5 {
		epsilons = append(epsilons, e)
	}
	parts := []pairs.Part{{Pair: pairs.Gaussian(0.1), Count: 400}}
	lower, upper, err := Profile(context.Background(), parts, epsilons, Options{NoForm: true})
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range epsilons {
		want := pairs.Gaussian(2).Delta(e)
		if lower[i] > want*(1+1e-12) || upper[i] < want*(1-1e-12) {
			t.Errorf("at %g: [%g, %g] misses %g", e, lower[i], upper[i], want)
		}
		if upper[i]-lower[i] > 0.08*want {
			t.Errorf("at %g: [%g, %g] is wide around %g", e, lower[i], upper[i], want)
		}
	}
}

// A δ that float64 has no number for is not 0: that is said of losses that end.
func TestProfileBelowFloat(t *testing.T) {
	for name, c := range map[string]struct {
		parts []pairs.Part
		zero  bool
	}{
		"one Gaussian": {[]pairs.Part{{Pair: pairs.Gaussian(1), Count: 1}}, false},
		"sampled":      {[]pairs.Part{{Pair: sgd(0.01, 1), Count: 3}}, false},
		"Laplace":      {[]pairs.Part{{Pair: pairs.Laplace(1), Count: 3}}, true},
	} {
		_, upper, err := Profile(context.Background(), c.parts, []float64{1, 200}, Options{})
		if err != nil || (upper[1] == 0) != c.zero || upper[1] > upper[0] {
			t.Errorf("%s: %g, %v", name, upper, err)
		}
		if lower, upper, err := DeltaAt(context.Background(), c.parts, math.Inf(1), Options{}); err != nil ||
			lower != 0 || upper != 0 || math.Signbit(upper) {
			t.Errorf("%s: beyond all losses [%g, %g], %v", name, lower, upper, err)
		}
		if _, _, err := DeltaAt(context.Background(), c.parts, math.NaN(), Options{}); err == nil {
			t.Errorf("%s: δ at what is not a number", name)
		}
	}
}
