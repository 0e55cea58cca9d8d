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
func (t *curveTable) at(alpha float64) float64 {
	whole := math.Floor(alpha)
	switch {
	case !(alpha >= 1) || whole >= maxTableOrder && alpha > whole || whole > maxTableOrder:
		return math.Inf(1)
	case whole < 2: // D does not decrease in α
		return t.whole(2)
	case whole == alpha:
		return t.whole(int(whole))
	}
	return chord(whole, t.whole(int(whole)), whole+1, t.whole(int(whole)+1), alpha)
}

func (t *curveTable) whole(alpha int) float64 {
	a := float64(alpha)
	log := (a-1)*math.Log1p(-t.q) + math.Log1p((a-1)*t.q)
	for l := 2; l <= alpha; l++ {
		term := logBinomial(float64(l), a, t.q) + t.inner[l]
		if l > 2 {
			term += math.Log(3)
		}
		log = special.LogAdd(log, term)
	}
	return math.Max(0, log) / (a - 1)
}
