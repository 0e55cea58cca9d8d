package scenarios

import (
	"context"
	"fmt"
	"math"
	"testing"

	"epsiloscope/accounting"
)

// Every number of a plan that makes it dearer is turned up from next to nothing to as much as
// a file may say. No closed column may fall on the way.
func TestNothingGetsCheaper(t *testing.T) {
	losses := []float64{1e-90, 1e-30, 1e-9, 1e-3, 1, 30, 699, 710, 750, 1e3, 1e5, 1e10, 1e17, 1e18, 1e30, 1e99}
	widths := []float64{1e30, 1e12, 1e6, 1e3, 100, 10, 1, 0.3, 1e-2, 1e-4, 1e-9, 1e-30}
	groups := []float64{1, 2, 3, 48, 49, 65, 1e3, 1e6, 3e8, 1e9, 1e12}
	for _, c := range []struct {
		plan   string
		values []float64
	}{
		{"stack: [{mechanism: laplace, epsilon: %g}]", losses},
		{"stack: [{mechanism: geometric, epsilon: %g, sensitivity: 3}]", losses},
		{"stack: [{mechanism: randomized-response, epsilon: %g, categories: 5}]", losses},
		{"stack: [{mechanism: exponential, epsilon: %g}]", losses},
		{"stack: [{mechanism: noisy-max, epsilon: %g, noise: laplace}]", losses},
		{"stack: [{mechanism: pure, epsilon: %g, sampling: {rate: 0.01}}]", losses},
		{"stack: [{mechanism: zcdp, rho: %g}]", losses},
		{"stack: [{mechanism: gaussian, sigma: %g}]", widths},
		{"stack: [{mechanism: discrete-gaussian, sigma: %g, sensitivity: 7}]", widths},
		{"stack: [{mechanism: select, of: {mechanism: laplace, epsilon: %g}, runs: {distribution: logarithmic, mean: 3}}]", losses},
		{"stack: [{mechanism: select, of: {mechanism: zcdp, rho: 0.05}, runs: {distribution: negative-binomial, shape: -0.999, mean: %g}}]", []float64{1, 1.5, 2, 3, 10, 1e3, 1e6, 1e12}},
		{"group: %g\nstack: [{mechanism: laplace, epsilon: 0.01}]", groups},
		{"group: %g\nstack: [{mechanism: geometric, epsilon: 0.01, sensitivity: 2}]", groups},
		{"group: %g\nstack: [{mechanism: gaussian, sigma: 100}]", groups},
		{"group: %g\nstack: [{mechanism: discrete-gaussian, sigma: 100}]", groups},
		{"group: %g\nstack: [{mechanism: pure, epsilon: 0.01}]", groups},
		{"group: %g\nstack: [{mechanism: approximate, epsilon: 0.01, delta: 1e-20}]", groups},
	} {
		most := map[accounting.Method]float64{}
		for _, x := range c.values {
			s, err := Parse("ladder.yaml", fmt.Appendf(nil, "version: 1\nbudget: {delta: 1e-6}\n"+c.plan+"\n", x))
			if err != nil {
				t.Fatalf("%s at %g: %v", c.plan, x, err)
			}
			r, err := Evaluate(context.Background(), s, Options{ClosedFormsOnly: true})
			if err != nil {
				t.Fatalf("%s at %g: %v", c.plan, x, err)
			}
			for _, b := range r.Bounds {
				if b.Status == accounting.Valid && b.Epsilon < most[b.Method]*(1-1e-6) {
					t.Errorf("%s at %g: %s fell from %g to %g", c.plan, x, b.Method, most[b.Method], b.Epsilon)
				}
				if b.Status == accounting.Valid {
					most[b.Method] = math.Max(most[b.Method], b.Epsilon)
				}
			}
		}
	}
}
