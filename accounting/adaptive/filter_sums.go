package adaptive

import "epsiloscope/accounting"

// newBasic returns basic composition as a filter (Rogers, Roth, Ullman & Vadhan 2016,
// Theorem 3.6). Its sum is an odometer too.
func newBasic(p Promise) (Filter, error) {
	return newLinear(p, p.Epsilon, linear{
		about: Description{
			Title: "basic filter", Quantity: "epsilon", Symbol: "Σε",
			Rule:       "continue while Σε ≤ ε and Σδ ≤ δ; then the whole is (ε, δ)-DP",
			Needs:      "an ε, or an (ε, δ), of its own",
			Source:     "Rogers, Roth, Ullman & Vadhan 2016, Theorem 3.6",
			CiteKey:    "RogersRUV16",
			Concurrent: true, Exact: true,
		},
		price:    accounting.Release.Approximate,
		written:  true,
		odometer: Odometer{Name: "sum of ε", At: func(sum Cost) float64 { return float(sum.part(0), unit) }},
	})
}

// newZCDP returns the filter of approximate zCDP (Whitehouse, Ramdas, Rogers & Wu 2023,
// section 3) with the tight budget of ρ (Canonne, Kamath & Steinke 2020, Proposition
// 12). A pure release counts ε·tanh(ε/2).
func newZCDP(p Promise) (Filter, error) {
	return newLinear(p, accounting.ConcentratedFromDPTight(p.Epsilon, p.theoremDelta()), linear{
		about: Description{
			Title: "zCDP filter", Quantity: "rho", Symbol: "Σρ",
			Rule:    "continue while Σρ ≤ ρ(ε, δ′) and Σδ ≤ δ″; then the whole is (ε, δ′+δ″)-DP",
			Needs:   "a finite ρ, or an (ε, δ) of its own",
			Source:  "Whitehouse, Ramdas, Rogers & Wu 2023, section 3; Canonne, Kamath & Steinke 2020, Proposition 12",
			CiteKey: "WhitehouseRRW23",
			// Concurrent composition is proven for every Rényi order, not for
			// approximate zCDP.
			Concurrent: p.Failures == 0,
		},
		odometer: varianceOdometer(p, 2),
		price: func(r accounting.Release) (rho, delta float64, err error) {
			return accounting.CostOrPureFallback(r, accounting.Release.Concentrated)
		},
	})
}

// newGDP returns the filter of Gaussian differential privacy (Smith & Thakurta 2022;
// Koskela, Tobaben & Honkela 2022): for Gaussian noise it loses nothing against a
// fixed plan.
func newGDP(p Promise) (Filter, error) {
	mu := accounting.GaussianFromDP(p.Epsilon, p.Delta)
	return newLinear(p, mu*mu, linear{
		about: Description{
			Title: "GDP filter", Quantity: "mu_squared", Symbol: "Σμ²",
			Rule:       "continue while Σμ² ≤ μ(ε, δ)²; then the whole is μ-GDP, and (ε, δ)-DP",
			Needs:      "Gaussian noise that is not sampled, or what such noise dominates, as it does a pure ε",
			Source:     "Smith & Thakurta 2022; Koskela, Tobaben & Honkela 2022",
			CiteKey:    "SmithT22",
			Concurrent: true,
		},
		odometer: varianceOdometer(p, 1),
		price: func(r accounting.Release) (squared, delta float64, err error) {
			mu, err := accounting.GaussianBound(r)
			return mu * mu, 0, err
		},
	})
}
