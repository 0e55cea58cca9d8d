package accounting

import (
	"math"

	"gonum.org/v1/gonum/mathext"

	"epsiloscope/accounting/special"
)

// TradeOff is an attacker's smallest type II error at type I error x, from the
// profile δ(ε) of the worse direction (Wasserman & Zhou 2010; Dong, Roth & Su
// 2022, Proposition 6): the largest over ε ≥ 0 of 0, 1−δ−e^ε·x and e^{−ε}(1−δ−x).
// Every ε gives a true lower bound on the error, so the search may miss the best
// one without overstating the privacy. The answer is rounded down.
func TradeOff(profile func(epsilon float64) float64, x float64) float64 {
	if !(x > 0) {
		x = 0
	}
	if x >= 1 {
		return 0
	}
	const rounding = 0x1p-50 // of three numbers up to 1 and their differences
	worst := func(epsilon float64) float64 {
		left := 1 - profile(epsilon) - rounding
		return -math.Max(left-math.Exp(epsilon)*x, math.Exp(-epsilon)*(left-x))
	}
	best := worst(0)
	m := special.Minimise(func(u float64) float64 { return worst(math.Exp(u)) }, special.Log(1e-9), special.Log(1e4), 90)
	return math.Max(0, -math.Min(best, m.Value))
}

// GaussianTradeOff is G_μ(x) = Φ(Φ⁻¹(1−x) − μ), the exact curve of a μ-GDP release.
func GaussianTradeOff(mu, x float64) float64 {
	switch {
	case !(x > 0):
		return 1
	case x >= 1:
		return 0
	}
	return special.NormalCDF(-mathext.NormalQuantile(x) - mu)
}

// Advantage is the best accuracy of an attacker who must tell two neighbouring
// data sets apart, each with prior ½: (1 + δ(0))/2.
func Advantage(deltaAtZero float64) float64 { return (1 + deltaAtZero) / 2 }

// Posterior bounds an attacker's belief after a release of pure ε, from a prior.
func Posterior(prior, epsilon float64) float64 {
	// π·e^ε/(π·e^ε + 1 − π), divided by e^ε so that it cannot overflow.
	rest := (1 - prior) * math.Exp(-epsilon)
	if prior == 0 {
		return 0
	}
	return prior / (prior + rest)
}
