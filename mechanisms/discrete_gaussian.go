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

// DiscreteGaussian adds integer noise with mass ∝ e^{−x²/(2σ²)} to a single
// whole-number answer (Canonne, Kamath, Steinke 2020). For vectors only its ρ
// carries over: the integer lattice has no rotations.
type DiscreteGaussian struct {
	Sigma       float64 // parameter σ; the variance is slightly below σ²
	Sensitivity float64 // a whole number ≥ 1
}

func discreteGaussianSpec() Spec {
	return Spec{
		Name: "discrete-gaussian", Title: "Discrete Gaussian",
		Summary: "adds normal-shaped whole-number noise to a whole-number answer",
		Params: []param.Param{
			sigmaParam("parameter of the noise, close to its standard deviation"),
			latticeSensitivityParam(),
		},
		build: func(r reader) (Mechanism, error) {
			g := DiscreteGaussian{r.number("sigma"), r.number("sensitivity")}
			return g, checkLoss("sigma", g.Sensitivity/g.Sigma)
		},
		ZeroOutIsRemoval: true, Norm: L2,
		Source: "Canonne, Kamath, Steinke 2020",
		Notes: []string{
			"Its profile is summed on the integers, for one scalar answer; for a vector of answers rely on ρ alone.",
		},
	}
}

func (DiscreteGaussian) Kind() string { return "discrete-gaussian" }

// smooth is the σ from which the Rényi curve is αρ in float64: by Poisson summation
// the lattice takes at most 4e^{−2π²σ²} from the moment it bounds. That saves adding
// up a million points for every order.
const smooth = 2

// renyi returns αΔ²/(2σ²) + ln(S(αΔ)/S(0))/(α−1), S(c) = Σ e^{−(x−c)²/(2σ²)} over the whole
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

// gain returns ln(S(c)/S(0)) for |c| ≤ ½, and the size of what was added up for it. For
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

// Releases returns one answer. Its ρ = Δ²/(2σ²) is attained (Canonne, Kamath, Steinke 2020,
// Theorem 4).
func (g DiscreteGaussian) Releases(k float64) []accounting.Entry {
	return releasesOf(g, k, func() []accounting.Entry {
		g.Sensitivity *= k
		return oneRelease(accounting.Exact("Discrete Gaussian", "discrete-gaussian", accounting.Guarantees{
			Pure: math.Inf(1), Renyi: g.renyi,
			Pair:   func() pairs.Pair { return pairs.DiscreteGaussian(g.Sigma, int(g.Sensitivity)) },
			Reason: "Discrete Gaussian is not continuous Gaussian noise",
		}, g.Sigma, g.Sensitivity))
	})
}

func (g DiscreteGaussian) validate() error {
	return cmp.Or(requirePositive(field{"Sigma", g.Sigma}), requireWhole(1, maxLattice, field{"Sensitivity", g.Sensitivity}),
		checkLoss("Sigma", g.Sensitivity/g.Sigma))
}

// discreteNormal has mass ∝ e^{−k²/(2σ²)} on the whole numbers.
type discreteNormal struct{ sigma float64 }

func (g DiscreteGaussian) Noise() Noise { return discreteNormal{g.Sigma}.noise() }

func (n discreteNormal) noise() Noise {
	norm, t := n.norm(), math.Floor(n.sigma)+1
	proposal := geometricNoise(t)
	return &integerNoise{
		mass: func(k float64) float64 { return n.weight(k) / norm },
		upTo: n.upTo,
		near: func(p float64) float64 { return math.Round(GaussianNoise(n.sigma).Quantile(p)) },
		// Rejected from discrete Laplace noise (Canonne, Kamath, Steinke 2020, Algorithm 3);
		// it takes a draw or two on average, whatever σ.
		rand: func(r *rand.Rand) float64 {
			for {
				y := proposal.Rand(r)
				z := math.Abs(y)/n.sigma - n.sigma/t
				if r.Float64() < math.Exp(-0.5*z*z) {
					return y
				}
			}
		},
	}
}

// wide is the σ from which sums over the lattice are replaced by their
// Euler–Maclaurin expansion, whose first left-out term is then below 1e-14.
const wide = 50

// weight returns the mass of k before normalisation.
func (n discreteNormal) weight(k float64) float64 {
	z := k / n.sigma
	return math.Exp(-0.5 * z * z)
}

// sum adds up the weights of from, from+1, … until they have died out.
func (n discreteNormal) sum(from float64) float64 {
	total := 0.0
	for k := from; k <= 40*n.sigma+1; k++ {
		total += n.weight(k)
	}
	return total
}

// norm returns the sum of all weights. By Poisson summation it is σ√(2π) up to the
// factor 1 + 2e^{−2π²σ²}, which is 1 in float64 from σ = 1.5 on.
func (n discreteNormal) norm() float64 {
	if n.sigma >= 1.5 {
		return n.sigma * math.Sqrt(2*math.Pi)
	}
	return 1 + 2*n.sum(1)
}

// upTo returns P(noise ≤ k), summed from the nearer tail.
func (n discreteNormal) upTo(k float64) float64 {
	if k >= 0 {
		return 1 - n.upTo(-k-1)
	}
	if n.sigma < wide {
		return n.sum(-k) / n.norm()
	}
	// ∑_{j≤k} f(j) = F(h) − f′(h)/24 + 7f‴(h)/5760 − …, h = k+½, f = φ(·/σ)/σ.
	z := (k + 0.5) / n.sigma
	s2 := n.sigma * n.sigma
	phi := special.NormalPDF(z)
	return special.NormalCDF(z) + phi*(z/24+7*(3*z-z*z*z)/(5760*s2))/s2
}

// Spread returns σ; ρ = Δ²/(2σ²).
func (g DiscreteGaussian) Spread() Spread { return Spread{g.Sigma, g.Sensitivity, 0.5} }

// DiscreteGaussianCells adds discrete Gaussian noise to each of several whole numbers of which one person can change
// more than one. The scalar mechanism with Δ₂ does not dominate it: the lattice has no rotations.
type DiscreteGaussianCells struct {
	DiscreteGaussian // the noise, and how far one cell moves at most
	// Cells counts the cells that one person can move; 0 if only Length is known.
	Cells float64
	// Length is Δ₂. If Cells is 0, the release is priced by ρ = Δ₂²/(2σ²) alone.
	Length float64
}

// Releases returns one release per cell, or one that is known by its ρ.
func (c DiscreteGaussianCells) Releases(k float64) []accounting.Entry {
	return releasesOf(c, k, func() []accounting.Entry {
		if c.Cells > 0 {
			return accounting.Times(c.DiscreteGaussian.Releases(k), c.Cells)
		}
		mu := c.Length * k / c.Sigma
		return oneRelease(accounting.WithName(accounting.ConcentratedDP(0, mu*mu/2), "Discrete Gaussian on several cells"))
	})
}

func (c DiscreteGaussianCells) validate() error {
	if c.Cells == 0 {
		return cmp.Or(requirePositive(field{"Sigma", c.Sigma}, field{"Length", c.Length}), checkLoss("Sigma", c.Length/c.Sigma))
	}
	return cmp.Or(c.DiscreteGaussian.validate(), requireWhole(1, maxCount, field{"Cells", c.Cells}),
		requirePositive(field{"Length", c.Length}))
}

// Spread returns σ on each cell; ρ = Δ₂²/(2σ²).
func (c DiscreteGaussianCells) Spread() Spread { return Spread{c.Sigma, c.Length, 0.5} }
