package special

import "math"

// The functions below are what is left of an elementary function once its first
// terms are taken away. Written out they cancel; a Rényi divergence of order close
// to 1, or of two very close distributions, is made of nothing else.

// ExpRemainder returns e^z − 1 − z, never negative, to a few ulps.
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

// LogExpRemainder returns ln(e^z − 1 − z), finite where e^z itself overflows.
func LogExpRemainder(z float64) float64 {
	if z < 30 {
		return math.Log(ExpRemainder(z))
	}
	return z + math.Log1p(-(1+z)*math.Exp(-z))
}

// EntropyRemainder returns φ(x) = (1+x)·ln(1+x) − x for x ≥ −1, never negative: the
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

// LogRemainder returns x − ln(1+x) for x > −1, never negative.
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

// seriesTerms returns the number of terms that a power series in |x| ≤ 0.2 needs for 1e-17.
func seriesTerms(x float64) float64 {
	x = math.Abs(x)
	switch {
	case x < 1e-4:
		return 6
	case x < 1e-2:
		return 11
	}
	return 26
}

// Softplus returns ln(1 + e^x).
func Softplus(x float64) float64 {
	if x > 0 {
		return x + math.Log1p(math.Exp(-x))
	}
	return math.Log1p(math.Exp(x))
}

// LogBinomial returns ln of the binomial probability of i successes among n with
// probability q, in deviance form (Loader 2000): at n = 1e9 it keeps the twelve
// digits that a difference of ln Γ loses.
func LogBinomial(i, n, q float64) float64 {
	switch {
	case i < 0 || i > n:
		return math.Inf(-1)
	case i == 0:
		return n * math.Log1p(-q)
	case i == n:
		return n * math.Log(q)
	}
	return 0.5*(math.Log(n/i)-math.Log(2*math.Pi*(n-i))) -
		deviance(i, n*q) - deviance(n-i, n*(1-q)) +
		Stirling(n) - Stirling(i) - Stirling(n-i)
}

// deviance returns x·ln(x/mean) − x + mean, never negative.
func deviance(x, mean float64) float64 {
	if r := (x - mean) / mean; r < 10 {
		return mean * EntropyRemainder(r)
	}
	return x*math.Log(x/mean) - x + mean
}

// Stirling returns ln n! − [n ln n − n + ½ ln(2πn)], for n ≥ ½.
func Stirling(n float64) float64 {
	if n < 16 {
		g, _ := math.Lgamma(n + 1)
		return g - (n*math.Log(n) - n + 0.5*math.Log(2*math.Pi*n))
	}
	r := 1 / (n * n)
	return (1.0/12 - r*(1.0/360-r*(1.0/1260-r*(1.0/1680-r/1188)))) / n
}
