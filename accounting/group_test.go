package accounting

import (
	"context"
	"math"
	"testing"
)

// A group of more than 2³⁰ records once had the pair of a group of 2³⁰: the
// numerical column answered 0.00107 where the truth is 1.
func TestGroupsBeyondThirtyTwoBits(t *testing.T) {
	for _, r := range []Release{PureDP(1e-12), ApproximateDP(1e-12, 1e-300), GaussianDP(1e-12)} {
		for _, k := range []float64{1 << 29, 1 << 31, 1e12, 1e18, 1e20, 1e300} {
			bounds := byMethod(Compare(context.Background(), []Entry{{GroupOf(r, k), 1}}, Target{Delta: 1e-6}))
			if n, o := bounds[Numerical], bounds[Optimal]; n.Status == Valid && o.Status == Valid && n.Epsilon < o.Epsilon*(1-1e-9) {
				t.Errorf("%s, k = %g: numerical %g is below the exact %g", r.Key(), k, n.Epsilon, o.Epsilon)
			}
			if n, g := bounds[Numerical], bounds[GDP]; n.Status == Valid && g.Status == Valid && n.Epsilon < g.Epsilon*(1-1e-9) {
				t.Errorf("%s, k = %g: numerical %g is below the exact %g", r.Key(), k, n.Epsilon, g.Epsilon)
			}
			for _, b := range bounds {
				if math.IsNaN(b.Epsilon) {
					t.Errorf("%s, k = %g: %s is not a number", r.Key(), k, b.Method)
				}
			}
		}
	}
}
