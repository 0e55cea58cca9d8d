package mechanisms

import (
	"math"
	"sync"

	"epsiloscope/accounting"
	"epsiloscope/accounting/pld"
)

// DiscreteGaussian adds integer noise with mass ∝ e^{−x²/(2σ²)} to a single
// whole-number answer (Canonne, Kamath, Steinke 2020). For vectors only its ρ
// carries over: the integer lattice has no rotations.
type DiscreteGaussian struct {
	Sigma       float64 // parameter σ; the variance is slightly below σ²
	Sensitivity float64 // a whole number ≥ 1
}

var discreteGaussianSpec = Spec{
	Name: "discrete-gaussian", Title: "Discrete Gaussian",
	Summary: "adds normal-shaped whole-number noise to a whole-number answer",
	Params: []Param{
		sigmaParam("parameter of the noise, close to its standard deviation"),
		latticeSensitivityParam(),
	},
	Source: "Canonne, Kamath, Steinke 2020",
	Notes: []string{
		"Its profile is summed on the integers, for one scalar answer; for a vector of answers rely on ρ alone.",
	},
}

func init() { discreteGaussianSpec.Build = buildDiscreteGaussian }

func buildDiscreteGaussian(v Values) (Mechanism, error) {
	r := reader{&discreteGaussianSpec, v}
	g := DiscreteGaussian{Sigma: r.number("sigma"), Sensitivity: r.number("sensitivity")}
	return g, checkLoss("sigma", g.Sensitivity/g.Sigma)
}

// Kind is "discrete-gaussian".
func (DiscreteGaussian) Kind() string { return "discrete-gaussian" }

// Releases is one release.
func (g DiscreteGaussian) Releases() []accounting.Entry { return once(g.Release()) }

// smooth is the σ from which the Rényi curve is αρ in float64: by Poisson summation
// the lattice takes at most 4e^{−2π²σ²} from the moment it bounds. That saves adding
// up a million points for every order.
const smooth = 2

// Release is one answer. Its ρ = Δ²/(2σ²) is reached (Canonne, Kamath, Steinke
// 2020, Theorem 4).
func (g DiscreteGaussian) Release() accounting.Release {
	mu := g.Sensitivity / g.Sigma
	rho := mu * mu / 2
	pair := sync.OnceValue(func() pld.Pair { return pld.DiscreteGaussian(g.Sigma, int(g.Sensitivity)) })
	return &exact{
		name: "Discrete Gaussian", key: keyOf("discrete-gaussian", g.Sigma, g.Sensitivity), pure: math.Inf(1),
		renyi: func(alpha float64) float64 {
			if g.Sigma >= smooth {
				return alpha * rho
			}
			return math.Min(alpha*rho, pair().Renyi(alpha))
		},
		profile: func(epsilon float64) float64 { return pair().Delta(epsilon) },
		rho:     func() float64 { return rho },
		pair:    pair,
	}
}

func (g DiscreteGaussian) releasesFor(k float64) []accounting.Entry {
	return once(DiscreteGaussian{g.Sigma, g.Sensitivity * k}.Release())
}

func (g DiscreteGaussian) answers() (here, neighbour Noise) {
	return around(g.Noise(), g.Sensitivity)
}
