// Package curve has privacy curves known at some points, and the points to know them at.
package curve

import (
	"math"
	"sort"
)

// Table is a privacy profile δ(ε) known at some points, ε increasing and δ
// decreasing. A profile is convex in e^ε, so the chord between two upper bounds is
// an upper bound again.
type Table struct{ Epsilon, Delta []float64 }

// EpsilonAt is the first ε of the table at which δ is no larger; 0 if none is.
func (t Table) EpsilonAt(delta float64) float64 {
	for i, d := range t.Delta {
		if d <= delta {
			return t.Epsilon[i]
		}
	}
	return 0
}

// At is an upper bound on δ(ε), for ε ≥ 0.
func (t Table) At(epsilon float64) float64 {
	n := len(t.Epsilon)
	i := sort.SearchFloat64s(t.Epsilon, epsilon) // the first point at or above
	switch {
	case n == 0 || i == 0 && t.Epsilon[0] > epsilon:
		return 1 // nothing is known so far left
	case i == n:
		return t.Delta[n-1]
	case t.Epsilon[i] == epsilon:
		return t.Delta[i]
	}
	a, b := t.Epsilon[i-1], t.Epsilon[i]
	share := math.Expm1(epsilon-a) / math.Expm1(b-a)
	if math.IsNaN(share) { // e^b overflows: the chord hugs its left end
		share = 0
	}
	return t.Delta[i-1] + (t.Delta[i]-t.Delta[i-1])*share
}
