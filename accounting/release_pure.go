package accounting

import (
	"math"

	"epsiloscope/accounting/pld"
)

// PureDP is a release of which only its pure ε ≥ 0 is known. Its worst case is
// randomized response with the same ε (Kairouz, Oh & Viswanath 2015, Theorem 2.4),
// so every other currency is that of randomized response.
func PureDP(epsilon float64) Release {
	if !finite(epsilon) {
		return Refused("ε-DP", "ε must be a finite number of at least 0")
	}
	return pure{Refusal{Label: "ε-DP"}, epsilon}
}

// OnlyPure reports whether of a release only its pure ε is known: then nothing is lost in
// what [GroupOf] says of a group.
func OnlyPure(r Release) bool { _, ok := behind[pure](r); return ok }

type pure struct {
	Refusal
	epsilon float64
}

func (p pure) Key() string { return key("pure", p.epsilon) }

func (p pure) Approximate() (epsilon, delta float64, err error) { return p.epsilon, 0, nil }

func (p pure) Renyi(alpha float64) (float64, error) { return pureRenyi(p.epsilon, alpha), nil }

func (p pure) Concentrated() (rho float64, err error) { return PureToConcentrated(p.epsilon), nil }

func (p pure) Profile(epsilon float64) (delta float64, err error) {
	return pureProfile(p.epsilon, epsilon), nil
}

func (p pure) Pair() (pld.Pair, error) { return pld.Pure(p.epsilon), nil }

// pureRenyi is D_α of randomized response with the given ε:
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
		return epsilon + math.Log(0.5*(1+tanh)+0.5*(1-tanh)*math.Exp(-2*c))/s
	}
	half := math.Sinh(c / 2)
	return math.Log1p(2*half*half+math.Sinh(c)*tanh) / s
}

// pureProfile is δ(t) of randomized response: (e^ε − e^t)/(1 + e^ε) for |t| ≤ ε.
func pureProfile(epsilon, t float64) float64 {
	switch {
	case t >= epsilon:
		return 0
	case t < -epsilon:
		return -math.Expm1(t)
	}
	return -math.Expm1(t-epsilon) / (1 + math.Exp(-epsilon))
}
