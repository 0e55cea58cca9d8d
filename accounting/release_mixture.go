package accounting

import (
	"math"
	"slices"

	"epsiloscope/accounting/pld/pairs"
)

// MixtureOfGaussians returns Gaussian noise of deviation 1 on an answer that the addition or removal of one record
// moves by shifts[i] ≥ 0 with probability weights[i]. Which shift was taken stays secret. What rounding left out of the
// probabilities counts as the largest shift. Both lists are copied.
func MixtureOfGaussians(shifts, weights []float64) Release {
	const name = "mixture of Gaussians"
	if len(shifts) == 0 || len(shifts) != len(weights) || !finite(shifts...) || !finite(weights...) {
		return NewUnsupported(name, "needs as many shifts as probabilities, all of them finite and at least 0")
	}
	shifts, weights = slices.Clone(shifts), slices.Clone(weights)
	sum, most := 0.0, 0
	for i, w := range weights {
		if sum += w; shifts[i] > shifts[most] {
			most = i
		}
	}
	if math.Abs(sum-1) > 1e-9 {
		return NewUnsupported(name, "the probabilities must add up to 1")
	}
	weights[most] += math.Max(0, 1-sum)
	return mixture{newDerived(newKeyed(name, "mixture", shifts, weights), func([]pairs.Pair) pairs.Pair {
		return pairs.MixtureOfGaussians(shifts, weights)
	}), shifts[most]}
}

type mixture struct {
	*derived
	largest float64 // of the shifts
}

func (m mixture) Renyi(alpha float64) (float64, error) {
	most, err := GaussianDP(m.largest).Renyi(alpha)
	if err != nil {
		return most, err
	}
	return math.Min(most, m.divergence(alpha)), nil
}

// Concentrated returns the ρ of noise on the largest shift: at large orders the Rényi curve
// reaches it.
func (m mixture) Concentrated() (rho float64, err error) { return m.largest * m.largest / 2, nil }

// Profile returns δ(ε), rounded up: if a weight is the very δ that is asked for, the curve lies within rounding of that
// δ over a long range of ε.
func (m mixture) Profile(epsilon float64) (delta float64, err error) {
	pair, err := m.pair()
	if err != nil {
		return GaussianDP(m.largest).Profile(epsilon)
	}
	const rounding = 0x1p-46 // of logarithms of δ, and of what is added up
	return math.Min(1, pair.Delta(epsilon)*(1+rounding)), nil
}
