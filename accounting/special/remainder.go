package special

import "math"

// The functions below are what is left of an elementary function once its first
// terms are taken away. Written out they cancel; a Rényi divergence of order close
// to 1, or of two very close distributions, is made of nothing else.

// ExpRemainder is e^z − 1 − z, never negative, to a few ulps.
func ExpRemainder(z float64) float64 {
	if math.Abs(z) > 0.5 {
		return math.Expm1(z) - z
	}
	// z²/2·(1 + z/3·(1 + z/4·(…))), 16 terms reach 1e-17 at |z| = ½.
	sum := 1.0
	for k := 17.0; k >= 3; k-- {
		sum = 1 + z/k*sum
	}
	return z * z / 2 * sum
}

// LogExpRemainder is ln(e^z − 1 − z), finite where e^z itself overflows.
func LogExpRemainder(z float64) float64 {
	if z < 30 {
		return math.Log(ExpRemainder(z))
	}
	return z + math.Log1p(-(1+z)*math.Exp(-z))
}

// EntropyRemainder is φ(x) = (1+x)·ln(1+x) − x for x ≥ −1, never negative: the
// density of the Kullback–Leibler divergence at a likelihood ratio of 1+x.
func EntropyRemainder(x float64) float64 {
	if x <= -1 {
		return 1
	}
	if math.Abs(x) > 0.2 {
		return (1+x)*math.Log1p(x) - x
	}
	// Σ_{k≥2} (−x)^k/(k(k−1))
	sum := 0.0
	for k := seriesTerms(x); k >= 2; k-- {
		sum = 1/(k*(k-1)) - x*sum
	}
	return x * x * sum
}

// LogRemainder is x − ln(1+x) for x > −1, never negative.
func LogRemainder(x float64) float64 {
	if math.Abs(x) > 0.2 {
		return x - math.Log1p(x)
	}
	// Σ_{k≥2} (−x)^k/k
	sum := 0.0
	for k := seriesTerms(x); k >= 2; k-- {
		sum = 1/k - x*sum
	}
	return x * x * sum
}

// seriesTerms is how far a power series in |x| ≤ 0.2 must go for 1e-17.
func seriesTerms(x float64) float64 {
	switch x = math.Abs(x); {
	case x < 1e-4:
		return 6
	case x < 1e-2:
		return 11
	}
	return 26
}

// Softplus is ln(1 + e^x).
func Softplus(x float64) float64 {
	if x > 0 {
		return x + math.Log1p(math.Exp(-x))
	}
	return math.Log1p(math.Exp(x))
}
