package accounting

import (
	"errors"
	"math"
	"sync"

	"epsiloscope/accounting/pld"
)

// Law is what is known of a release whose loss is known exactly.
type Law struct {
	Pure    float64                       // pure ε, +Inf if it has none
	Renyi   func(alpha float64) float64   // for finite α ≥ 1
	Rho     func() float64                // where r(α)/α is not largest at α = 1
	Profile func(epsilon float64) float64 // where it takes less than the pair
	Pair    func() pld.Pair               // may be a lattice of a million points: it is asked for once
	Reason  string                        // why it is not Gaussian noise, if that needs words
}

// Exact is a release of which the law is known. Its kind and the numbers are its key.
func Exact(name, kind string, law Law, numbers ...any) Release {
	law.Pair = sync.OnceValue(law.Pair)
	if law.Rho == nil {
		law.Rho = func() float64 { return law.Renyi(1) }
	}
	law.Rho = sync.OnceValue(law.Rho)
	if law.Profile == nil {
		law.Profile = func(epsilon float64) float64 { return law.Pair().Delta(epsilon) }
	}
	e := exact{about(name, kind, numbers...), law}
	e.Refusal.Reason = law.Reason
	return e
}

type exact struct {
	Refusal // it is not Gaussian noise
	law     Law
}

func (e exact) Approximate() (epsilon, delta float64, err error) {
	if math.IsInf(e.law.Pure, 1) {
		return 0, 0, errors.New(e.Label + " noise has no pure ε, and no one (ε, δ): δ falls as ε grows")
	}
	return e.law.Pure, 0, nil
}

func (e exact) Renyi(alpha float64) (float64, error) {
	// D_α grows to the pure ε; the sums would overflow long after it got there.
	if math.IsInf(alpha, 1) || !math.IsInf(e.law.Pure, 1) && alpha*e.law.Pure > 1e100 {
		return e.law.Pure, nil
	}
	return math.Min(e.law.Renyi(math.Max(1, alpha)), e.law.Pure), nil
}

func (e exact) Concentrated() (rho float64, err error) { return e.law.Rho(), nil }

func (e exact) Profile(epsilon float64) (delta float64, err error) {
	if epsilon >= e.law.Pure {
		return 0, nil
	}
	return e.law.Profile(epsilon), nil
}

func (e exact) Pair() (pld.Pair, error) { return e.law.Pair(), nil }
