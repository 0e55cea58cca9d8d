package adaptive

import (
	"fmt"
	"math"

	"epsiloscope/accounting"
	"epsiloscope/accounting/special"
)

// newRenyi is the filter of one Rényi order, fixed beforehand (Feldman & Zrnic 2021;
// Lécuyer 2021), with the tight conversion.
func newRenyi(p Promise) (Filter, error) {
	if err := checkOrder(p.Alpha); err != nil {
		return nil, err
	}
	// The terms of the budget nearly cancel where it is small.
	budget := accounting.RenyiFromDP(p.Alpha, p.Epsilon, p.left()) - priceMargin*(p.Epsilon-special.Log(p.left())/(p.Alpha-1))
	return newLinear(linear{
		about: About{
			Kind: Renyi, Title: fmt.Sprintf("Rényi filter of order %g", p.Alpha), Quantity: "renyi", Symbol: "Σr(α)", Unit: unit,
			Rule:        "continue while Σr(α) ≤ B(ε, δ′) at the order fixed beforehand and Σδ ≤ δ″; then the whole is (ε, δ′+δ″)-DP",
			Needs:       fmt.Sprintf("a finite Rényi divergence of order %g, or an (ε, δ) of its own", p.Alpha),
			Source:      "Feldman & Zrnic 2021; Lécuyer 2021; Canonne, Kamath & Steinke 2020, Proposition 12",
			CiteKey:     "FeldmanZ21",
			Interleaves: p.Failures == 0,
		},
		promise:  p,
		price:    func(r accounting.Release) (x, delta float64, err error) { return divergence(r, p.Alpha) },
		odometer: ordersOdometer([]float64{p.Alpha}, []float64{1}, p),
	}, budget*(1-budgetMargin), p.Failures)
}

func checkOrder(alpha float64) error {
	switch {
	case math.IsInf(alpha, 1):
		return fmt.Errorf("the order α = ∞ adds up pure ε: use the basic filter")
	case !(alpha > 1):
		return fmt.Errorf("a Rényi order above 1 must be fixed beforehand, not %g", alpha)
	}
	return nil
}

// divergence is D_α of a release: its own, or that of its ε with the δ beside.
func divergence(r accounting.Release, alpha float64) (x, delta float64, err error) {
	if x, err = r.Renyi(alpha); err == nil {
		return x, 0, nil
	}
	epsilon, delta, aerr := r.Approximate()
	if aerr != nil {
		return 0, 0, err
	}
	x, err = accounting.PureDP(epsilon).Renyi(alpha)
	return x, delta, err
}
