package mechanisms

import (
	"math"
	"math/rand/v2"
)

// ExponentialNoise has density e^{−x/b}/b for x ≥ 0.
type ExponentialNoise struct{ Scale float64 }

// GumbelNoise has CDF exp(−e^{−x/b}); the largest of scores with such noise is a
// draw of the exponential mechanism.
type GumbelNoise struct{ Scale float64 }

// Noise is the noise added to every score.
func (n NoisyMax) Noise() Noise {
	switch n.Shape {
	case "exponential":
		return ExponentialNoise{n.Scale()}
	case "gumbel":
		return GumbelNoise{n.Scale()}
	}
	return LaplaceNoise{n.Scale()}
}

// Density is e^{−x/b}/b for x ≥ 0.
func (n ExponentialNoise) Density(x float64) float64 {
	if x < 0 {
		return 0
	}
	return math.Exp(-x/n.Scale) / n.Scale
}

// CDF is 1 − e^{−x/b}.
func (n ExponentialNoise) CDF(x float64) float64 {
	if x < 0 {
		return 0
	}
	return -math.Expm1(-x / n.Scale)
}

// Quantile inverts the CDF.
func (n ExponentialNoise) Quantile(p float64) float64 { return -n.Scale * math.Log1p(-p) }

// Rand draws one value.
func (n ExponentialNoise) Rand(r *rand.Rand) float64 { return n.Scale * r.ExpFloat64() }

// Variance is b².
func (n ExponentialNoise) Variance() float64 { return n.Scale * n.Scale }

// MeanAbs is b.
func (n ExponentialNoise) MeanAbs() float64 { return n.Scale }

// Discrete is false.
func (ExponentialNoise) Discrete() bool { return false }

// Density is e^{−z−e^{−z}}/b at z = x/b.
func (n GumbelNoise) Density(x float64) float64 {
	z := x / n.Scale
	return math.Exp(-z-math.Exp(-z)) / n.Scale
}

// CDF is exp(−e^{−x/b}).
func (n GumbelNoise) CDF(x float64) float64 { return math.Exp(-math.Exp(-x / n.Scale)) }

// Quantile inverts the CDF.
func (n GumbelNoise) Quantile(p float64) float64 { return -n.Scale * math.Log(-math.Log(p)) }

// Rand draws one value: −ln of an exponential one.
func (n GumbelNoise) Rand(r *rand.Rand) float64 { return -n.Scale * math.Log(r.ExpFloat64()) }

// Variance is π²b²/6.
func (n GumbelNoise) Variance() float64 { return math.Pi * math.Pi / 6 * n.Scale * n.Scale }

// gumbelMeanAbs is E|X| of the standard Gumbel distribution. Its mean is γ, the
// Euler–Mascheroni constant, and its negative part has mean E₁(1), so
// E|X| = γ + 2E₁(1).
const gumbelMeanAbs = 0.5772156649015329 + 2*0.21938393439552026

// MeanAbs is (γ + 2E₁(1))·b.
func (n GumbelNoise) MeanAbs() float64 { return gumbelMeanAbs * n.Scale }

// Discrete is false.
func (GumbelNoise) Discrete() bool { return false }
