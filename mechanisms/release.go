package mechanisms

import (
	"errors"
	"math"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/accounting/pld"
	"epsiloscope/mechanisms/numeral"
)

// once is a run that is a single release.
func once(r accounting.Release) []accounting.Entry {
	return []accounting.Entry{{Release: r, Count: 1}}
}

// exact is a release whose loss is known exactly: its Rényi curve and profile in
// closed form where there is one, else from its dominating pair. The pair may be a
// lattice of a million points, so it is built when first asked for, and kept.
type exact struct {
	name, key string
	pure      float64 // pure ε, +Inf if it has none
	renyi     func(alpha float64) float64
	profile   func(epsilon float64) float64
	rho       func() float64
	pair      func() pld.Pair
}

func (e *exact) Name() string { return e.name }
func (e *exact) Key() string  { return e.key }

func (e *exact) Approximate() (epsilon, delta float64, err error) {
	if math.IsInf(e.pure, 1) {
		return 0, 0, errors.New(e.name + " noise has no pure ε, and no one (ε, δ): δ falls as ε grows")
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

func (e *exact) Concentrated() (rho float64, err error) { return e.rho(), nil }

func (e *exact) Gaussian() (mu float64, err error) {
	if strings.Contains(e.name, "Gaussian") { // it is, on whole numbers
		return 0, errors.New(e.name + " is not continuous Gaussian noise")
	}
	return 0, errors.New(e.name + " is not Gaussian noise")
}

func (e *exact) Profile(epsilon float64) (delta float64, err error) {
	if epsilon >= e.pure {
		return 0, nil
	}
	return e.profile(epsilon), nil
}

func (e *exact) Pair() (pld.Pair, error) { return e.pair(), nil }

// keyOf identifies a release by its kind and numbers, each in full.
func keyOf(kind string, numbers ...float64) string {
	parts := make([]string, len(numbers))
	for i, x := range numbers {
		parts[i] = numeral.Format(x)
	}
	return kind + "(" + strings.Join(parts, ",") + ")"
}

// steepest is sup r(α)/α over α ≥ 1, by search. As r(α) ≤ ε, nothing beyond
// α = ε/best can beat what was found. The search is over ln α, on a grid and then
// within its best cell; the result is raised by 1e-9 of itself, far more than a
// smooth maximum so bracketed can be missed by.
func steepest(renyi func(alpha float64) float64, epsilon float64) float64 {
	ratio := func(logAlpha float64) float64 {
		alpha := math.Exp(logAlpha)
		return renyi(alpha) / alpha
	}
	best, at := ratio(0), 0.0
	const step = 1.0 / 16
	for x := step; x < math.Log(epsilon/best); x += step {
		if v := ratio(x); v > best {
			best, at = v, x
		}
	}
	low, high := math.Max(0, at-step), at+step
	for range 60 {
		a, b := low+0.382*(high-low), high-0.382*(high-low)
		fa, fb := ratio(a), ratio(b)
		best = math.Max(best, math.Max(fa, fb))
		if fa < fb {
			low = a
		} else {
			high = b
		}
	}
	return math.Min(best*(1+1e-9), accounting.PureToConcentrated(epsilon))
}
