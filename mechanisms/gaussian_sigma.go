package mechanisms

import (
	"math"

	"epsiloscope/accounting/special"
)

// ClassicSigma is Δ√(2 ln(1.25/δ))/ε (Dwork & Roth 2014, Theorem 3.22). It is
// proven for ε < 1 only.
func ClassicSigma(epsilon, delta, sensitivity float64) float64 {
	return sensitivity * math.Sqrt(2*math.Log(1.25/delta)) / epsilon
}

// AnalyticSigma is the smallest σ for which Gaussian noise is (ε, δ)-DP (Balle &
// Wang 2018), from above: the σ returned meets δ. Both ε > 0 and δ in (0, 1).
func AnalyticSigma(epsilon, delta, sensitivity float64) float64 {
	// In t = ln μ the profile increases; 1/μ is σ for Δ = 1.
	goal := math.Log(delta)
	fails := func(t float64) bool { return !(special.LogGaussianProfile(math.Exp(t), epsilon) <= goal) }
	low, high := -700.0, 700.0
	for range 200 {
		if t := low + (high-low)/2; fails(t) {
			high = t
		} else {
			low = t
		}
	}
	return sensitivity * math.Exp(-low)
}
