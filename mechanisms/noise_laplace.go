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

// settle corrects a guess at a quantile for rounding: by one step either way.
func settle(n Noise, guess, p float64) float64 {
	for range 8 {
		switch {
		case n.CDF(guess) < p && guess+1 > guess:
			guess++
		case n.CDF(guess-1) >= p && guess-1 < guess:
			guess--
		default:
			return guess
		}
	}
	return guess
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
