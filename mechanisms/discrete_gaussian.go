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

// renyi is αΔ²/(2σ²) + ln(S(αΔ)/S(0))/(α−1), S(c) = Σ e^{−(x−c)²/(2σ²)} over the whole
// numbers x: to the power α the noise is moved by αΔ, and meets the lattice elsewhere.
// The logarithm is never positive; it is rounded up.
func (g DiscreteGaussian) renyi(alpha float64) float64 {
	mu := g.Sensitivity / g.Sigma
	line := alpha * mu * mu / 2
	if g.Sigma >= smooth || alpha <= 1 || alpha*g.Sensitivity > 1e9 {
		return line
	}
	between := alpha*g.Sensitivity - math.Round(alpha*g.Sensitivity)
	gain, size := g.gain(between)
	size += alpha * g.Sensitivity * math.Abs(between) / (g.Sigma * g.Sigma) // between is rounded too
	return math.Min(line, line+(gain+2e-15*size)/(alpha-1))
}

// gain is ln(S(c)/S(0)) for |c| ≤ ½, and the size of what was added up for it. For
// small c each point is compared with itself, moved: the logarithms would cancel.
func (g DiscreteGaussian) gain(c float64) (gain, size float64) {
	twice := 2 * g.Sigma * g.Sigma
	reach := math.Ceil(9 * g.Sigma)
	if math.Abs(c) > twice {
		moved, still := 0.0, 0.0 // beside the nearest point
		for x := reach; x >= 1; x-- {
			moved += math.Exp(x*(2*c-x)/twice) + math.Exp(-x*(2*c+x)/twice)
			still += 2 * math.Exp(-x*x/twice)
		}
		return math.Log1p(moved) - math.Log1p(still) - c*c/twice, 1 + c*c/twice
	}
	fall := math.Expm1(-c * c / twice)
	sum, still := fall, 1.0
	size = -fall
	for x := reach; x >= 1; x-- {
		m := 2 * math.Exp(-x*x/twice)
		sinh := math.Sinh(x * c / twice)
		rise := (1 + fall) * 2 * sinh * sinh // e^{−c²/2σ²}(cosh(xc/σ²) − 1)
		sum, size, still = sum+m*(fall+rise), size+m*(rise-fall), still+m
	}
	return math.Log1p(sum / still), size
}

// Release is one answer. Its ρ = Δ²/(2σ²) is reached (Canonne, Kamath, Steinke
// 2020, Theorem 4).
func (g DiscreteGaussian) Release() accounting.Release {
	mu := g.Sensitivity / g.Sigma
	rho := mu * mu / 2
	pair := sync.OnceValue(func() pld.Pair { return pld.DiscreteGaussian(g.Sigma, int(g.Sensitivity)) })
	return &exact{
		name: "Discrete Gaussian", key: keyOf("discrete-gaussian", g.Sigma, g.Sensitivity), pure: math.Inf(1),
		renyi:   g.renyi,
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
