package accounting

import (
	"fmt"
	"math"

	"epsiloscope/accounting/pld/pairs"
)

// checkAnswers returns a release whose answers are checked, if it was declared outside this
// package: an ε, ρ, μ or divergence that is negative or not a number, and a δ outside [0, 1],
// become errors. A forgotten release is one of which nothing is known.
func checkAnswers(r Release) Release {
	if r == nil {
		return NewUnsupported("a release", "no release is given")
	}
	if _, own := r.(interface{ ownKey() }); own {
		return r
	}
	c := checked{r, KeyOf(r)}
	if c.contradicts() {
		return NewUnsupported(r.Name(), r.Name()+" says that it costs nothing, and elsewhere that it does: check its fields")
	}
	return c
}

// checked is a release from outside this package.
type checked struct {
	Release
	key string
}

func (c checked) Key() string { return c.key }
func (checked) ownKey()       {}

// wrongAnswer is an answer that cannot be true. What else such a release says is not used instead.
type wrongAnswer struct{ error }

func (c checked) wrong(what string, x float64) error {
	return wrongAnswer{fmt.Errorf("%s answers %v when asked for %s, which cannot be: check its fields", c.Name(), x, what)}
}

// atLeastZero returns an answer that must be at least 0; +Inf, and what is not a number, says that
// there is no bound.
func (c checked) atLeastZero(what string, x float64, err error) (float64, error) {
	switch {
	case err != nil || x >= 0:
		return x, err
	case math.IsNaN(x):
		return math.Inf(1), nil
	}
	return math.Inf(1), c.wrong(what, x)
}

func (c checked) Approximate() (epsilon, delta float64, err error) {
	epsilon, delta, err = c.Release.Approximate()
	switch {
	case err != nil:
		return epsilon, delta, err
	case !(epsilon >= 0):
		return 0, 0, c.wrong("its ε", epsilon)
	case !(delta >= 0 && delta <= 1):
		return 0, 0, c.wrong("its δ", delta)
	}
	return epsilon, delta, nil
}

// contradicts reports whether one answer says that the release costs nothing and another that it does:
// a field was forgotten.
func (c checked) contradicts() bool {
	zero, above := false, false
	for _, ask := range []func() (float64, error){
		func() (float64, error) { epsilon, delta, err := c.Approximate(); return epsilon + delta, err },
		c.Gaussian, c.Concentrated,
		func() (float64, error) { return c.Renyi(2) },
	} {
		if x, err := ask(); err == nil {
			zero, above = zero || x == 0, above || x > 0
		}
	}
	if delta, err := c.Profile(0); zero && err == nil {
		above = above || delta > 0
	}
	return zero && above
}

func (c checked) Renyi(alpha float64) (float64, error) {
	x, err := c.Release.Renyi(alpha)
	return c.atLeastZero("its Rényi divergence", x, err)
}

func (c checked) Concentrated() (rho float64, err error) {
	rho, err = c.Release.Concentrated()
	return c.atLeastZero("its ρ", rho, err)
}

func (c checked) Gaussian() (mu float64, err error) {
	mu, err = c.Release.Gaussian()
	return c.atLeastZero("its μ", mu, err)
}

func (c checked) Profile(epsilon float64) (delta float64, err error) {
	delta, err = c.Release.Profile(epsilon)
	if err == nil && !(delta >= 0 && delta <= 1) {
		return 1, c.wrong("its δ", delta)
	}
	return delta, err
}

func (c checked) Pair() (pairs.Pair, error) { return pairOf(c.Release) }
