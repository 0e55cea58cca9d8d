package pld

import (
	"math"
	"slices"
)

// Binary reports show nothing but how many ones there are. If all inputs of the others can be
// tried, the worst of them is the upper end; that of all others alike is an attack for any number
// of people.

// worstOfAllInputs returns upper bounds at the losses of a mesh, from 0 up, on the curves of n
// binary reports, the largest over all inputs of the others and both orders of hers.
//
// With n₁ ones among the others let f be the law of the number of ones they report: P = s·f(y−1) +
// (1−s)·f(y) if she holds 0, Q = (1−s)·f(y−1) + s·f(y) if she holds 1, s = 1/(e^ε₀+1). f is
// log-concave, so P/Q falls in y and an event {y ≤ k} is best. The other order, and n₁ ones for
// n₁ zeros, are the same mirrored.
//
// f is a convolution of two binomial laws, all of whose terms are positive, so its masses keep
// their digits and their order.
func worstOfAllInputs(epsilon float64, n int, mesh []float64) []float64 {
	s := 1 / (1 + math.Exp(epsilon))
	worst := make([]float64, len(mesh))
	ratios := make([]float64, len(mesh))
	for i, x := range mesh {
		ratios[i] = math.Exp(x)
	}
	for ones := 0; 2*ones <= n; ones++ { // the rest is mirrored
		zeros, _, _ := binomialWindow(float64(n-1-ones), s)
		others, _, _ := binomialWindow(float64(ones), 1-s)
		f := make([]float64, len(zeros)+len(others)-1)
		for i, a := range zeros {
			for j, b := range others {
				f[i+j] += a * b
			}
		}
		largestEvents(f, s, ratios, worst)
		slices.Reverse(f)
		largestEvents(f, s, ratios, worst)
	}
	for i := range worst { // what lies beyond the windows
		worst[i] += 1e-30 * ratios[i]
	}
	return worst
}

// largestEvents raises the values to P − a·Q of the best event {y ≤ k} at every a, which rise.
func largestEvents(f []float64, s float64, ratios, worst []float64) {
	total := make([]float64, len(f)+1) // of f below y
	for y, m := range f {
		total[y+1] = total[y] + m
	}
	at := func(y int) float64 {
		if y < 0 || y >= len(f) {
			return 0
		}
		return f[y]
	}
	k := len(f)
	for i, a := range ratios {
		// The event ends where the ratio falls to a.
		for k >= 0 && s*at(k-1)+(1-s)*at(k) <= a*((1-s)*at(k-1)+s*at(k)) {
			k--
		}
		if k < 0 {
			return
		}
		// Up to k both sums hold all of f below k; f(k) is in them with 1−s and s.
		d := (1-s-a*s)*at(k)*(1+shuffleError) - (a-1)*total[min(k, len(f))]*(1-shuffleError)
		worst[i] = math.Max(worst[i], d)
	}
}

// attackCells is into how many cells per deviation the attacker puts the count.
const attackCells = 40

// countAttack returns an optimistic estimate: the others all hold x₀, and the attacker counts the
// reports that support x₁, in cells; she holds x₀ against x₁.
func countAttack(key string, n, own, other float64) *law {
	masses, _, _ := binomialWindow(n-1, other)
	width := max(1, int(math.Sqrt(n*other*(1-other))/attackCells))
	at := func(y int) float64 {
		if y < 0 || y >= len(masses) {
			return 0
		}
		return masses[y]
	}
	var list []atom
	for y := 0; y <= len(masses); {
		p, q := 0.0, 0.0
		for end := y + width; y < end && y <= len(masses); y++ {
			p += other*at(y-1) + (1-other)*at(y)
			q += own*at(y-1) + (1-own)*at(y)
		}
		if p > 1e-280 && q > 1e-280 {
			loss := math.Log(p/q) - 1e-12
			list = append(list, atom{loss, p, p * math.Exp(-loss)})
		}
	}
	return estimate(key, list, 0, -shuffleError)
}
