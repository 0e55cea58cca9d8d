package pld_test

import (
	"context"
	"math"
	"testing"

	"epsiloscope/accounting/pld"
	"epsiloscope/accounting/special"
)

// The loss of Gaussians is N(μ²/2, μ²); that of pure releases is binomial.
func TestLossDistribution(t *testing.T) {
	ctx := context.Background()
	gaussians := []pld.Part{{Pair: pld.Gaussian(0.3), Count: 16}}
	mu := 1.2
	for _, z := range []float64{-2, -0.5, 1, 3, 6} {
		x := mu*mu/2 + z*mu
		lower, upper, err := pld.Exceed(ctx, gaussians, pld.With, x, pld.Options{})
		want := special.NormalCDF(-z)
		if err != nil || lower > want || upper < want || upper-lower > 1e-2*want {
			t.Errorf("z = %g: [%.9g, %.9g], want %.9g, %v", z, lower, upper, want, err)
		}
		f, err := pld.Density(ctx, gaussians, pld.With, []float64{x}, 0.01)
		if err != nil || math.Abs(f[0]*mu/special.NormalPDF(z)-1) > 1e-2 {
			t.Errorf("z = %g: density %.9g, want %.9g, %v", z, f[0], special.NormalPDF(z)/mu, err)
		}
	}
	const e, n = 0.1, 50
	pure := []pld.Part{{Pair: pld.Pure(e), Count: n}}
	for _, k := range []int{20, 28, 35, 45} { // between the sums of k and of k+1 larger losses
		x := e * float64(2*k-n+1)
		want := 0.0
		for j := k + 1; j <= n; j++ {
			choose, _ := math.Lgamma(n + 1)
			a, _ := math.Lgamma(float64(j) + 1)
			b, _ := math.Lgamma(float64(n-j) + 1)
			want += math.Exp(choose - a - b - float64(j)*math.Log1p(math.Exp(-e)) - float64(n-j)*math.Log1p(math.Exp(e)))
		}
		lower, upper, err := pld.Exceed(ctx, pure, pld.With, x, pld.Options{})
		if err != nil || lower > want*(1+1e-9) || upper < want*(1-1e-9) || upper-lower > 0.1*want {
			t.Errorf("above %g: [%.9g, %.9g], want %.9g, %v", x, lower, upper, want, err)
		}
	}
}
