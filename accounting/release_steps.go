package accounting

import (
	"math"

	"epsiloscope/accounting/pld"
	"epsiloscope/accounting/special"
)

// steps is what a release of which only its pure ε is known costs a person with k
// records. Its worst case is two-sided geometric noise on an answer that every record
// moves by one (package pld says why), so every other currency is that of the noise:
// less than that of any kε-DP release.
type steps struct {
	Refusal
	epsilon float64 // of one step
	k       float64
}

func (s steps) total() float64 { return s.k * s.epsilon }

func (s steps) Key() string { return key("steps", s.epsilon, s.k) }

func (s steps) Approximate() (epsilon, delta float64, err error) { return s.total(), 0, nil }

func (s steps) Renyi(alpha float64) (float64, error) { return stepsRenyi(s.epsilon, s.k, alpha), nil }

// stepsRenyi is D_α of k steps of a pure ε: at most that of any kε-DP release, which
// stands in where ε is too small for the noise.
func stepsRenyi(epsilon, k, alpha float64) float64 {
	most := pureRenyi(k*epsilon, alpha)
	if !(epsilon > 1e-150) {
		return most
	}
	return math.Min(most, special.GeometricRenyi(k*epsilon, k, alpha))
}

// Concentrated is tight: D_α/α is largest at α = 1.
func (s steps) Concentrated() (rho float64, err error) {
	return stepsRenyi(s.epsilon, s.k, 1), nil
}

func (s steps) Profile(epsilon float64) (delta float64, err error) {
	return math.Min(pureProfile(s.total(), epsilon), special.GeometricProfile(s.total(), s.k, epsilon)), nil
}

func (s steps) Pair() (pld.Pair, error) {
	if s.k >= math.MaxInt {
		return pld.Pure(s.total()), nil
	}
	return pld.Group(pld.Pure(s.epsilon), int(s.k)), nil
}
