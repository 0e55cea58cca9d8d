package pld

import (
	"context"
	"testing"

	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/internal/gauge"
)

// The widest are all but Gaussian noise; so are samples of them.
func TestWidestDiscreteGaussian(t *testing.T) {
	for _, sigma := range gauge.Some(2, []float64{3e4, 1e7, 1e11}) {
		d := int(sigma / 4)
		for _, use := range []func(pairs.Pair) pairs.Pair{
			func(p pairs.Pair) pairs.Pair { return p },
			func(p pairs.Pair) pairs.Pair { return pairs.Subsample(0.01, p) },
			func(p pairs.Pair) pairs.Pair { return pairs.Group(p, 2) },
		} {
			a, err := Epsilon(context.Background(),
				[]pairs.Part{{Pair: use(pairs.DiscreteGaussian(sigma, d)), Count: 100}}, 1e-6, Options{})
			if err != nil {
				t.Fatal(err)
			}
			b, err := Epsilon(context.Background(),
				[]pairs.Part{{Pair: use(pairs.Gaussian(float64(d) / sigma)), Count: 100}}, 1e-6, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if a.Lower > b.Upper*(1+1e-9) || b.Lower > a.Upper*(1+1e-9) || a.width() > DefaultWidth {
				t.Errorf("σ = %g: [%.9g, %.9g], Gaussian noise [%.9g, %.9g]", sigma, a.Lower, a.Upper, b.Lower, b.Upper)
			}
		}
	}
}
