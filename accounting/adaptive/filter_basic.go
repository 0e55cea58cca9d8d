package adaptive

import "epsiloscope/accounting"

// newBasic is basic composition as a filter (Rogers, Roth, Ullman & Vadhan 2016,
// Theorem 3.6). Its sum is an odometer too.
func newBasic(p Promise) (Filter, error) {
	return newLinear(linear{
		about: About{
			Kind: Basic, Title: "basic filter", Quantity: "epsilon", Symbol: "Σε", Unit: unit,
			Rule:        "continue while Σε ≤ ε and Σδ ≤ δ; then the whole is (ε, δ)-DP",
			Needs:       "an ε, or an (ε, δ), of its own",
			Source:      "Rogers, Roth, Ullman & Vadhan 2016, Theorem 3.6",
			CiteKey:     "RogersRUV16",
			Interleaves: true,
		},
		promise:  p,
		price:    accounting.Release.Approximate,
		written:  true,
		odometer: Odometer{Name: "sum of ε", At: func(sum Cost) float64 { return float(sum.part(0), unit) }},
	}, p.Epsilon, p.Delta)
}
