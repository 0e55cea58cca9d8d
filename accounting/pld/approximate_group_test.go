package pld_test

import (
	"context"
	"math"
	"testing"

	"epsiloscope/accounting/pld"
	"epsiloscope/accounting/pld/pairs"
)

// The chain of steps is attained: noise that every step shifts by one has its curve.
func TestPromisedStepsAreAttained(t *testing.T) {
	for _, c := range []struct {
		epsilon, delta float64
		k              int
	}{{1, 0, 2}, {0.3, 0, 5}, {1e-3, 0, 700}, {5, 0, 3}, {1, 1e-6, 2}, {0.3, 1e-3, 5},
		{1e-3, 1e-12, 700}, {0.01, 1e-4, 40}} {
		pair := pairs.Group(pairs.Approximate(c.epsilon, c.delta), c.k)
		worst := promisedSteps(c.epsilon, c.delta, c.k)
		for _, share := range []float64{-1, -0.6, -0.1, 0, 0.01, 0.3, 0.77, 0.999, 1, 1.1} {
			x := share * float64(c.k) * c.epsilon
			want := 0.0
			for _, o := range worst.points {
				want += math.Max(0, o.with-math.Exp(x)*o.without)
			}
			if got := pair.Delta(x); math.Abs(got-want) > 1e-10*want+1e-15 {
				t.Errorf("%+v: δ(%g) = %.12g, of the noise %.12g", c, x, got, want)
			}
		}
	}
}

// Very many steps are chained several at a time: still no less than Laplace noise gives
// away, and little more.
func TestPromisedManySteps(t *testing.T) {
	for _, k := range []int{1025, 5000, 1e6, 1 << 40} {
		total := 0.7
		parts := []pairs.Part{{Pair: pairs.Group(pairs.Pure(total/float64(k)), k), Count: 30}}
		laplace := []pairs.Part{{Pair: pairs.Laplace(total), Count: 30}}
		got, err := pld.Epsilon(context.Background(), parts, 1e-6, pld.Options{})
		if err != nil {
			t.Fatal(err)
		}
		want, err := pld.Epsilon(context.Background(), laplace, 1e-6, pld.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got.Upper < want.Lower || got.Upper > want.Upper*1.005 || got.Lower > want.Upper {
			t.Errorf("%d steps: [%.6g, %.6g], of Laplace noise [%.6g, %.6g]", k, got.Lower, got.Upper, want.Lower, want.Upper)
		}
	}
}
