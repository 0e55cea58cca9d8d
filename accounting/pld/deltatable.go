package pld

import (
	"math"
	"sort"
)

// fewPoints is up to how many points a sum is quicker than a table.
const fewPoints = 64

// deltaTable is the curve of a long list of losses, for a logarithm's time a question:
// a discrete Gaussian may have a million, and is asked for thousands of ε.
//
// Between two losses δ falls in proportion to e^ε: with W_j = Σ_{i≥j} p_i·e^{ℓ_j−ℓ_i}
// it is δ(ε) = δ(ℓ_j) + (1 − e^{ε−ℓ_j})·W_j just below ℓ_j. All terms are positive, so
// small values keep their digits.
type deltaTable struct {
	points []atom
	delta  []float64 // δ(ℓ_j)
	weight []float64 // W_j
}

func newDeltaTable(points []atom, top float64) *deltaTable {
	n := len(points)
	t := &deltaTable{points, make([]float64, n), make([]float64, n)}
	delta, weight := top, 0.0
	for j := n - 1; j >= 0; j-- {
		if j < n-1 {
			step := points[j].loss - points[j+1].loss // negative
			delta -= weight * math.Expm1(step)
			weight *= math.Exp(step)
		}
		weight += points[j].p
		t.delta[j], t.weight[j] = delta, weight
	}
	return t
}

func (t *deltaTable) logDelta(epsilon float64) float64 {
	n := len(t.points)
	j := sort.Search(n, func(i int) bool { return t.points[i].loss > epsilon })
	if j == n {
		return math.Min(0, math.Log(t.delta[n-1]))
	}
	return math.Min(0, math.Log(t.delta[j]-t.weight[j]*math.Expm1(epsilon-t.points[j].loss)))
}
