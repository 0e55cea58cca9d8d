package curve

import (
	"math"
	"slices"
)

// LogSpace is n numbers from a to b, both included, evenly spaced in their
// logarithm. It is a alone where there is no room; 0 < a ≤ b.
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

// LineSpace is n numbers from a to b, both included, evenly spaced.
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

// WholeSpace is about n distinct whole numbers from 1 to most, evenly spaced in
// their logarithm, with what is given among them.
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
	return SortedDistinct(xs)
}

// Over is a function at every point.
func Over(xs []float64, f func(x float64) float64) []float64 {
	ys := make([]float64, len(xs))
	for i, x := range xs {
		ys[i] = f(x)
	}
	return ys
}

// SortedDistinct sorts xs in place and drops repetitions.
func SortedDistinct(xs []float64) []float64 {
	slices.Sort(xs)
	return slices.Compact(xs)
}
