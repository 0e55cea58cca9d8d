package mechanisms

import (
	"math"

	"epsiloscope/accounting"
)

// ZCDP is any ρ-zero-concentrated release: D_α ≤ αρ for every α > 1 (Bun &
// Steinke 2016).
type ZCDP struct{ Rho float64 }

var zcdpSpec = Spec{
	Name: "zcdp", Title: "zCDP",
	Summary: "any release known only by its ρ (zero-concentrated DP)",
	Params: []Param{{
		Name: "rho", Symbol: "ρ", Help: "bound on Rényi divergence per order: D_α ≤ αρ", Type: Number,
		Min: 0, OpenMin: true, Max: math.Inf(1), Required: true, Initial: NumberValue(0.1), Step: 1.1, Log: true, Noise: -2,
	}},
	build:   buildZCDP,
	Source:  "Bun, Steinke 2016",
	NoError: onlyStated,
	Notes: []string{
		"A slide restricts ρ to [0, 1]; there is no upper limit (the US Census used 2.63).",
		"The Gaussian with the same ρ does not dominate it, so it has no numerical bound of its own.",
	},
}

func buildZCDP(r reader) (Mechanism, error) {
	rho := r.number("rho")
	return ZCDP{Rho: rho}, checkLoss("rho", rho)
}

// Kind is "zcdp".
func (ZCDP) Kind() string { return "zcdp" }

// Releases is one release.
func (z ZCDP) Releases() []accounting.Entry { return once(accounting.ConcentratedDP(z.Rho)) }
