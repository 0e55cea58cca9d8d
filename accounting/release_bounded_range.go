package accounting

import (
	"math"

	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/accounting/special"
)

// BoundedRangeDP returns a release with ε-bounded range (Durfee & Rogers 2019): for each
// neighbouring pair the privacy loss lies in [t−ε, t] for some t. The exponential
// mechanism and report noisy max with Gumbel noise have it; noisy max with Laplace
// noise has 5/4·ε, and with exponential noise it has no more than any ε-DP release.
//
// It is ε-DP, with a Rényi curve and a ρ about four times smaller than those of a
// generic pure release. Those hold adaptively, as the worst t may be taken per
// release and per order. The dominating pair of one takes it per ε of the profile and is
// looser: over many such releases RDP and zCDP can beat it. The numerical accountant composes
// those of one ε together; see [preparedStack.composeSelections].
func BoundedRangeDP(epsilon float64) Release { return rangeDP(epsilon, false) }

// FixedRangeDP returns a release of ε-bounded range that, like all its copies in a stack, is
// fixed before the first answer is seen. Only the numerical bound gains by it, slightly.
func FixedRangeDP(epsilon float64) Release { return rangeDP(epsilon, true) }

func rangeDP(epsilon float64, fixed bool) Release {
	if !finite(epsilon) {
		return NewUnsupported("bounded range", "ε must be a finite number of at least 0")
	}
	return boundedRange{pure{newKeyed("bounded range", "bounded-range", epsilon, fixed), epsilon}, fixed}
}

// FixedInAdvance reports whether the guarantee of a release holds only if all its copies are fixed
// before the first answer is seen.
func FixedInAdvance(r Release) bool { b, ok := unwrapAs[boundedRange](r); return ok && b.fixed }

type boundedRange struct {
	pure
	fixed bool // in advance
}

func (b boundedRange) Renyi(alpha float64) (float64, error) {
	return boundedRangeRenyi(b.epsilon, alpha), nil
}

func (b boundedRange) Concentrated() (rho float64, err error) {
	return boundedRangeRho(b.epsilon), nil
}

// Profile returns the largest over t of the two-point curves.
func (b boundedRange) Profile(epsilon float64) (delta float64, err error) {
	return pairs.BoundedRange(b.epsilon).Delta(epsilon), nil
}

func (b boundedRange) Pair() (pairs.Pair, error) { return pairs.BoundedRange(b.epsilon), nil }

// boundedRangeRenyi returns the largest two-point divergence over t in [0, ε]
// (Dong, Durfee & Rogers 2020). E_Q[e^{αL}] is A·e^{(α−1)t} − B·e^{αt} up to
// constants, so the worst t has a closed form:
// t = ε + ln[(α−1)(1−e^{−αε}) / (α(1−e^{−(α−1)ε}))].
func boundedRangeRenyi(epsilon, alpha float64) float64 {
	if epsilon == 0 {
		return 0
	}
	if math.IsInf(alpha, 1) {
		return epsilon
	}
	below := boundedRangeGap(epsilon, alpha) // ε − t
	if !(below > 0 && below < epsilon) {
		return epsilon // the order is too large for float64 to tell t from ε
	}
	return math.Min(epsilon, special.DiscreteRenyi(boundedRangePoints(epsilon, below), alpha))
}

// boundedRangeGap returns ε − t for the worst t, in a form that does not cancel.
func boundedRangeGap(epsilon, alpha float64) float64 {
	x := (alpha - 1) * epsilon
	switch {
	case epsilon < 1e-4: // the difference of two logarithms by the midpoint rule
		return -epsilon * relativeDecaySlope((alpha-0.5)*epsilon)
	case x > 1:
		return math.Log1p(1/(alpha-1)) + math.Log1p(-math.Exp(-x)) - math.Log1p(-math.Exp(-x-epsilon))
	default:
		return logRelativeDecay(x) - logRelativeDecay(x+epsilon)
	}
}

// boundedRangePoints returns the worst pair for a given t = ε − below: loss t with
// Q-probability (e^{ε−t}−1)/(e^ε−1), else loss t−ε.
func boundedRangePoints(epsilon, below float64) []special.Outcome {
	t := epsilon - below
	upper := special.Log1mExp(-below) - t - special.Log1mExp(-epsilon)
	lower := special.Log1mExp(-t) - special.Log1mExp(-epsilon)
	return []special.Outcome{{LogQ: upper, Loss: t}, {LogQ: lower, Loss: -below}}
}

// boundedRangeRho returns the smallest ρ of ε-bounded range: u − 1 − ln u with
// u = ε/(e^ε − 1) (Cesar & Rogers 2021, Lemma 3.4).
func boundedRangeRho(epsilon float64) float64 {
	if epsilon > 700 { // u underflows: −ln u = ε − ln ε up to e^{−ε}
		return epsilon - 1 - special.Log(epsilon)
	}
	if epsilon == 0 {
		return 0
	}
	w := -special.ExpRemainder(epsilon) / math.Expm1(epsilon) // u − 1
	if w < -0.5 {
		return w - (special.Log(epsilon) - special.Log(math.Expm1(epsilon)))
	}
	return special.LogRemainder(w)
}

// logRelativeDecay returns ln((1−e^{−x})/x), 0 at 0.
func logRelativeDecay(x float64) float64 {
	if x == 0 {
		return 0
	}
	return special.Log(-math.Expm1(-x) / x)
}

// relativeDecaySlope returns the derivative of logRelativeDecay: 1/(e^x−1) − 1/x.
func relativeDecaySlope(x float64) float64 {
	if x < 0.01 {
		return -0.5 + x/12 - x*x*x/720
	}
	return 1/math.Expm1(x) - 1/x
}
