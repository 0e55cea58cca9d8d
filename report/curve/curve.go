// Package curve has privacy curves known at some points, and the points to know them at.
package curve

import (
	"math"
	"slices"
	"sort"

	"epsiloscope/accounting"
)

// Table is a privacy profile δ(ε) known at some points, ε increasing and δ
// decreasing. A profile is convex in e^ε, so the chord between two upper bounds is
// an upper bound again.
type Table struct{ Epsilon, Delta []float64 }

// Add appends a point. If its ε is not above the last one, only the smaller δ is kept.
func (t *Table) Add(epsilon, delta float64) {
	if last := len(t.Epsilon) - 1; last >= 0 && epsilon <= t.Epsilon[last] {
		t.Delta[last] = math.Min(t.Delta[last], delta)
		return
	}
	t.Epsilon, t.Delta = append(t.Epsilon, epsilon), append(t.Delta, delta)
}

// Insert inserts a point by its ε, and lowers every later δ that is above it: δ does not increase with ε.
func (t *Table) Insert(epsilon, delta float64) {
	i := sort.SearchFloat64s(t.Epsilon, epsilon)
	if i > 0 {
		delta = math.Min(delta, t.Delta[i-1])
	}
	if i == len(t.Epsilon) || t.Epsilon[i] != epsilon {
		t.Epsilon, t.Delta = slices.Insert(t.Epsilon, i, epsilon), slices.Insert(t.Delta, i, delta)
	}
	for ; i < len(t.Delta) && t.Delta[i] > delta; i++ {
		t.Delta[i] = delta
	}
}

// EpsilonAt returns the first ε of the table whose δ is at most the given one, and +∞ if there is none.
func (t Table) EpsilonAt(delta float64) float64 {
	for i, d := range t.Delta {
		if d <= delta {
			return t.Epsilon[i]
		}
	}
	return math.Inf(1)
}

// At returns an upper bound on δ(ε), for ε ≥ 0.
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
	if math.IsNaN(share) { // e^b overflows: in e^ε the point is at the left end of the chord
		share = 0
	}
	return t.Delta[i-1] + (t.Delta[i]-t.Delta[i-1])*share
}

// GaussianSum returns the μ of a stack of Gaussian noise alone; false for any other.
func GaussianSum(stack []accounting.Entry) (mu float64, ok bool) {
	mu, err := accounting.Composite(stack).Gaussian()
	return mu, err == nil && mu > 0 && !math.IsInf(mu, 1)
}

// ConcentratedSum returns the ρ of a stack; false where a release has none.
func ConcentratedSum(stack []accounting.Entry) (rho float64, ok bool) {
	rho, err := accounting.Composite(stack).Concentrated()
	return rho, err == nil && rho > 0 && !math.IsInf(rho, 1)
}

// LogSpace returns n numbers from a to b, both included, evenly spaced in their logarithm, for 0 < a ≤ b;
// only a if a = b.
func LogSpace(a, b float64, n int) []float64 {
	if n < 2 || !(a < b) {
		return []float64{a}
	}
	xs := make([]float64, n)
	la, lb := math.Log(a), math.Log(b)
	for i := range xs {
		xs[i] = math.Exp(la + (lb-la)*float64(i)/float64(n-1))
	}
	xs[0], xs[n-1] = a, b
	return xs
}

// LineSpace returns n numbers from a to b, both included, evenly spaced.
func LineSpace(a, b float64, n int) []float64 {
	if n < 2 || !(a < b) {
		return []float64{a}
	}
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = a + (b-a)*float64(i)/float64(n-1)
	}
	xs[n-1] = b
	return xs
}

// WholeSpace returns about n distinct whole numbers from 1 to most, evenly spaced in
// their logarithm, and the numbers in among.
func WholeSpace(most float64, n int, among ...float64) []float64 {
	xs := append([]float64{1}, LogSpace(1, math.Max(1, math.Floor(most)), n)...)
	for i := range xs {
		xs[i] = math.Round(xs[i])
	}
	for _, x := range among {
		if x >= 1 && x <= most {
			xs = append(xs, x)
		}
	}
	return SortDistinct(xs)
}

// ValuesOver returns the values of a function at every point.
func ValuesOver(xs []float64, f func(x float64) float64) []float64 {
	ys := make([]float64, len(xs))
	for i, x := range xs {
		ys[i] = f(x)
	}
	return ys
}

// SortDistinct sorts xs in place and drops repetitions.
func SortDistinct(xs []float64) []float64 {
	slices.Sort(xs)
	return slices.Compact(xs)
}
