package special

import "math"

// GroupDelta is δ·(1 + e^ε + … + e^{(k−1)ε}), at most 1: what k steps fail with if each
// is (ε, δ)-DP (Dwork & Roth 2014, Theorem 2.2, summed).
func GroupDelta(epsilon, delta, k float64) float64 {
	if delta == 0 {
		return 0
	}
	factor := k
	if epsilon > 0 {
		factor = math.Expm1(k*epsilon) / math.Expm1(epsilon)
	}
	if !(factor*delta < 1) {
		return 1
	}
	return factor * delta
}
