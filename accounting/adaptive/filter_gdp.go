package adaptive

import "epsiloscope/accounting"

// newGDP is the filter of Gaussian differential privacy (Smith & Thakurta 2022;
// Koskela, Tobaben & Honkela 2022): for Gaussian noise it loses nothing against a
// fixed plan.
func newGDP(p Promise) (Filter, error) {
	mu := accounting.GaussianFromDP(p.Epsilon, p.Delta)
	return newLinear(linear{
		about: About{
			Kind: GDP, Title: "GDP filter", Quantity: "mu_squared", Symbol: "Σμ²", Unit: unit,
			Rule:        "continue while Σμ² ≤ μ(ε, δ)²; then the whole is μ-GDP, and (ε, δ)-DP",
			Needs:       "Gaussian noise that is not sampled",
			Source:      "Smith & Thakurta 2022; Koskela, Tobaben & Honkela 2022",
			CiteKey:     "SmithT22",
			Interleaves: true,
		},
		promise:  p,
		odometer: varianceOdometer(p, 1),
		price: func(r accounting.Release) (squared, delta float64, err error) {
			mu, err := r.Gaussian()
			return mu * mu, 0, err
		},
	}, mu*mu*(1-budgetMargin), 0)
}
