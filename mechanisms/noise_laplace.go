package mechanisms

import (
	"math"
	"math/rand/v2"
)

// LaplaceNoise has density e^{−|x|/b}/(2b).
type LaplaceNoise struct{ Scale float64 }

// Noise is the noise added to the answer.
func (l Laplace) Noise() Noise { return LaplaceNoise{l.Scale()} }

// Density is e^{−|x|/b}/(2b).
func (n LaplaceNoise) Density(x float64) float64 {
	return 0.5 * math.Exp(-math.Abs(x)/n.Scale) / n.Scale
}

// CDF is P(noise ≤ x).
func (n LaplaceNoise) CDF(x float64) float64 {
	if x < 0 {
		return 0.5 * math.Exp(x/n.Scale)
	}
	return 1 - 0.5*math.Exp(-x/n.Scale)
}

// Quantile inverts the CDF.
func (n LaplaceNoise) Quantile(p float64) float64 {
	if p < 0.5 {
		return n.Scale * math.Log(2*p)
	}
	return -n.Scale * math.Log(2*(1-p))
}

// Rand draws a sign and a length.
func (n LaplaceNoise) Rand(r *rand.Rand) float64 {
	length := n.Scale * r.ExpFloat64()
	if r.Uint64()&1 == 0 {
		return -length
	}
	return length
}

// Variance is 2b².
func (n LaplaceNoise) Variance() float64 { return 2 * n.Scale * n.Scale }

// MeanAbs is b.
func (n LaplaceNoise) MeanAbs() float64 { return n.Scale }

// Discrete is false.
func (LaplaceNoise) Discrete() bool { return false }
