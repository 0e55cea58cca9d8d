package adaptive

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"epsiloscope/accounting"
)

// DefaultOrders are the orders of a mixture unless it names its own.
var DefaultOrders = []float64{2, 3, 4, 5, 6, 8, 12, 16}

// plannedWeight is the share of the weight that the planned order gets.
const plannedWeight = 0.9

// MixtureOrders returns the orders and weights of a mixture: those of the promise, or the defaults.
func (p Promise) MixtureOrders() (orders, weights []float64, err error) { return p.orders() }

// orders returns the Rényi orders of the promise, with their weights.
func (p Promise) orders() (orders, weights []float64, err error) {
	orders = slices.Clone(p.Orders)
	if len(orders) == 0 && p.Alpha == 0 {
		orders = slices.Clone(DefaultOrders)
	}
	if p.Alpha != 0 && !slices.Contains(orders, p.Alpha) {
		orders = append(orders, p.Alpha)
	}
	for i, alpha := range orders {
		if err := checkOrder(alpha); err != nil {
			return nil, nil, err
		}
		if slices.Contains(orders[:i], alpha) {
			return nil, nil, fmt.Errorf("the order %g is given twice", alpha)
		}
	}
	if len(p.Weights) > 0 {
		weights = slices.Clone(p.Weights)
		err := checkWeights(orders, weights)
		floats.Scale(1/floats.Sum(weights), weights) // what they are above 1 would be added to δ
		return orders, weights, err
	}
	weights = make([]float64, len(orders))
	for i, alpha := range orders {
		switch {
		case p.Alpha == 0 || len(orders) == 1:
			weights[i] = 1 / float64(len(orders))
		case alpha == p.Alpha:
			weights[i] = plannedWeight
		default:
			weights[i] = (1 - plannedWeight) / float64(len(orders)-1)
		}
	}
	return orders, weights, nil
}

func checkOrder(alpha float64) error {
	switch {
	case math.IsInf(alpha, 1):
		return fmt.Errorf("the order α = ∞ adds up pure ε: use the basic filter")
	case !(alpha > 1):
		return fmt.Errorf("a Rényi order above 1 must be fixed in advance, not %g", alpha)
	}
	return nil
}

func checkWeights(orders, weights []float64) error {
	if len(weights) != len(orders) {
		return fmt.Errorf("there are %d orders and %d weights", len(orders), len(weights))
	}
	for _, w := range weights {
		if !(w > 0) {
			return fmt.Errorf("every weight must be above 0, not %g", w)
		}
	}
	if sum := floats.Sum(weights); math.Abs(sum-1) > 1e-9 {
		return fmt.Errorf("the weights add up to %g, not to 1", sum)
	}
	return nil
}

// divergence returns D_α of a release: its own, or that of its ε with the δ beside.
func divergence(r accounting.Release, alpha float64) (x, delta float64, err error) {
	return accounting.CostOrPureFallback(r, func(r accounting.Release) (float64, error) { return r.Renyi(alpha) })
}
