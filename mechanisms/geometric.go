package mechanisms

import (
	"cmp"
	"math"
	"math/rand/v2"

	"epsiloscope/accounting"
	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/accounting/special"
	"epsiloscope/mechanisms/param"
)

// Geometric adds integer noise with mass ∝ e^{−|x|/b}, b = Δ/ε: the discrete
// Laplace mechanism (Ghosh, Roughgarden, Sundararajan 2009). With Δ = 1 its loss
// takes only the values ±ε, so it costs what randomized response costs: more than
// the continuous Laplace of the same ε under every theorem but basic.
type Geometric struct {
	Epsilon     float64 // > 0
	Sensitivity float64 // a whole number ≥ 1
	scale       float64 // as it was written, if ε was computed from it; else 0
}

func geometricSpec() Spec {
	return Spec{
		Name: "geometric", Title: "Geometric (discrete Laplace)",
		Summary: "adds two-sided geometric noise to whole-number answers",
		Params: []param.Param{
			optional(epsilonParam("privacy loss of one answer")),
			scaleParam(),
			latticeSensitivityParam(),
		},
		Alternatives: []param.Alternative{{Sets: [][]string{{"epsilon"}, {"scale"}}}},
		build: func(r reader) (Mechanism, error) {
			epsilon, err := r.epsilonOrScale()
			return Geometric{epsilon, r.number("sensitivity"), r.writtenScale()}, err
		},
		ZeroOutIsRemoval: true, Norm: L1,
		Source: "Ghosh, Roughgarden, Sundararajan 2009",
		Notes: []string{
			"With sensitivity 1 it leaks exactly what randomized response leaks: bounds for continuous Laplace noise are too small for it.",
		},
	}
}

func (Geometric) Kind() string { return "geometric" }

func (g Geometric) Scale() float64 { return g.Sensitivity / g.Epsilon }

// Releases returns one answer. With Δ = 1 its loss is ±ε as in randomized response, and it is
// interchangeable with any other release of which that is the worst case. Its ρ is tight: the
// largest r(α)/α is at α = 1.
func (g Geometric) Releases(k float64) []accounting.Entry {
	return releasesOf(g, k, func() []accounting.Entry {
		epsilon, sensitivity := g.Epsilon*k, g.Sensitivity*k
		if sensitivity == 1 {
			return oneRelease(byScale(pure("Geometric", epsilon, 1), k, g.Sensitivity, g.scale))
		}
		return oneRelease(byScale(accounting.Exact("Geometric", "geometric", accounting.Guarantees{
			Pure:    epsilon,
			Renyi:   func(alpha float64) float64 { return special.GeometricRenyi(epsilon, sensitivity, alpha) },
			Profile: func(t float64) float64 { return special.GeometricProfile(epsilon, sensitivity, t) },
			Pair:    func() pairs.Pair { return pairs.DiscreteLaplace(sensitivity/epsilon, int(sensitivity)) },
		}, epsilon, sensitivity), k, g.Sensitivity, g.scale))
	})
}

func (g Geometric) validate() error {
	return cmp.Or(requireWhole(1, maxLattice, field{"Sensitivity", g.Sensitivity}), validateNoise(g.Epsilon, g.Sensitivity))
}

func (g Geometric) Noise() Noise { return geometricNoise(g.Scale()) }

// geometricNoise returns noise of mass tanh(1/(2b))·e^{−|k|/b} on the whole numbers: the
// discrete Laplace distribution.
func geometricNoise(scale float64) Noise {
	below := 1 / (1 + math.Exp(-1/scale)) // P(noise ≤ 0)
	return &integerNoise{
		mass: func(k float64) float64 { return math.Tanh(0.5/scale) * math.Exp(-math.Abs(k)/scale) },
		upTo: func(k float64) float64 {
			if k < 0 {
				return below * math.Exp(k/scale)
			}
			return 1 - below*math.Exp(-(k+1)/scale)
		},
		near: func(p float64) float64 {
			if p < below {
				return math.Ceil(scale * math.Log(p/below))
			}
			return math.Ceil(-scale*math.Log((1-p)/below) - 1)
		},
		// The difference of two geometric numbers, each the whole part of an exponential one.
		rand: func(r *rand.Rand) float64 {
			return math.Floor(scale*r.ExpFloat64()) - math.Floor(scale*r.ExpFloat64())
		},
	}
}

// Spread returns the spread of Laplace noise, of which this is the form on whole numbers.
func (g Geometric) Spread() Spread { return Laplace(g).Spread() }

func (g Geometric) equivalents(param.Values) map[string]float64 {
	return Laplace(g).equivalents(nil)
}
