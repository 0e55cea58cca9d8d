package accounting

import (
	"math"

	"epsiloscope/accounting/pld/pairs"
)

// laplace returns a release with more than a pure ε, as a mechanism would build it: the
// generic pure one with its own curve, ρ and profile (Mironov 2017, Proposition 6).
func laplace(epsilon float64) Release { return laplaceNoise{PureDP(epsilon), epsilon} }

type laplaceNoise struct {
	Release
	epsilon float64
}

func (l laplaceNoise) Name() string { return "Laplace" }
func (l laplaceNoise) Key() string  { return newKeyed("", "laplace", l.epsilon).key }

func (l laplaceNoise) Renyi(alpha float64) (float64, error) {
	if math.IsInf(alpha, 1) {
		return l.epsilon, nil
	}
	rho, _ := l.Concentrated()
	s := alpha - 1
	if s < 1e-5 {
		return math.Min(l.epsilon, rho*(1+s)), nil // D_α ≤ αρ
	}
	a := math.Log(alpha/(2*alpha-1)) + s*l.epsilon
	b := math.Log(s/(2*alpha-1)) - alpha*l.epsilon
	return math.Max(0, a+math.Log1p(math.Exp(b-a))) / s, nil
}

func (l laplaceNoise) Concentrated() (float64, error) { return l.epsilon + math.Expm1(-l.epsilon), nil }

func (l laplaceNoise) Profile(epsilon float64) (float64, error) {
	switch {
	case epsilon >= l.epsilon:
		return 0, nil
	case epsilon < -l.epsilon:
		return -math.Expm1(epsilon), nil
	}
	return -math.Expm1((epsilon - l.epsilon) / 2), nil
}

func (l laplaceNoise) Pair() (pairs.Pair, error) { return pairs.Laplace(l.epsilon), nil }
