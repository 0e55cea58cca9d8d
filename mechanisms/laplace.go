package mechanisms

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"

	"epsiloscope/accounting"
	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/accounting/special"
	"epsiloscope/mechanisms/param"
)

// Laplace adds noise with density e^{−|x|/b}/(2b), b = Δ₁/ε, to every coordinate
// of an answer whose L1 sensitivity is Δ₁ (Dwork, McSherry, Nissim, Smith 2006).
// It is ε-DP and no less.
type Laplace struct {
	Epsilon     float64 // > 0
	Sensitivity float64 // Δ₁ > 0, in units of the answer
	scale       float64 // as it was written, if ε was computed from it; else 0
}

func laplaceSpec() Spec {
	return Spec{
		Name: "laplace", Title: "Laplace",
		Summary: "adds two-sided exponential noise to counts, sums and histograms",
		Params: []param.Param{
			optional(epsilonParam("privacy loss of one answer")),
			scaleParam(),
			sensitivityParam("Δ₁", "most one record can change the answer (L1: the sum over coordinates)"),
		},
		Alternatives: []param.Alternative{{Sets: [][]string{{"epsilon"}, {"scale"}}}},
		build: func(r reader) (Mechanism, error) {
			epsilon, err := r.epsilonOrScale()
			return Laplace{epsilon, r.number("sensitivity"), r.writtenScale()}, err
		},
		ZeroOutIsRemoval: true, Norm: L1,
		Source: "Dwork, McSherry, Nissim, Smith 2006",
		Notes: []string{
			"A histogram has sensitivity 1 under add-remove and 2 under replace; slides that print 2 mean replace.",
			"With the score −|f(D) − o| the exponential mechanism gives Lap(2Δ/ε): twice this scale, the price of generality.",
			"Floating-point noise is unsafe for a real release (Mironov 2012); use the geometric mechanism there.",
		},
	}
}

func scaleParam() param.Param {
	return scalesWithNoise(1, inUnit("answer", optional(positive("scale", "b", "scale of the noise: sensitivity / ε", 10, 1.1))))
}

// epsilonOrScale reads ε, or takes it from the scale.
func (r reader) epsilonOrScale() (float64, error) {
	if r.has("epsilon") {
		return r.epsilon()
	}
	epsilon := r.number("sensitivity") / r.number("scale")
	return epsilon, checkLoss("scale", epsilon)
}

// writtenScale returns the scale from which ε is taken; 0 if ε is given.
func (r reader) writtenScale() float64 {
	if r.has("epsilon") {
		return 0
	}
	return r.number("scale")
}

func (Laplace) Kind() string { return "laplace" }

// Scale returns b, in units of the answer.
func (l Laplace) Scale() float64 { return l.Sensitivity / l.Epsilon }

func (l Laplace) Releases(k float64) []accounting.Entry {
	return releasesOf(l, k, func() []accounting.Entry {
		return oneRelease(byScale(laplaceRelease(l.Epsilon*k), k, l.Sensitivity, l.scale))
	})
}

// byScale gives a release the exact quotient from which its ε was computed, if a scale was written. The ε of several
// records is rounded twice, and is rounded up where it has to be exact.
func byScale(r accounting.Release, k, sensitivity, scale float64) accounting.Release {
	if scale == 0 || k != 1 {
		return r
	}
	return accounting.WithQuotient(r, sensitivity, scale)
}

func (l Laplace) validate() error {
	return validateNoise(l.Epsilon, l.Sensitivity)
}

// laplaceRelease returns the release of one answer. Its ρ is tight: the largest r(α)/α is at α =
// 1, where it is ε + e^{−ε} − 1.
func laplaceRelease(epsilon float64) accounting.Release {
	return accounting.Exact("Laplace", "laplace", accounting.Guarantees{
		Pure:  epsilon,
		Renyi: func(alpha float64) float64 { return special.LaplaceRenyi(epsilon, alpha) },
		Pair:  func() pairs.Pair { return pairs.Laplace(epsilon) },
	}, epsilon)
}

// LaplaceNoise returns noise of density e^{−|x|/b}/(2b), b the scale.
func LaplaceNoise(scale float64) Noise { return scaledNoise{&laplaceShape, scale} }

var laplaceShape = shape{
	density: func(x float64) float64 { return 0.5 * math.Exp(-math.Abs(x)) },
	cdf:     distuv.Laplace{Scale: 1}.CDF,
	quantile: func(p float64) float64 {
		if p < 0.5 {
			return math.Log(2 * p)
		}
		return -math.Log(2 * (1 - p))
	},
	rand: func(r *rand.Rand) float64 {
		length := r.ExpFloat64()
		if r.Uint64()&1 == 0 {
			return -length
		}
		return length
	},
}

func (l Laplace) Noise() Noise { return LaplaceNoise(l.Scale()) }

// Spread returns √2·b; ρ is about ε²/2 = Δ²/Var.
func (l Laplace) Spread() Spread { return Spread{math.Sqrt2 * l.Scale(), l.Sensitivity, 1} }

func (l Laplace) equivalents(param.Values) map[string]float64 {
	return map[string]float64{"epsilon": l.Epsilon, "scale": l.Scale()}
}

func (l Laplace) EqualCostNoise(ctx context.Context, count, delta float64) (Noise, string, bool) {
	total, ok := laplaceCost(ctx, l.Epsilon, count, delta)
	if !ok {
		return nil, "", false
	}
	mu := accounting.GaussianFromDP(total, delta)
	return GaussianNoise(l.Sensitivity * math.Sqrt(count) / mu), "Gaussian at equal cost", mu > 0 && !math.IsInf(mu, 1)
}

// laplaceCost returns the best closed bound on count releases.
func laplaceCost(ctx context.Context, epsilon, count, delta float64) (total float64, ok bool) {
	runs := []accounting.Entry{{Release: laplaceRelease(epsilon), Count: count}}
	bounds := accounting.ClosedForms(ctx, runs, accounting.Target{Delta: delta})
	best := accounting.Best(bounds)
	if best < 0 || ctx.Err() != nil {
		return 0, false
	}
	return bounds[best].Epsilon, true
}
