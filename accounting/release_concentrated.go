package accounting

import (
	"errors"
	"math"

	"epsiloscope/accounting/pld"
)

// ConcentratedDP is a release of which only its ρ-zCDP is known (Bun & Steinke
// 2016, Definition 1.1). There is no limit to ρ; the US Census used 2.63.
func ConcentratedDP(rho float64) Release {
	if !finite(rho) {
		return Refused("ρ-zCDP", "ρ must be a finite number of at least 0")
	}
	return concentrated{Refusal{Label: "ρ-zCDP"}, rho}
}

type concentrated struct {
	Refusal
	rho float64
}

func (c concentrated) Key() string { return key("zcdp", c.rho) }

func (c concentrated) Renyi(alpha float64) (float64, error) {
	if c.rho == 0 {
		return 0, nil
	}
	return math.Max(1, alpha) * c.rho, nil
}

func (c concentrated) Concentrated() (rho float64, err error) { return c.rho, nil }

// Profile is the tight conversion at each ε: an upper bound on the profile of any
// ρ-zCDP mechanism.
func (c concentrated) Profile(epsilon float64) (delta float64, err error) {
	return ConcentratedToDelta(c.rho, epsilon), nil
}

func (c concentrated) epsilonAt(logDelta float64) float64 {
	if c.rho == 0 || logDelta >= 0 {
		return 0
	}
	epsilon, _ := concentratedToEpsilonLog(c.rho, logDelta)
	return epsilon
}

// The Gaussian pair with μ = √(2ρ) has the same Rényi curve but does not dominate.
func (c concentrated) Pair() (pld.Pair, error) {
	return pld.Pair{}, errors.New("no dominating pair: of a ρ-zCDP guarantee only the conversions hold")
}
