package special

import "math"

// LogBinomial is ln of the binomial probability of i successes among n with
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

// deviance is x·ln(x/mean) − x + mean, never negative.
func deviance(x, mean float64) float64 {
	if r := (x - mean) / mean; r < 10 {
		return mean * EntropyRemainder(r)
	}
	return x*math.Log(x/mean) - x + mean
}

// Stirling is ln n! − [n ln n − n + ½ ln(2πn)], for n ≥ ½.
func Stirling(n float64) float64 {
	if n < 16 {
		g, _ := math.Lgamma(n + 1)
		return g - (n*math.Log(n) - n + 0.5*math.Log(2*math.Pi*n))
	}
	r := 1 / (n * n)
	return (1.0/12 - r*(1.0/360-r*(1.0/1260-r*(1.0/1680-r/1188)))) / n
}
