package slides

import "math"

// What privacy promises about overfitting: an analyst who sees the data only
// through an ε-DP algorithm picks statistics whose value on the sample is close to
// that on the population. n is the sample size, τ the tolerance; statistical
// queries are averages of values in [0, 1].

// GeneralizationEpsilon is the largest ε for which [GeneralizationBound] holds,
// √(τ² − ln 2/(2n)) (Dwork et al. 2015, "Preserving statistical validity in
// adaptive data analysis", Theorem 9 for statistical queries). It is 0 where τ is
// too small for n: the bound needs nτ² > ½ ln 2.
func GeneralizationEpsilon(n, tau float64) float64 {
	return math.Sqrt(math.Max(0, tau*tau-math.Ln2/(2*n)))
}

// GeneralizationBound is 3√2·e^{−nτ²}, at most 1: the probability that a query
// picked by an ε-DP algorithm is off by more than τ, for ε up to
// [GeneralizationEpsilon].
func GeneralizationBound(n, tau float64) float64 {
	return math.Min(1, 3*math.Sqrt2*math.Exp(-n*tau*tau))
}

// Hoeffding is 2e^{−2nτ²}, at most 1: the same for a query fixed in advance.
func Hoeffding(n, tau float64) float64 { return math.Min(1, 2*math.Exp(-2*n*tau*tau)) }

// MaxInformation bounds, in bits, how much an ε-DP algorithm on n records may say
// about them: log₂(e)·εn (Dwork et al. 2015, "Generalization in adaptive data
// analysis and holdout reuse", Theorem 20).
func MaxInformation(epsilon, n float64) float64 { return math.Log2E * epsilon * n }

// ApproximateMaxInformation is the β-approximate bound for independent records:
// log₂(e)·(ε²n/2 + ε√(n ln(2/β)/2)), in bits, never above [MaxInformation].
func ApproximateMaxInformation(epsilon, n, beta float64) float64 {
	bits := math.Log2E * (epsilon*epsilon*n/2 + epsilon*math.Sqrt(n*math.Log(2/beta)/2))
	return math.Min(bits, MaxInformation(epsilon, n))
}

// MaxInformationEpsilon is the ε = τ² of [MaxInformationBound].
func MaxInformationEpsilon(tau float64) float64 { return tau * tau }

// MaxInformationBound is 2e^{−nτ²}, at most 1: the probability that a query is off by
// more than τ when it was picked by a τ²-DP algorithm. Its max-information is at most
// nτ² nats, and that factor e^{nτ²} turns Hoeffding's 2e^{−2nτ²} into this.
func MaxInformationBound(n, tau float64) float64 { return math.Min(1, 2*math.Exp(-n*tau*tau)) }
