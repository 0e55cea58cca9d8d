package mechanisms

import (
	"math"
	"math/rand/v2"
)

// GeometricNoise has mass tanh(1/(2b))·e^{−|k|/b} on the whole numbers: the
// discrete Laplace distribution.
type GeometricNoise struct{ Scale float64 }

// Noise is the noise added to the answer.
func (g Geometric) Noise() Noise { return GeometricNoise{g.Scale()} }

// Density is the probability of x.
func (n GeometricNoise) Density(x float64) float64 {
	if x != math.Trunc(x) {
		return 0
	}
	return math.Tanh(0.5/n.Scale) * math.Exp(-math.Abs(x)/n.Scale)
}

// CDF is P(noise ≤ x). With r = e^{−1/b} it is r^{−k}/(1+r) below 0.
func (n GeometricNoise) CDF(x float64) float64 {
	k := math.Floor(x)
	below := 1 / (1 + math.Exp(-1/n.Scale))
	if k < 0 {
		return below * math.Exp(k/n.Scale)
	}
	return 1 - below*math.Exp(-(k+1)/n.Scale)
}

// Quantile is the smallest whole number whose CDF reaches p.
func (n GeometricNoise) Quantile(p float64) float64 {
	below := 1 / (1 + math.Exp(-1/n.Scale))
	var guess float64
	if p < below {
		guess = math.Ceil(n.Scale * math.Log(p/below))
	} else {
		guess = math.Ceil(-n.Scale*math.Log((1-p)/below) - 1)
	}
	return settle(n, guess, p)
}

// Rand is the difference of two geometric numbers, each the whole part of an
// exponential one.
func (n GeometricNoise) Rand(r *rand.Rand) float64 {
	return math.Floor(n.Scale*r.ExpFloat64()) - math.Floor(n.Scale*r.ExpFloat64())
}

// Variance is 1/(2 sinh²(1/(2b))).
func (n GeometricNoise) Variance() float64 {
	s := math.Sinh(0.5 / n.Scale)
	return 0.5 / (s * s)
}

// MeanAbs is 1/sinh(1/b).
func (n GeometricNoise) MeanAbs() float64 { return 1 / math.Sinh(1/n.Scale) }

// Discrete is true.
func (GeometricNoise) Discrete() bool { return true }
