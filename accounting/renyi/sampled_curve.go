package renyi

import (
	"math"

	"epsiloscope/accounting/special"
)

// Sampled amplifies a bare Rényi curve by Poisson sampling at rate q (Zhu & Wang 2019,
// Theorem 6): at whole orders e^{(α−1)D} is at most
//
//	(1−q)^{α−1}(αq−q+1) + C(α,2)q²(1−q)^{α−2}e^{r(2)} + 3·Σ_{l≥3} C(α,l)(1−q)^{α−l}q^l e^{(l−1)r(l)}.
//
// The binomial weights B_l sum to 1, so that is 1 + B₂(e^{r(2)}−1) +
// Σ_{l≥3} B_l(3e^{(l−1)r(l)}−1): terms that are not negative beside a 1 that the logarithm
// takes off, and nothing cancels however small they are.
func Sampled(curve Curve, q float64) Curve {
	excess := make([]float64, maxTableOrder+1) // ln(e^{(l−1)r(l)} − 1) at 2, ln(3e^{(l−1)r(l)} − 1) above
	for l := 2; l <= maxTableOrder; l++ {
		inner := float64(l-1) * curve(float64(l))
		if l == 2 {
			excess[l] = inner + special.Log1mExp(-inner)
		} else {
			excess[l] = inner + math.Log(3-math.Exp(-inner))
		}
	}
	return wholeOrders(excess, 0, func(l, a float64) float64 { return special.LogBinomial(l, a, q) })
}

const maxTableOrder = 256

// wholeOrders is ln(1 + Σ_{l≥2} weight·e^{term})/(α−1) at whole orders, the chord between
// them, and +Inf beyond the table. The sum is raised by a factor e^{slack}.
func wholeOrders(terms []float64, slack float64, logWeight func(l, alpha float64) float64) Curve {
	at := func(alpha float64) float64 {
		sum := math.Inf(-1)
		for l := 2.0; l <= alpha; l++ {
			sum = special.LogAdd(sum, logWeight(l, alpha)+terms[int(l)])
		}
		return special.Softplus(sum+slack) / (alpha - 1)
	}
	return func(alpha float64) float64 {
		whole := math.Floor(alpha)
		switch {
		case !(alpha >= 1) || whole >= maxTableOrder && alpha > whole || whole > maxTableOrder:
			return math.Inf(1)
		case whole < 2: // D does not decrease in α
			return at(2)
		case whole == alpha:
			return at(whole)
		}
		return Chord(whole, at(whole), whole+1, at(whole+1), alpha)
	}
}

// SampledReplace amplifies a bare Rényi curve where the two data sets share what they give
// without the record (Wang, Balle & Kasiviswanathan 2019, Theorem 9): at whole orders
// e^{(α−1)D} is at most
//
//	1 + q²·C(α,2)·min{4(e^{r(2)}−1), e^{r(2)}·min{2, (e^{r(∞)}−1)²}}
//	  + Σ_{j≥3} q^j·C(α,j)·e^{(j−1)r(j)}·min{2, (e^{r(∞)}−1)^j}.
func SampledReplace(curve Curve, q float64) Curve {
	terms := make([]float64, maxTableOrder+1) // ln of the factor of q^j·C(α,j), by j
	spread := math.Inf(1)                     // ln(e^{r(∞)} − 1)
	if top := curve(math.Inf(1)); !math.IsInf(top, 1) {
		spread = top + special.Log1mExp(-top)
	}
	for j := 2; j <= maxTableOrder; j++ {
		v := curve(float64(j))
		terms[j] = float64(j-1)*v + math.Min(math.Ln2, float64(j)*spread)
		if j == 2 {
			terms[j] = math.Min(terms[j], 2*math.Ln2+v+special.Log1mExp(-v))
		}
	}
	return wholeOrders(terms, 1e-11, func(j, a float64) float64 {
		return special.LogChoose(a, j) + j*math.Log(q)
	})
}
