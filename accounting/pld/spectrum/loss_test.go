package spectrum

import (
	"context"
	"math"
	"testing"

	"epsiloscope/accounting/pld/loss"
	"epsiloscope/accounting/special"
)

// The loss of Gaussians is N(μ²/2, μ²), that of pure releases binomial, and of one Laplace
// release half of P has the largest loss. Of a sampled Gaussian P(S > x) says whether x is
// on the side claimed.
func TestQuantile(t *testing.T) {
	ctx := context.Background()
	within := func(name string, s Stack, p, want, width float64) {
		t.Helper()
		lower, upper, err := s.Quantile(ctx, p, 1e-4)
		if err != nil || !(lower <= want && want <= upper) || upper-lower > width {
			t.Errorf("%s, p = %g: [%.9g, %.9g], want %.9g, %v", name, p, lower, upper, want, err)
		}
	}
	for _, z := range []float64{-2, 0.3, 1, 3, 6} {
		within("Gaussian", Stack{Square: 1.44}, special.NormalCDF(-z), 0.72+1.2*z, 0.01)
	}
	const e, n = 0.1, 50
	binomials := Stack{Lines: []Line{{Loss: pure(e), Count: n}}}
	above := 0.0 // P(more than k larger losses)
	for k := n; k > 5; k-- {
		choose, _ := math.Lgamma(n + 1)
		a, _ := math.Lgamma(float64(k) + 1)
		b, _ := math.Lgamma(float64(n-k) + 1)
		next := above + math.Exp(choose-a-b-float64(k)*math.Log1p(math.Exp(-e))-float64(n-k)*math.Log1p(math.Exp(e)))
		if k%5 == 0 && above > 0 {
			within("pure", binomials, math.Sqrt(above*next), e*float64(2*k-n), 0.03)
		}
		above = next
	}
	within("Laplace", Stack{Lines: []Line{{Loss: loss.Laplace(0.7), Count: 1}}}, 0.3, 0.7, 0.01)
	within("promise", Stack{Lines: []Line{{Loss: approximate(0.7, 0.01), Count: 1}}}, 0.1, 0.7, 0.01)
	if l, u, err := (Stack{Lines: []Line{{Loss: approximate(0.7, 0.01), Count: 1}}}).Quantile(ctx, 1e-3,
		1e-4); !math.IsInf(l, 1) || !math.IsInf(u, 1) || err != nil {
		t.Errorf("more mass is infinite: [%g, %g], %v", l, u, err)
	}
	sampled := Stack{Lines: []Line{{Loss: loss.Subsample(0.01, loss.Gaussian(0.9)), Count: 1000}}}
	for _, p := range []float64{0.9, 1e-2, 1e-5} {
		lower, upper, err := sampled.Quantile(ctx, p, 1e-3)
		if err != nil {
			t.Fatal(err)
		}
		_, most, err := sampled.TailProbability(ctx, lower, 1e-4)
		low, high, err2 := sampled.TailProbability(ctx, upper, 1e-4)
		if err != nil || err2 != nil || most < p || low > p || high < 0.9*p {
			t.Errorf("p = %g: [%g, %g], above them up to %g and [%g, %g], %v, %v", p, lower, upper, most, low, high, err, err2)
		}
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, _, err := sampled.Quantile(ended, 0.1, 1e-3); err == nil {
		t.Error("a context that has ended")
	}
}
