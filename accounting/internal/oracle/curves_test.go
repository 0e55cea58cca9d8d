package oracle_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"epsiloscope/accounting"
	"epsiloscope/accounting/internal/oracle"
	"epsiloscope/mechanisms"
)

// drawOrder reaches from a hair above 1 to the largest the searches try.
func drawOrder(t *rapid.T) float64 {
	switch rapid.IntRange(0, 7).Draw(t, "α") {
	case 0:
		note("α = 1 + 1e-9", true)
		return 1 + 1e-9
	case 1:
		note("α = 1e6", true)
		return 1e6
	}
	s := logDraw(t, "α−1", 1e-9, 1e6)
	if rapid.Bool().Draw(t, "whole") {
		return 1 + math.Ceil(math.Min(s, 1e4))
	}
	return 1 + s
}

// drawTinyRate returns a rate that is mostly next to 0.
func drawTinyRate(t *rapid.T) float64 {
	q := rapid.SampledFrom([]float64{1e-9, 1 - 1e-9, 0, 0, 0, 0}).Draw(t, "q")
	note("q = 1e-9", q == 1e-9)
	note("q = 1 − 1e-9", q > 0.5)
	if q == 0 {
		q = logDraw(t, "q", 1e-9, 0.999)
	}
	return q
}

// What a mechanism says of its Rényi divergence, against the definition: never below
// it, beyond rounding, and not loosely above it.
func TestCurves(t *testing.T) {
	check(t, 0.35, func(t *rapid.T) {
		alpha := drawOrder(t)
		epsilon := logDraw(t, "ε", 1e-6, 30)
		var release accounting.Release
		var truth float64
		slack := 1e-9
		switch rapid.IntRange(0, 7).Draw(t, "curve") {
		case 0:
			release, truth = accounting.PureDP(epsilon), oracle.ResponseRenyi(epsilon, 2, 1, alpha).Float()
		case 1:
			release, truth = mechanisms.Laplace{Epsilon: epsilon, Sensitivity: 1}.Releases(1)[0].Release,
				oracle.LaplaceRenyi(epsilon, alpha).Float()
		case 2:
			k := float64(rapid.IntRange(3, 1_000_000).Draw(t, "k"))
			release = mechanisms.RandomizedResponse{Epsilon: epsilon, Categories: k}.Releases(1)[0].Release
			truth = oracle.ResponseRenyi(epsilon, k, 1, alpha).Float()
		case 3:
			d := rapid.IntRange(1, 12).Draw(t, "Δ")
			release = mechanisms.Geometric{Epsilon: epsilon, Sensitivity: float64(d)}.Releases(1)[0].Release
			truth = oracle.GeometricRenyi(epsilon, d, 1, alpha).Float()
		case 4: // the worst of a few t: a lower bound on the largest
			release = mechanisms.Exponential{Epsilon: epsilon, Sensitivity: 1}.Releases(1)[0].Release
			for i := 1; i < 16; i++ {
				truth = math.Max(truth, oracle.RangeRenyi(epsilon, epsilon*float64(i)/16, alpha).Float())
			}
			slack = 0.6
		case 5:
			q := drawTinyRate(t)
			release = accounting.Subsample(accounting.PureDP(epsilon), q)
			truth = oracle.ResponseRenyi(epsilon, 2, q, alpha).Float()
		case 6:
			q, mu := drawTinyRate(t), logDraw(t, "μ", 1e-3, 3)
			alpha = math.Min(60, math.Ceil(alpha))
			release = accounting.Subsample(accounting.GaussianDP(mu), q)
			truth = oracle.SampledGaussianRenyi(q, mu, int(alpha)).Float()
		default:
			sigma, d := logDraw(t, "σ", 0.02, 30), rapid.IntRange(1, 3).Draw(t, "Δ")
			release = mechanisms.DiscreteGaussian{Sigma: sigma, Sensitivity: float64(d)}.Releases(1)[0].Release
			truth = oracle.DiscreteGaussianRenyi(sigma, d, alpha).Float()
		}
		got, err := release.Renyi(alpha)
		if err != nil {
			t.Fatal(err)
		}
		if !(got >= truth*(1-1e-12)) {
			t.Errorf("%s at α = %v: D = %.17g is below %.17g", release.Key(), alpha, got, truth)
		}
		if !(got <= truth*(1+slack)) {
			t.Errorf("%s at α = %v: D = %.17g is far above %.17g", release.Key(), alpha, got, truth)
		}
		if rho, err := release.Concentrated(); err == nil && !(rho*alpha >= truth*(1-1e-12)) {
			t.Errorf("%s: ρ = %.17g, but D/α = %.17g at α = %v", release.Key(), rho, truth/alpha, alpha)
		}
	})
}

