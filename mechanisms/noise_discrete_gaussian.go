package mechanisms

import (
	"math"
	"math/rand/v2"

	"epsiloscope/accounting/special"
)

// DiscreteGaussianNoise has mass ∝ e^{−k²/(2σ²)} on the whole numbers.
type DiscreteGaussianNoise struct{ Sigma float64 }

// Noise is the noise added to the answer.
func (g DiscreteGaussian) Noise() Noise { return DiscreteGaussianNoise{g.Sigma} }

// wide is the σ from which sums over the lattice are replaced by their
// Euler–Maclaurin expansion, whose first left-out term is then below 1e-14.
const wide = 50

// weight is the mass of k before normalisation.
func (n DiscreteGaussianNoise) weight(k float64) float64 {
	z := k / n.Sigma
	return math.Exp(-0.5 * z * z)
}

// sum adds g(k)·weight(k) over k = from, from+1, … until it has died out.
func (n DiscreteGaussianNoise) sum(from float64, g func(k float64) float64) float64 {
	total := 0.0
	for k := from; k <= 40*n.Sigma+1; k++ {
		total += g(k) * n.weight(k)
	}
	return total
}

func one(float64) float64 { return 1 }

// norm is the sum of all weights. By Poisson summation it is σ√(2π) up to the
// factor 1 + 2e^{−2π²σ²}, which is 1 in float64 from σ = 1.5 on.
func (n DiscreteGaussianNoise) norm() float64 {
	if n.Sigma >= 1.5 {
		return n.Sigma * math.Sqrt(2*math.Pi)
	}
	return 1 + 2*n.sum(1, one)
}

// Density is the probability of x.
func (n DiscreteGaussianNoise) Density(x float64) float64 {
	if x != math.Trunc(x) {
		return 0
	}
	return n.weight(x) / n.norm()
}

// CDF is P(noise ≤ x), summed from the nearer tail.
func (n DiscreteGaussianNoise) CDF(x float64) float64 {
	k := math.Floor(x)
	if k >= 0 {
		return 1 - n.CDF(-k-1)
	}
	if n.Sigma < wide {
		return n.sum(-k, one) / n.norm()
	}
	// ∑_{j≤k} f(j) = F(h) − f′(h)/24 + 7f‴(h)/5760 − …, h = k+½, f = φ(·/σ)/σ.
	z := (k + 0.5) / n.Sigma
	s2 := n.Sigma * n.Sigma
	phi := special.NormalPDF(z)
	return special.NormalCDF(z) + phi*(z/24+7*(3*z-z*z*z)/(5760*s2))/s2
}

// Quantile is the smallest whole number whose CDF reaches p.
func (n DiscreteGaussianNoise) Quantile(p float64) float64 {
	guess := math.Round(GaussianNoise(n).Quantile(p))
	return settle(n, guess, p)
}

// Rand rejects from discrete Laplace noise (Canonne, Kamath, Steinke 2020,
// Algorithm 3); it takes a draw or two on average, whatever σ.
func (n DiscreteGaussianNoise) Rand(r *rand.Rand) float64 {
	t := math.Floor(n.Sigma) + 1
	proposal := GeometricNoise{t}
	for {
		y := proposal.Rand(r)
		z := math.Abs(y)/n.Sigma - n.Sigma/t
		if r.Float64() < math.Exp(-0.5*z*z) {
			return y
		}
	}
}

// Variance is slightly below σ², and equal to it in float64 for large σ.
func (n DiscreteGaussianNoise) Variance() float64 {
	if n.Sigma >= wide {
		return n.Sigma * n.Sigma
	}
	return 2 * n.sum(1, func(k float64) float64 { return k * k }) / n.norm()
}

// MeanAbs is close to σ√(2/π).
func (n DiscreteGaussianNoise) MeanAbs() float64 {
	if n.Sigma >= wide {
		s2 := n.Sigma * n.Sigma // ∑_{k≥1} k·weight(k) by Euler–Maclaurin
		return 2 * (s2 - 1.0/12 - 1/(240*s2)) / n.norm()
	}
	return 2 * n.sum(1, math.Abs) / n.norm()
}

// Discrete is true.
func (DiscreteGaussianNoise) Discrete() bool { return true }
