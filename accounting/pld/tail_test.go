package pld_test

import (
	"context"
	"math"
	"testing"

	"epsiloscope/accounting/pld"
	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/accounting/special"
)

// The loss of Gaussians is N(μ²/2, μ²); that of pure releases is binomial.
func TestLossDistribution(t *testing.T) {
	ctx := context.Background()
	gaussians := []pairs.Part{{Pair: pairs.Gaussian(0.3), Count: 16}}
	mu := 1.2
	for _, z := range []float64{-2, -0.5, 1, 3, 6} {
		x := mu*mu/2 + z*mu
		lower, upper, err := pld.TailProbability(ctx, gaussians, pld.WithRecord, x, pld.Options{})
		want := special.NormalCDF(-z)
		if err != nil || lower > want || upper < want || upper-lower > 1e-2*want {
			t.Errorf("z = %g: [%.9g, %.9g], want %.9g, %v", z, lower, upper, want, err)
		}
		f, err := pld.Density(ctx, gaussians, pld.WithRecord, []float64{x}, 0.01, 0)
		if err != nil || math.Abs(f[0]*mu/special.NormalPDF(z)-1) > 1e-2 {
			t.Errorf("z = %g: density %.9g, want %.9g, %v", z, f[0], special.NormalPDF(z)/mu, err)
		}
	}
	const e, n = 0.1, 50
	pure := []pairs.Part{{Pair: pairs.Pure(e), Count: n}}
	for _, k := range []int{20, 28, 35, 45} { // between the sums of k and of k+1 larger losses
		x := e * float64(2*k-n+1)
		want := 0.0
		for j := k + 1; j <= n; j++ {
			choose, _ := math.Lgamma(n + 1)
			a, _ := math.Lgamma(float64(j) + 1)
			b, _ := math.Lgamma(float64(n-j) + 1)
			want += math.Exp(choose - a - b - float64(j)*math.Log1p(math.Exp(-e)) - float64(
				n-j)*math.Log1p(math.Exp(e)))
		}
		lower, upper, err := pld.TailProbability(ctx, pure, pld.WithRecord, x, pld.Options{})
		if err != nil || lower > want*(1+1e-9) || upper < want*(1-1e-9) || upper-lower > 0.1*want {
			t.Errorf("above %g: [%.9g, %.9g], want %.9g, %v", x, lower, upper, want, err)
		}
	}
}

// Quantiles in either direction: of Gaussians in closed form; of sampled responses, which have
// two losses, between the steps of their binomial sum.
func TestQuantile(t *testing.T) {
	ctx := context.Background()
	within := func(name string, parts []pairs.Part, way pld.Direction, p, want, width float64) {
		t.Helper()
		lower, upper, err := pld.Quantile(ctx, parts, way, p, pld.Options{})
		if err != nil || !(lower <= want*(1+1e-12) && want*(1-1e-12) <= upper) || upper-lower > width {
			t.Errorf("%s, p = %g: [%.9g, %.9g], want %.9g, %v", name, p, lower, upper, want, err)
		}
	}
	gaussians := []pairs.Part{{Pair: pairs.Gaussian(0.3), Count: 9}, {Pair: pairs.Gaussian(0.4), Count: 4}}
	mu := math.Sqrt(9*0.09 + 4*0.16)
	for _, z := range []float64{0.3, 2, 5} {
		within("Gaussians", gaussians, pld.WithRecord, special.NormalCDF(-z), mu*mu/2+z*mu, 0.01)
	}
	const e, q, n = 0.5, 0.2, 40
	sampled := []pairs.Part{{Pair: pairs.Subsample(q, pairs.Pure(e)), Count: n}}
	truth := 1 / (1 + math.Exp(-e))
	with := q*truth + (1-q)*(1-truth) // P and Q of the answer that the record makes likelier
	yes, no := math.Log(with/(1-truth)), math.Log((1-with)/truth)
	for way, law := range map[pld.Direction]struct{ up, high, low float64 }{
		pld.WithRecord:    {with, yes, no},
		pld.WithoutRecord: {truth, -no, -yes},
	} {
		above, chance := 0.0, math.Pow(law.up, n) // P(more than k of the larger loss), P(k of them)
		for k := n; k > n/4; k-- {
			if k%5 == 0 && k < n {
				p := math.Sqrt(above * (above + chance))
				within("sampled", sampled, way, p, float64(k)*law.high+float64(n-k)*law.low, 0.02)
			}
			above += chance
			chance *= float64(k) / float64(n-k+1) * (1 - law.up) / law.up
		}
	}
	if _, _, err := pld.Quantile(ctx, []pairs.Part{{Pair: pairs.ShuffledEpoch(10, 1, 1, false), Count: 1}},
		pld.WithRecord, 0.1, pld.Options{}); err == nil {
		t.Error("the quantile of a loss that is not known")
	}
	for _, p := range []float64{-1, 0, 1, 2, math.NaN()} {
		if _, _, err := pld.Quantile(ctx, gaussians, pld.WithRecord, p, pld.Options{}); err == nil {
			t.Errorf("the quantile of %g", p)
		}
	}
}
