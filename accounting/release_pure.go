package accounting

import (
	"errors"
	"math"
	"slices"
	"sync"

	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/accounting/special"
)

// PureDP returns a release of which only its pure ε ≥ 0 is known. Its worst case is
// randomized response with the same ε (Kairouz, Oh & Viswanath 2015, Theorem 2.4),
// so the guarantee under every other privacy notion is that of randomized response.
func PureDP(epsilon float64) Release {
	if !finite(epsilon) {
		return NewUnsupported("ε-DP", "ε must be a finite number of at least 0")
	}
	return pure{newKeyed("ε-DP", "pure", epsilon), epsilon}
}

type pure struct {
	keyed
	epsilon float64
}

func (p pure) Approximate() (epsilon, delta float64, err error) { return p.epsilon, 0, nil }

func (p pure) Renyi(alpha float64) (float64, error) { return pureRenyi(p.epsilon, alpha), nil }

func (p pure) Concentrated() (rho float64, err error) { return PureToConcentrated(p.epsilon), nil }

func (p pure) Profile(epsilon float64) (delta float64, err error) {
	return pureProfile(p.epsilon, epsilon), nil
}

func (p pure) Pair() (pairs.Pair, error) { return pairs.Pure(p.epsilon), nil }

// pureRenyi returns D_α of randomized response with the given ε:
// ln[cosh((α−½)ε)/cosh(ε/2)]/(α−1). With C = (α−1)ε the quotient is
// cosh C + sinh C·tanh(ε/2), which does not cancel for small C.
func pureRenyi(epsilon, alpha float64) float64 {
	s := alpha - 1
	c := s * epsilon
	tanh := math.Tanh(epsilon / 2)
	switch {
	case math.IsInf(alpha, 1):
		return epsilon
	case s <= 0:
		return epsilon * tanh
	case c > 1:
		return epsilon + special.Log(0.5*(1+tanh)+0.5*(1-tanh)*math.Exp(-2*c))/s
	}
	half := math.Sinh(c / 2)
	return math.Log1p(2*half*half+math.Sinh(c)*tanh) / s
}

// pureProfile returns δ(t) of randomized response: (e^ε − e^t)/(1 + e^ε) for |t| ≤ ε.
func pureProfile(epsilon, t float64) float64 {
	switch {
	case t >= epsilon:
		return 0
	case t < -epsilon:
		return -math.Expm1(t)
	}
	return -math.Expm1(t-epsilon) / (1 + math.Exp(-epsilon))
}

// pureGroup returns the guarantee, for a person with k records, of a release of which only its
// pure ε is known. Its worst case is two-sided geometric noise on an answer that every record
// moves by one (package pld says why), so the guarantee under every other privacy notion is that
// of the noise: less than that of any kε-DP release.
func pureGroup(name string, epsilon, k float64) Release {
	total := k * epsilon
	return Exact(name, "steps", Guarantees{
		Pure:  total,
		Renyi: func(alpha float64) float64 { return stepsRenyi(epsilon, k, alpha) }, // D_α/α is largest at α = 1
		Profile: func(t float64) float64 {
			return math.Min(pureProfile(total, t), special.GeometricProfile(total, k, t))
		},
		Pair: func() pairs.Pair {
			if k >= math.MaxInt {
				return pairs.Bracket(pairs.Pure(total), pairs.Laplace(total), "so large a group is known from both sides only")
			}
			return pairs.Group(pairs.Pure(epsilon), int(k))
		},
	}, epsilon, k)
}

// stepsRenyi returns D_α of k steps of a pure ε: at most that of any kε-DP release, which
// stands in where ε is too small for the noise.
func stepsRenyi(epsilon, k, alpha float64) float64 {
	most := pureRenyi(k*epsilon, alpha)
	if !(epsilon > 1e-150) {
		return most
	}
	return math.Min(most, special.GeometricRenyi(k*epsilon, k, alpha))
}

// ApproximateDP returns a release of which only (ε, δ) is known, 0 ≤ δ ≤ 1. It has no
// Rényi curve; theorems that need one carry its δ beside the curve of the pure ε,
// as its worst case fails with probability δ and is randomized response otherwise
// (Kairouz, Oh & Viswanath 2015, Theorem 2.4).
func ApproximateDP(epsilon, delta float64) Release {
	switch {
	case !finite(epsilon, delta) || delta > 1:
		return NewUnsupported("(ε, δ)-DP", "ε must be a finite number of at least 0, and δ lie between 0 and 1")
	case delta == 0:
		return PureDP(epsilon)
	}
	return approximate{newKeyed("(ε, δ)-DP", "approximate", epsilon, delta), epsilon, delta}
}

// CostOrPureFallback returns the cost of r or, if it has none, that of its stated ε as a pure
// release, with its δ returned separately. The error says why it has neither. An infinite cost
// counts as none if the ε is pure. Otherwise it stays: a filter of several orders, some of which
// are finite, would have to count δ with these too.
func CostOrPureFallback(r Release, cost func(Release) (float64, error)) (x, delta float64, err error) {
	if x, err = cost(r); err == nil && finite(x) {
		return x, 0, nil
	}
	if errors.As(err, new(wrongAnswer)) {
		return x, 0, err
	}
	epsilon, delta, none := r.Approximate()
	if none != nil || !finite(epsilon, delta) || err == nil && delta > 0 {
		return x, 0, err
	}
	x, err = cost(PureDP(epsilon))
	return x, delta, err
}

type approximate struct {
	keyed
	epsilon, delta float64
}

func (a approximate) Approximate() (epsilon, delta float64, err error) {
	return a.epsilon, a.delta, nil
}

func (a approximate) Profile(epsilon float64) (delta float64, err error) {
	return math.Min(1, a.delta+(1-a.delta)*pureProfile(a.epsilon, epsilon)), nil
}

func (a approximate) Pair() (pairs.Pair, error) { return pairs.Approximate(a.epsilon, a.delta), nil }

// ApproximateWithPair returns a release that is (ε, δ)-DP and of which more is known: its dominating
// pair, which is asked for once. Its kind and the numbers are its key.
func ApproximateWithPair(name, kind string, epsilon, delta float64, pair func() pairs.Pair, numbers ...any) Release {
	if !finite(epsilon, delta) || delta > 1 {
		return NewUnsupported(name, "ε must be a finite number of at least 0, and δ lie between 0 and 1")
	}
	return approximateWithPair{approximate{newKeyed(name, kind, append(slices.Clone(numbers), epsilon, delta)...),
		epsilon, delta}, sync.OnceValue(pair)}
}

type approximateWithPair struct {
	approximate
	pair func() pairs.Pair
}

func (a approximateWithPair) Profile(epsilon float64) (delta float64, err error) {
	stated, _ := a.approximate.Profile(epsilon)
	return math.Min(stated, a.pair().Delta(epsilon)), nil
}

func (a approximateWithPair) Pair() (pairs.Pair, error) { return a.pair(), nil }
