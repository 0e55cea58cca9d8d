package mechanisms

import (
	"errors"
	"math"

	"epsiloscope/accounting"
	"epsiloscope/accounting/pld"
)

// once is a run that is a single release.
func once(r accounting.Release) []accounting.Entry {
	return []accounting.Entry{{Release: r, Count: 1}}
}

// exact is a release whose loss is known exactly. The pair may be a lattice of a million
// points, so it is built when first asked for, and kept.
type exact struct {
	accounting.Refusal // it is not Gaussian noise
	key                string
	pure               float64 // pure ε, +Inf if it has none
	renyi              func(alpha float64) float64
	pair               func() pld.Pair
	rho                func() float64                // where r(α)/α is not largest at α = 1
	profile            func(epsilon float64) float64 // where it takes less than the pair
}

func (e *exact) Key() string { return e.key }

func (e *exact) Approximate() (epsilon, delta float64, err error) {
	if math.IsInf(e.pure, 1) {
		return 0, 0, errors.New(e.Label + " noise has no pure ε, and no one (ε, δ): δ falls as ε grows")
	}
	return e.pure, 0, nil
}

func (e *exact) Renyi(alpha float64) (float64, error) {
	// D_α grows to the pure ε; the sums below would overflow long after it got there.
	if math.IsInf(alpha, 1) || alpha > 1e100 && !math.IsInf(e.pure, 1) {
		return e.pure, nil
	}
	return math.Min(e.renyi(math.Max(1, alpha)), e.pure), nil
}

func (e *exact) Concentrated() (rho float64, err error) {
	if e.rho == nil {
		return e.renyi(1), nil
	}
	return e.rho(), nil
}

func (e *exact) Profile(epsilon float64) (delta float64, err error) {
	switch {
	case epsilon >= e.pure:
		return 0, nil
	case e.profile == nil:
		return e.pair().Delta(epsilon), nil
	}
	return e.profile(epsilon), nil
}

func (e *exact) Pair() (pld.Pair, error) { return e.pair(), nil }
