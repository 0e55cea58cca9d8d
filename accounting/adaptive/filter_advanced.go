package adaptive

import "epsiloscope/accounting"

// newAdvanced is advanced composition as a filter (Whitehouse, Ramdas, Rogers & Wu
// 2023, section 3): √(2 ln(1/δ′)·Σε²) + Σε²/2 ≤ ε. It is kept as a budget of
// ρ = Σε²/2, of which it is the classic conversion.
func newAdvanced(p Promise) (Filter, error) {
	return newLinear(linear{
		about: About{
			Kind: Advanced, Title: "advanced filter", Quantity: "rho", Symbol: "Σε²/2", Unit: unit,
			Rule:        "continue while √(2 ln(1/δ′)·Σε²) + Σε²/2 ≤ ε and Σδ ≤ δ″; then the whole is (ε, δ′+δ″)-DP",
			Needs:       "an ε, or an (ε, δ), of its own",
			Source:      "Whitehouse, Ramdas, Rogers & Wu 2023, section 3",
			CiteKey:     "WhitehouseRRW23",
			Interleaves: true,
		},
		promise:  p,
		odometer: varianceOdometer(p, 2),
		price: func(r accounting.Release) (rho, delta float64, err error) {
			epsilon, delta, err := r.Approximate()
			return accounting.PureToConcentratedClassic(epsilon), delta, err
		},
	}, accounting.ConcentratedFromDP(p.Epsilon, p.left())*(1-budgetMargin), p.Failures)
}
