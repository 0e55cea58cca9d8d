package report

import (
	"math"
	"sort"

	"epsiloscope/accounting/special"
)

// curveTable is a privacy profile δ(ε) known at some points, ε increasing and δ
// decreasing. A profile is convex in e^ε, so the chord between two upper bounds is
// an upper bound again.
type curveTable struct{ epsilon, delta []float64 }

// epsilonAt is the first ε of the table at which δ is no larger; 0 if none is.
func (t curveTable) epsilonAt(delta float64) float64 {
	for i, d := range t.delta {
		if d <= delta {
			return t.epsilon[i]
		}
	}
	return 0
}

// at is an upper bound on δ(ε), for ε ≥ 0.
func (t curveTable) at(epsilon float64) float64 {
	n := len(t.epsilon)
	i := sort.SearchFloat64s(t.epsilon, epsilon) // the first point at or above
	switch {
	case n == 0 || i == 0 && t.epsilon[0] > epsilon:
		return 1 // nothing is known so far left
	case i == n:
		return t.delta[n-1]
	case t.epsilon[i] == epsilon:
		return t.delta[i]
	}
	a, b := t.epsilon[i-1], t.epsilon[i]
	share := math.Expm1(epsilon-a) / math.Expm1(b-a)
	if math.IsNaN(share) { // e^b overflows: the chord hugs its left end
		share = 0
	}
	return t.delta[i-1] + (t.delta[i]-t.delta[i-1])*share
}

// leastDelta is the smallest δ whose ε, by a theorem, is at most the one given:
// bisection on ln δ that ends on the safe side. It is NaN where even δ near 1 does
// not do.
func leastDelta(epsilonAt func(delta float64) float64, epsilon float64) float64 {
	low, high := math.Log(1e-300), math.Log(1-1e-9)
	if !(epsilonAt(math.Exp(high)) <= epsilon) {
		return unset
	}
	switch {
	case epsilonAt(0) <= epsilon:
		return 0
	case epsilonAt(math.Exp(low)) <= epsilon:
		return math.Exp(low)
	}
	_, high = special.Bisect(low, high, 1e-6, func(log float64) bool { return epsilonAt(math.Exp(log)) > epsilon })
	return math.Exp(high)
}
