package accounting

import (
	"errors"
	"math"

	"epsiloscope/accounting/pld"
)

// ConcentratedDP is a release of which only its ρ-zCDP is known (Bun & Steinke
// 2016, Definition 1.1). There is no limit to ρ; the US Census used 2.63.
func ConcentratedDP(rho float64) Release { return ConcentratedFrom(0, rho) }

// ConcentratedFrom is a release of which only its (ξ, ρ)-zCDP is known: D_α ≤ ξ + αρ for
// every α > 1 (Bun & Steinke 2016, Definition 1.1). Both numbers add up.
func ConcentratedFrom(xi, rho float64) Release {
	switch {
	case xi == 0 && finite(rho):
		return concentrated{Refusal{Label: "ρ-zCDP"}, 0, rho}
	case xi == 0:
		return Refused("ρ-zCDP", "ρ must be a finite number of at least 0")
	case !finite(xi, rho):
		return Refused("(ξ, ρ)-zCDP", "ξ and ρ must be finite numbers of at least 0")
	}
	return concentrated{Refusal{Label: "(ξ, ρ)-zCDP"}, xi, rho}
}

type concentrated struct {
	Refusal
	xi, rho float64
}

func (c concentrated) Key() string { return key("zcdp", c.xi, c.rho) }

func (c concentrated) Renyi(alpha float64) (float64, error) {
	if c.rho == 0 {
		return c.xi, nil
	}
	return c.xi + math.Max(1, alpha)*c.rho, nil
}

// Concentrated is the least line through 0 above ξ + αρ for α ≥ 1.
func (c concentrated) Concentrated() (rho float64, err error) { return c.xi + c.rho, nil }

// Profile is the tight conversion at each ε: an upper bound on the profile of any
// (ξ, ρ)-zCDP mechanism, as D_α − ξ is that of a ρ-zCDP one.
func (c concentrated) Profile(epsilon float64) (delta float64, err error) {
	if c.xi > 0 && epsilon <= c.xi {
		return 1, nil
	}
	return ConcentratedToDelta(c.rho, epsilon-c.xi), nil
}

func (c concentrated) epsilonAt(logDelta float64) float64 {
	switch {
	case logDelta >= 0:
		return 0
	case c.rho == 0:
		return c.xi
	}
	epsilon, _ := concentratedToEpsilonLog(c.rho, logDelta)
	return c.xi + epsilon
}

// The Gaussian pair with μ = √(2ρ) has the same Rényi curve but does not dominate.
func (c concentrated) Pair() (pld.Pair, error) {
	return pld.Pair{}, errors.New("no dominating pair: of a zCDP guarantee only the conversions hold")
}
