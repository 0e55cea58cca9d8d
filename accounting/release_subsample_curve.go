package accounting

import (
	"math"

	"epsiloscope/accounting/special"
)

// curveTable amplifies a bare Rényi curve by Poisson sampling at whole orders (Zhu &
// Wang 2019, Theorem 6): e^{(α−1)D} is at most
//
//	(1−q)^{α−1}(αq−q+1) + C(α,2)q²(1−q)^{α−2}e^{r(2)} + 3·Σ_{l≥3} C(α,l)(1−q)^{α−l}q^l e^{(l−1)r(l)}.
//
// The inner values are kept, so that each order costs one short sum.
type curveTable struct {
	q     float64
	inner []float64 // (l−1)·r(l), by l; +Inf where unknown
}

const maxTableOrder = 256

func newCurveTable(r Release, q float64) *curveTable {
	t := &curveTable{q, make([]float64, maxTableOrder+1)}
	for l := 2; l <= maxTableOrder; l++ {
		v, err := r.Renyi(float64(l))
		if err != nil || math.IsNaN(v) {
			v = math.Inf(1)
		}
		t.inner[l] = float64(l-1) * v
	}
	return t
}

// at is the bound at any order: the chord between whole ones, +Inf beyond the table.
func (t *curveTable) at(alpha float64) float64 { return atWholeOrders(alpha, t.whole) }

func atWholeOrders(alpha float64, at func(int) float64) float64 {
	whole := math.Floor(alpha)
	switch {
	case !(alpha >= 1) || whole >= maxTableOrder && alpha > whole || whole > maxTableOrder:
		return math.Inf(1)
	case whole < 2: // D does not decrease in α
		return at(2)
	case whole == alpha:
		return at(int(whole))
	}
	return chord(whole, at(int(whole)), whole+1, at(int(whole)+1), alpha)
}

// whole is the bound at a whole order. The binomial weights B_l sum to 1, so the sum
// is 1 + B₂(e^{r(2)}−1) + Σ_{l≥3} B_l(3e^{(l−1)r(l)}−1): terms that are not negative
// beside a 1 that the logarithm takes off, and nothing cancels however small they are.
func (t *curveTable) whole(alpha int) float64 {
	a := float64(alpha)
	logSum := math.Inf(-1)
	for l := 2; l <= alpha; l++ {
		excess := t.inner[l] // ln(e^inner − 1), ln(3e^inner − 1)
		if l == 2 {
			excess += special.Log1mExp(-t.inner[l])
		} else {
			excess += math.Log(3 - math.Exp(-t.inner[l]))
		}
		logSum = special.LogAdd(logSum, logBinomial(float64(l), a, t.q)+excess)
	}
	return special.Softplus(logSum) / (a - 1)
}
