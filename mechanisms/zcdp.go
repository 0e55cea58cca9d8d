package mechanisms

import (
	"epsiloscope/accounting"
	"epsiloscope/mechanisms/param"
)

// ZCDP is any (ξ, ρ)-zero-concentrated release: D_α ≤ ξ + αρ for every α > 1 (Bun &
// Steinke 2016). ξ is nearly always 0.
type ZCDP struct{ Rho, Xi float64 }

var zcdpSpec = Spec{
	Name: "zcdp", Title: "zCDP",
	Summary: "any release known only by its ρ (zero-concentrated DP)",
	Params: []param.Param{
		following(-2, positive("rho", "ρ", "bound on Rényi divergence per order: D_α ≤ αρ", 0.1, 1.1)),
		atLeastZero(optional(positive("xi", "ξ", "offset of the bound, if it has one: D_α ≤ ξ + αρ", 0.1, 1.1))),
	},
	build:   buildZCDP,
	Source:  "Bun, Steinke 2016",
	NoError: onlyStated,
	Notes: []string{
		"A slide restricts ρ to [0, 1]; there is no upper limit (the US Census used 2.63).",
		"The Gaussian with the same ρ does not dominate it, so it has no numerical bound of its own.",
	},
}

func buildZCDP(r reader) (Mechanism, error) {
	z := ZCDP{Rho: r.number("rho"), Xi: r.number("xi")}
	if err := checkLoss("xi", z.Xi); z.Xi > 0 && err != nil {
		return z, err
	}
	return z, checkLoss("rho", z.Rho)
}

func (ZCDP) Kind() string { return "zcdp" }

func (z ZCDP) Releases() []accounting.Entry { return once(accounting.ConcentratedFrom(z.Xi, z.Rho)) }
