package mechanisms

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"epsiloscope/accounting"
	"epsiloscope/accounting/pld"
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
}

var geometricSpec = Spec{
	Name: "geometric", Title: "Geometric (discrete Laplace)",
	Summary: "adds two-sided geometric noise to whole-number answers",
	Params: []param.Param{
		optional(epsilonParam("privacy loss of one answer")),
		scaleParam(),
		latticeSensitivityParam(),
	},
	Alternatives: []param.Alternative{{Sets: [][]string{{"epsilon"}, {"scale"}}}},
	build:        buildGeometric,
	Source:       "Ghosh, Roughgarden, Sundararajan 2009",
	Notes: []string{
		"With sensitivity 1 it leaks exactly what randomized response leaks: figures for continuous Laplace noise are too small for it.",
	},
}

func buildGeometric(r reader) (Mechanism, error) {
	epsilon, err := r.epsilonOrScale()
	if err != nil {
		return nil, err
	}
	return Geometric{Epsilon: epsilon, Sensitivity: r.number("sensitivity")}, nil
}

func (Geometric) Kind() string { return "geometric" }

func (g Geometric) Scale() float64 { return g.Sensitivity / g.Epsilon }

func (g Geometric) Releases() []accounting.Entry { return once(g.Release()) }

// Release is one answer. With Δ = 1 its loss is ±ε as in randomized response, and
// it is interchangeable with any other release of which that is the worst case. Its
// ρ is tight: the largest r(α)/α is at α = 1.
func (g Geometric) Release() accounting.Release {
	if g.Sensitivity == 1 {
		return accounting.Named(accounting.PureDP(g.Epsilon), "Geometric")
	}
	renyi := func(alpha float64) float64 { return special.GeometricRenyi(g.Epsilon, g.Sensitivity, alpha) }
	return &exact{
		Refusal: accounting.Refusal{Label: "Geometric"}, key: fmt.Sprintf("geometric(%v,%v)", g.Epsilon, g.Sensitivity), pure: g.Epsilon,
		renyi:   renyi,
		profile: func(epsilon float64) float64 { return special.GeometricProfile(g.Epsilon, g.Sensitivity, epsilon) },
		rho:     func() float64 { return renyi(1) },
		pair:    sync.OnceValue(func() pld.Pair { return pld.DiscreteLaplace(g.Scale(), int(g.Sensitivity)) }),
	}
}

func (g Geometric) releasesFor(k float64) []accounting.Entry {
	return once(Geometric{g.Epsilon * k, g.Sensitivity * k}.Release())
}

func (Geometric) zeroIsAbsent() bool { return true }

func (g Geometric) Error(beta, count float64) (Accuracy, error) {
	return symmetric(g.Noise(), beta, count)
}

// geometricNoise has mass tanh(1/(2b))·e^{−|k|/b} on the whole numbers: the
// discrete Laplace distribution.
type geometricNoise struct{ scale float64 }

func (g Geometric) Noise() Noise { return geometricNoise{g.Scale()} }

func (n geometricNoise) Density(x float64) float64 {
	if x != math.Trunc(x) {
		return 0
	}
	return math.Tanh(0.5/n.scale) * math.Exp(-math.Abs(x)/n.scale)
}

// CDF is P(noise ≤ x). With r = e^{−1/b} it is r^{−k}/(1+r) below 0.
func (n geometricNoise) CDF(x float64) float64 {
	k := math.Floor(x)
	below := 1 / (1 + math.Exp(-1/n.scale))
	if k < 0 {
		return below * math.Exp(k/n.scale)
	}
	return 1 - below*math.Exp(-(k+1)/n.scale)
}

func (n geometricNoise) Quantile(p float64) float64 {
	below := 1 / (1 + math.Exp(-1/n.scale))
	var guess float64
	if p < below {
		guess = math.Ceil(n.scale * math.Log(p/below))
	} else {
		guess = math.Ceil(-n.scale*math.Log((1-p)/below) - 1)
	}
	return settle(n, guess, p)
}

// Rand is the difference of two geometric numbers, each the whole part of an
// exponential one.
func (n geometricNoise) Rand(r *rand.Rand) float64 {
	return math.Floor(n.scale*r.ExpFloat64()) - math.Floor(n.scale*r.ExpFloat64())
}

func (geometricNoise) Discrete() bool { return true }

// Spread is that of Laplace noise, which it is on whole numbers.
func (g Geometric) Spread() Spread { return Spread{math.Sqrt2 * g.Scale(), g.Sensitivity, 1} }

func (g Geometric) equivalents(param.Values) map[string]float64 {
	return map[string]float64{"epsilon": g.Epsilon, "scale": g.Scale()}
}

func (g Geometric) remarks(_ param.Values, c Circumstances) []Remark {
	return histogramRemark(g.Sensitivity, 2, c)
}
