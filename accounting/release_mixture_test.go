package accounting

import (
	"context"
	"testing"
)

// A shift of 50 that is taken with the very probability δ: what the shift of 1 adds keeps the curve above δ, by 9e-22
// at ε = 9 and by 6e-36 at ε = 12 (normal tails with 60 digits). No theorem may state an ε at which it is.
func TestMixtureWithAWeightOfDelta(t *testing.T) {
	release := MixtureOfGaussians([]float64{0, 1, 50}, []float64{0.5, 0.499999, 1e-6})
	for _, m := range []Method{Basic, Numerical} {
		if b := Evaluate(context.Background(), m, []Entry{{release, 1}},
			Target{Delta: 1e-6}); b.Status == Valid && b.Epsilon < 12 {
			t.Errorf("%s: ε = %v, where δ is above 1e-6", m, b.Epsilon)
		}
	}
}
