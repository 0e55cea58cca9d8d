package accounting

import (
	"fmt"
	"math"
)

// Closed forms of the inverse problems, as lectures state them. They are here to be
// shown beside what [Solve] finds: each is safe where it says so, and looser.

// BasicEach is the ε that each of count releases may have under basic composition.
func BasicEach(epsilon, count float64) float64 { return epsilon / count }

// AdvancedEach is the corollary of advanced composition for count releases:
// ε/(2√(2K ln(1/δ′))) (Dwork & Roth 2014, Corollary 3.21). The factor 2 pays for
// the theorem's second term, which is sufficient for ε < 1 and δ′ ≤ ½ only.
func AdvancedEach(epsilon, deltaPrime, count float64) (float64, error) {
	if !(epsilon > 0 && epsilon < 1) || !(deltaPrime > 0 && deltaPrime <= 0.5) || !(count >= 1) {
		return 0, fmt.Errorf("the corollary of advanced composition is proven for 0 < ε < 1 and 0 < δ′ ≤ ½, not for ε = %g, δ′ = %g", epsilon, deltaPrime)
	}
	return epsilon / (2 * math.Sqrt(-2*count*math.Log(deltaPrime))), nil
}

// AdvancedEachSlide is the form some slides print, ε/√(2K ln(1/δ′)): it drops the
// theorem's second term, so the releases cost more than ε.
func AdvancedEachSlide(epsilon, deltaPrime, count float64) float64 {
	return epsilon / math.Sqrt(-2*count*math.Log(deltaPrime))
}

// AdvancedEpsilon is the theorem of Dwork, Rothblum & Vadhan for count equal ε:
// √(2K ln(1/δ′))·ε + Kε(e^ε−1).
func AdvancedEpsilon(epsilon, deltaPrime, count float64) float64 {
	return math.Sqrt(-2*count*math.Log(deltaPrime))*epsilon + count*epsilon*math.Expm1(epsilon)
}

// SplitLaplace divides a total ε over Laplace queries so that Σ w·Var is least
// under basic composition: ε_i ∝ (w_i·Δ_i²)^{1/3}. Nil if no weight is positive.
func SplitLaplace(total float64, weights, sensitivities []float64) []float64 {
	return split(total, weights, sensitivities, func(w, d float64) float64 { return math.Cbrt(w * d * d) })
}

// SplitGaussian divides a total ρ over Gaussian queries so that Σ w·σ² is least under
// zCDP: ρ_i ∝ √w_i·Δ_i. Nil if no weight is positive.
func SplitGaussian(total float64, weights, sensitivities []float64) []float64 {
	return split(total, weights, sensitivities, func(w, d float64) float64 { return math.Sqrt(w) * d })
}

func split(total float64, weights, sensitivities []float64, share func(w, d float64) float64) []float64 {
	shares := make([]float64, len(weights))
	sum := 0.0
	for i, w := range weights {
		shares[i] = share(w, sensitivities[i])
		sum += shares[i]
	}
	if !(sum > 0) {
		return nil
	}
	for i := range shares {
		shares[i] *= total / sum
	}
	return shares
}
