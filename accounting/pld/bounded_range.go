package pld

import (
	"math"

	"epsiloscope/accounting/special"
)

// boundedRange is a dominating loss of every ε-bounded-range mechanism.
//
// A mechanism has ε-bounded range if, for each ordered pair of neighbours, its loss
// stays in [t−ε, t] for some t ∈ [0, ε] (Durfee & Rogers 2019). For a given t the
// hockey-stick curve is largest for the two-point pair with losses t and t−ε: δ is
// the expectation under Q of the convex function (r − e^x)₊ of the ratio r = P/Q, r
// has mean 1 and lies in [e^{t−ε}, e^t], and among such variables the one on the two
// ends is largest in convex order. Writing E = e^ε, T = e^t, g = e^x, its curve is
//
//	δ_t(x) = (E − T)(1 − g/T)/(E − 1)   for t−ε ≤ x ≤ t,
//
// largest over t at T = √(Eg), that is t = (x+ε)/2, which lies in [0, ε] exactly
// when |x| ≤ ε. So whatever t nature chooses,
//
//	δ(x) ≤ (√E − √g)²/(E − 1)   for |x| ≤ ε,
//
// 0 above ε and 1 − e^x below −ε. The right side is decreasing and convex in g, is 1
// at g = 0 and at least 1 − g: it is the curve of a pair (Zhu, Dong, Wang 2022,
// Proposition 8), with
//
//	Q(L > x) = −dδ/dg = (√(E/g) − 1)/(E − 1),   P(L > x) = √E(√E − √g)/(E − 1).
//
// There are no atoms, as the slope is continuous at both ends, and the pair is
// symmetric. It dominates for every real x, hence composes adaptively (Theorem 10
// there), although t may differ from release to release. Its variance per release
// is about ε²/3, against ε² for the pair of Pure.
type boundedRange struct{ epsilon float64 }

// BoundedRange is the pair of a release of ε-bounded range: the exponential
// mechanism, or report noisy max with Gumbel noise.
func BoundedRange(epsilon float64) Pair {
	switch {
	case !(epsilon > 0):
		return nothing()
	case epsilon > 1e15:
		return tooLarge("bounded-range("+number(epsilon)+")", symmetric(boundedRange{1e15}))
	}
	return symmetric(boundedRange{epsilon})
}

func (b boundedRange) Key() string { return "bounded-range(" + number(b.epsilon) + ")" }

func (b boundedRange) LogDelta(x float64) float64 {
	switch {
	case x >= b.epsilon:
		return math.Inf(-1)
	case x <= -b.epsilon:
		return special.Log1mExp(x)
	}
	// (1 − e^{(x−ε)/2})² / (1 − e^{−ε})
	return 2*special.Log1mExp((x-b.epsilon)/2) - special.Log1mExp(-b.epsilon)
}

// Renyi of this pair is valid but not the best known: the divergence of a bounded
// range mechanism is a supremum over t per order, below the supremum of the curves.
// The integral of the density ∝ e^{L/2} times e^{θL} over [−ε, ε] is closed; where it is
// so close to 1 that its logarithm would cancel, it is summed.
func (b boundedRange) Renyi(alpha float64) float64 {
	theta, half := math.Max(1, alpha)-1, math.Max(1, alpha)-0.5
	if !(theta*b.epsilon > 2) || math.IsInf(alpha, 1) {
		return renyi(b, math.Max(1, alpha))
	}
	_, _, logScale := b.rising()
	moment := logScale + half*b.epsilon + special.Log1mExp(-2*half*b.epsilon) - math.Log(half)
	return math.Min(b.epsilon, (moment+1e-15*half*b.epsilon)/theta)
}

func (b boundedRange) span() (lo, hi float64)      { return -b.epsilon, b.epsilon }
func (b boundedRange) atoms() []atom               { return nil }
func (b boundedRange) continuous() bool            { return true }
func (b boundedRange) ends() (top, bottom float64) { return 0, 0 }
func (b boundedRange) reach() float64              { return math.Inf(1) }

func (b boundedRange) tails(x float64) tails {
	e := b.epsilon
	x = math.Max(-e, math.Min(e, x))
	all := -math.Expm1(-e)
	up, lo := -math.Expm1((x-e)/2)/all, -math.Expm1(-(x+e)/2)/all
	return tails{
		upP: up, loP: lo * math.Exp((x-e)/2),
		upQ: up * math.Exp(-(x+e)/2), loQ: lo,
	}
}

func (b boundedRange) rising() (lo, hi, logScale float64) {
	return -b.epsilon, b.epsilon, math.Log(0.5) - b.epsilon/2 - special.Log1mExp(-b.epsilon)
}

func (b boundedRange) nodes(alpha float64) []node {
	lo, hi, logScale := b.rising()
	return risingNodes(lo, hi, logScale, alpha)
}