// The curve of sampled Gaussian noise between whole orders, against an integral that
// was computed another way.
func TestSampledGaussianBetweenWholeOrders(t *testing.T) {
	check(t, 0.05, func(t *rapid.T) {
		q, mu, alpha := logDraw(t, "q", 0.01, 0.9), logDraw(t, "μ", 0.1, 2), 1+logDraw(t, "α−1", 0.2, 60)
		truth := oracle.SampledGaussianIntegral(q, mu, alpha)
		got, err := accounting.Subsample(accounting.GaussianDP(mu), q).Renyi(alpha)
		if err != nil || !(math.Abs(got-truth) <= 1e-8*truth+1e-14) {
			t.Errorf("q = %v, μ = %v, α = %v: D = %.15g, want %.15g (%v)", q, mu, alpha, got, truth, err)
		}
	})
}

// Profiles of single releases against the laws, at every ε.
func TestProfiles(t *testing.T) {
	check(t, 0.15, func(t *rapid.T) {
		epsilon := logDraw(t, "ε", 0.01, 5)
		q := 1.0
		if rapid.Bool().Draw(t, "sampled") {
			q = drawRate(t)
		}
		var release accounting.Release
		var seen view
		sample := func(n oracle.Noise) view { return viewOf(n.With(1, q), n.Mass(0)) }
		switch rapid.IntRange(0, 3).Draw(t, "profile") {
		case 0:
			d := rapid.IntRange(1, 9).Draw(t, "Δ")
			release, seen = mechanisms.Geometric{Epsilon: epsilon, Sensitivity: float64(d)}.Releases(1)[0].Release,
				sample(oracle.Geometric(epsilon, d, 1))
		case 1:
			k := float64(rapid.IntRange(3, 1000).Draw(t, "k"))
			p, r := oracle.Response(epsilon, k)
			release, seen = mechanisms.RandomizedResponse{Epsilon: epsilon, Categories: k}.Releases(1)[0].Release,
				viewOf(oracle.Mixed(p, r, q), r)
		case 2:
			sigma := logDraw(t, "σ", 0.5, 8)
			release, seen = mechanisms.DiscreteGaussian{Sigma: sigma, Sensitivity: 2}.Releases(1)[0].Release,
				sample(oracle.DiscreteGaussian(sigma, 2, 1))
		default:
			release, seen = accounting.PureDP(epsilon), sample(oracle.Geometric(epsilon, 1, 1))
		}
		x := rapid.Float64Range(-1.5, 1.5).Draw(t, "x/ε") * epsilon
		got, err := accounting.Subsample(release, q).Profile(x)
		if err != nil {
			t.Fatal(err)
		}
		want := math.Max(seen.remove.Delta(x), seen.add.Delta(x))
		if x < 0 { // what lies at a loss of −∞ counts too
			want = math.Max(want, -math.Expm1(x))
		}
		if !(math.Abs(got-want) <= 1e-9*want+1e-15) {
			t.Errorf("%s sampled at %v: δ(%v) = %.15g, want %.15g", release.Key(), q, x, got, want)
		}
	})
}
