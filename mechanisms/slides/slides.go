// Package slides has figures and closed forms as lectures state them, to stand beside what the
// program computes: each is safe where it says so, and looser.
package slides

import (
	"fmt"
	"math"

	"epsiloscope/accounting/special"
)

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

// TakeTwo is the slide's "take 2": ε = τ/(nc) gives 2e^{−¾x} with x = τ²/(nc²).
// Its proof shows 2e^{(1/√2 − 3/2)x} + 2e^{−x}, which is below that from
// x = [TakeTwoFrom] on.
func TakeTwo(x float64) (slide, proven float64) {
	slide = math.Min(1, 2*math.Exp(-0.75*x))
	proven = math.Min(1, 2*math.Exp((math.Sqrt2/2-1.5)*x)+2*math.Exp(-x))
	return slide, proven
}

// TakeTwoFrom is the x at which the two expressions of [TakeTwo] meet; the slide
// says "more than 10 seems OK".
func TakeTwoFrom() float64 {
	// e^{−¾x} = e^{(1/√2−3/2)x} + e^{−x}; the left side wins from one point on.
	_, high := special.Bisect(1, 20, 0, func(x float64) bool {
		return math.Exp((math.Sqrt2/2-0.75)*x)+math.Exp(-0.25*x) > 1
	})
	return high
}
