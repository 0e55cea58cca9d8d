package accounting

import (
	"math"

	"epsiloscope/accounting/pld"
)

// ApproximateDP is a release of which only (ε, δ) is known, 0 ≤ δ ≤ 1. It has no
// Rényi curve; theorems that need one carry its δ beside the curve of the pure ε,
// as its worst case fails with probability δ and is randomized response otherwise
// (Kairouz, Oh & Viswanath 2015, Theorem 2.4).
func ApproximateDP(epsilon, delta float64) Release {
	switch {
	case !finite(epsilon, delta) || delta > 1:
		return Refused("(ε, δ)-DP", "ε must be a finite number of at least 0, and δ lie between 0 and 1")
	case delta == 0:
		return PureDP(epsilon)
	}
	return approximate{Refusal{Label: "(ε, δ)-DP"}, epsilon, delta}
}

type approximate struct {
	Refusal
	epsilon, delta float64
}

func (a approximate) Key() string { return key("approximate", a.epsilon, a.delta) }

func (a approximate) Approximate() (epsilon, delta float64, err error) {
	return a.epsilon, a.delta, nil
}

func (a approximate) Profile(epsilon float64) (delta float64, err error) {
	return math.Min(1, a.delta+(1-a.delta)*pureProfile(a.epsilon, epsilon)), nil
}

func (a approximate) Pair() (pld.Pair, error) { return pld.Approximate(a.epsilon, a.delta), nil }
