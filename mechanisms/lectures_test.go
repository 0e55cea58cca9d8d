package mechanisms

import (
	"context"
	"math"
	"testing"

	"epsiloscope/accounting"
)

// Stacks whose figures were computed independently: what one mechanism costs when
// it is run many times, at δ = 1e-6.
//
// The DP-SGD rows were computed elsewhere over a grid of orders, close to the optimum.
func TestStackFigures(t *testing.T) {
	cases := []struct {
		m      Mechanism
		count  float64
		method accounting.Method
		want   float64
	}{
		{Laplace{Epsilon: 0.1, Sensitivity: 1}, 100, accounting.Basic, 10},
		{Laplace{Epsilon: 0.1, Sensitivity: 1}, 100, accounting.Advanced, 6.3082},
		{Pure{0.1}, 100, accounting.ZCDP, 5.2191},
		{Laplace{Epsilon: 0.1, Sensitivity: 1}, 100, accounting.ZCDP, 5.1249},
		{Laplace{Epsilon: 0.1, Sensitivity: 1}, 100, accounting.RDP, 4.98417},
		{Laplace{Epsilon: 0.1, Sensitivity: 1}, 100, accounting.Optimal, 4.7746},
		{Geometric{Epsilon: 0.1, Sensitivity: 1}, 100, accounting.Optimal, 4.774568},
		{Exponential{Epsilon: 0.1, Sensitivity: 1}, 100, accounting.ZCDP, 2.4191},
		{Pure{1}, 30, accounting.Advanced, 80.34},
		{Pure{1}, 100, accounting.Optimal, 83.530701678484},
		{DPSGD{NoiseMultiplier: 1, SamplingRate: 0.01, Steps: 1000}, 1, accounting.RDP, 2.43669},
		{DPSGD{NoiseMultiplier: 1, SamplingRate: 0.01, Steps: 1e4}, 1, accounting.RDP, 7.41410},
	}
	for _, c := range cases {
		entries := c.m.Releases(1)
		for i := range entries {
			entries[i].Count *= c.count
		}
		for _, b := range accounting.ClosedForms(context.Background(), entries, accounting.Target{Delta: 1e-6}) {
			if b.Method == c.method && math.Abs(b.Epsilon-c.want) > 2e-4*c.want {
				t.Errorf("%v × %s, %s: got %v, want %v", c.count, name(c.m), c.method, b.Epsilon, c.want)
			}
		}
	}
}
