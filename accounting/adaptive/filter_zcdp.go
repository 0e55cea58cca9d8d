package adaptive

import (
	"math"

	"epsiloscope/accounting"
)

// newZCDP is the filter of approximate zCDP (Whitehouse, Ramdas, Rogers & Wu 2023,
// section 3) with the tight budget of ρ (Canonne, Kamath & Steinke 2020, Proposition
// 12). A pure release counts ε·tanh(ε/2).
func newZCDP(p Promise) (Filter, error) {
	return newLinear(linear{
		about: About{
			Kind: ZCDP, Title: "zCDP filter", Quantity: "rho", Symbol: "Σρ", Unit: unit,
			Rule:    "continue while Σρ ≤ ρ(ε, δ′) and Σδ ≤ δ″; then the whole is (ε, δ′+δ″)-DP",
			Needs:   "a finite ρ, or an (ε, δ) of its own",
			Source:  "Whitehouse, Ramdas, Rogers & Wu 2023, section 3; Canonne, Kamath & Steinke 2020, Proposition 12",
			CiteKey: "WhitehouseRRW23",
			// Concurrent composition is proven for every Rényi order, not for
			// approximate zCDP.
			Interleaves: p.Failures == 0,
		},
		promise:  p,
		odometer: varianceOdometer(p, 2),
		price:    concentrated,
	}, accounting.ConcentratedFromDPTight(p.Epsilon, p.left())*(1-budgetMargin), p.Failures)
}

// concentrated is the ρ of a release: its own, or that of its ε with the δ beside.
func concentrated(r accounting.Release) (rho, delta float64, err error) {
	if rho, err = r.Concentrated(); err == nil && !math.IsInf(rho, 1) {
		return rho, 0, nil
	}
	epsilon, delta, aerr := r.Approximate()
	if aerr != nil {
		return rho, 0, err
	}
	return accounting.PureToConcentrated(epsilon), delta, nil
}
