package accounting

import (
	"math"

	"epsiloscope/accounting/special"
)

// ternaryTable amplifies a bare Rényi curve where the two data sets share what they give
// without the record (Wang, Balle & Kasiviswanathan 2019, Theorem 9): at whole orders
// e^{(α−1)D} is at most
//
//	1 + q²·C(α,2)·min{4(e^{r(2)}−1), e^{r(2)}·min{2, (e^{r(∞)}−1)²}}
//	  + Σ_{j≥3} q^j·C(α,j)·e^{(j−1)r(j)}·min{2, (e^{r(∞)}−1)^j}.
type ternaryTable struct {
	q     float64
	terms []float64 // ln of the factor of q^j·C(α,j), by j
}

func newTernaryTable(r Release, q float64) *ternaryTable {
	t := &ternaryTable{q, make([]float64, maxTableOrder+1)}
	spread := math.Inf(1) // ln(e^{r(∞)} − 1)
	if top, err := r.Renyi(math.Inf(1)); err == nil && !math.IsInf(top, 1) {
		spread = top + special.Log1mExp(-top)
	}
	for j := 2; j <= maxTableOrder; j++ {
		v, err := r.Renyi(float64(j))
		if err != nil || math.IsNaN(v) {
			v = math.Inf(1)
		}
		t.terms[j] = float64(j-1)*v + math.Min(math.Ln2, float64(j)*spread)
		if j == 2 {
			t.terms[j] = math.Min(t.terms[j], 2*math.Ln2+v+special.Log1mExp(-v))
		}
	}
	return t
}

// at is the bound at any order: the chord between whole ones, +Inf beyond the table.
func (t *ternaryTable) at(alpha float64) float64 { return atWholeOrders(alpha, t.whole) }

func (t *ternaryTable) whole(alpha int) float64 {
	a := float64(alpha)
	sum := math.Inf(-1)
	for j := 2; j <= alpha; j++ {
		i := float64(j)
		sum = special.LogAdd(sum, special.LogChoose(a, i)+i*math.Log(t.q)+t.terms[j])
	}
	return special.Softplus(sum+1e-11) / (a - 1)
}
