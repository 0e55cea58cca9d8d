// Package slides has figures and closed forms as lectures state them, to stand beside what the
// program computes: each is safe where it says so, and looser.
package slides

import (
	"fmt"
	"math"

	"epsiloscope/accounting/special"
)

// AdvancedEach returns the corollary of advanced composition for count releases:
// ε/(2√(2K ln(1/δ′))) (Dwork & Roth 2014, Corollary 3.21). The factor 2 pays for
// the theorem's second term, which is sufficient for ε < 1 and δ′ ≤ ½ only.
func AdvancedEach(epsilon, deltaPrime, count float64) (float64, error) {
	if !(epsilon > 0 && epsilon < 1) || !(deltaPrime > 0 && deltaPrime <= 0.5) || !(count >= 1) {
		return 0, fmt.Errorf("the corollary of advanced composition is proven for 0 < ε < 1 and 0 < δ′ ≤ ½, not for ε = %g, δ′ = %g", epsilon, deltaPrime)
	}
	return epsilon / (2 * math.Sqrt(-2*count*math.Log(deltaPrime))), nil
}

// AdvancedEachSlide returns the form some slides print, ε/√(2K ln(1/δ′)): it drops the
// theorem's second term, so the releases cost more than ε.
func AdvancedEachSlide(epsilon, deltaPrime, count float64) float64 {
	return epsilon / math.Sqrt(-2*count*math.Log(deltaPrime))
}

// TakeTwo returns the slide's "take 2": ε = τ/(nc) gives 2e^{−¾x} with x = τ²/(nc²).
// Its proof shows 2e^{(1/√2 − 3/2)x} + 2e^{−x}, which is below that from
// x = [TakeTwoFrom] on.
func TakeTwo(x float64) (slide, proven float64) {
	slide = math.Min(1, 2*math.Exp(-0.75*x))
	proven = math.Min(1, 2*math.Exp((math.Sqrt2/2-1.5)*x)+2*math.Exp(-x))
	return slide, proven
}

// TakeTwoFrom returns the x at which the two expressions of [TakeTwo] meet; the slide
// says "more than 10 seems OK".
func TakeTwoFrom() float64 {
	// e^{−¾x} = e^{(1/√2−3/2)x} + e^{−x}; the left side wins from one point on.
	_, high := special.Bisect(1, 20, 0, func(x float64) bool {
		return math.Exp((math.Sqrt2/2-0.75)*x)+math.Exp(-0.25*x) > 1
	})
	return high
}

// What privacy promises about overfitting: an analyst who sees the data only
// through an ε-DP algorithm picks statistics whose value on the sample is close to
// that on the population. n is the sample size, τ the tolerance; statistical
// queries are averages of values in [0, 1].

// GeneralizationEpsilon returns the largest ε for which [GeneralizationBound] holds,
// √(τ² − ln 2/(2n)) (Dwork et al. 2015, "Preserving statistical validity in
// adaptive data analysis", Theorem 9 for statistical queries). It is 0 where τ is
// too small for n: the bound needs nτ² > ½ ln 2.
func GeneralizationEpsilon(n, tau float64) float64 {
	return math.Sqrt(math.Max(0, tau*tau-math.Ln2/(2*n)))
}

// GeneralizationBound returns 3√2·e^{−nτ²}, at most 1: the probability that a query
// picked by an ε-DP algorithm is off by more than τ, for ε up to
// [GeneralizationEpsilon].
func GeneralizationBound(n, tau float64) float64 {
	return math.Min(1, 3*math.Sqrt2*math.Exp(-n*tau*tau))
}

// Hoeffding returns 2e^{−2nτ²}, at most 1: the same for a query fixed in advance.
func Hoeffding(n, tau float64) float64 { return math.Min(1, 2*math.Exp(-2*n*tau*tau)) }

// MaxInformation bounds, in bits, how much an ε-DP algorithm on n records may say
// about them: log₂(e)·εn (Dwork et al. 2015, "Generalization in adaptive data
// analysis and holdout reuse", Theorem 20).
func MaxInformation(epsilon, n float64) float64 { return math.Log2E * epsilon * n }

// ApproximateMaxInformation returns the β-approximate bound for independent records:
// log₂(e)·(ε²n/2 + ε√(n ln(2/β)/2)), in bits, never above [MaxInformation].
func ApproximateMaxInformation(epsilon, n, beta float64) float64 {
	bits := math.Log2E * (epsilon*epsilon*n/2 + epsilon*math.Sqrt(n*math.Log(2/beta)/2))
	return math.Min(bits, MaxInformation(epsilon, n))
}

// MaxInformationEpsilon returns the ε = τ² of [MaxInformationBound].
func MaxInformationEpsilon(tau float64) float64 { return tau * tau }

// MaxInformationBound returns 2e^{−nτ²}, at most 1: the probability that a query is off by
// more than τ when it was picked by a τ²-DP algorithm. Its max-information is at most
// nτ² nats, and that factor e^{nτ²} turns Hoeffding's 2e^{−2nτ²} into this.
func MaxInformationBound(n, tau float64) float64 { return math.Min(1, 2*math.Exp(-n*tau*tau)) }
