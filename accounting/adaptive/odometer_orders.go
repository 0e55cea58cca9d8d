package adaptive

import (
	"math"

	"epsiloscope/accounting/special"
)

// MixtureOfOrders is the odometer of Rényi sums R_j at orders fixed beforehand: the u
// with Σ_j w_j e^{(α_j−1)(u−R_j)} = 1/δ. By Ville's inequality the loss exceeds it at
// some time with probability δ at most.
func MixtureOfOrders(orders, weights, sums []float64, delta float64) float64 {
	l := -math.Log(delta)
	// Each order alone is an upper end, and the lower end is the one all share.
	high, low := math.Inf(1), math.Inf(1)
	for i, alpha := range orders {
		high = math.Min(high, sums[i]+(l-math.Log(weights[i]))/(alpha-1))
		low = math.Min(low, sums[i])
	}
	_, high = special.Bisect(low, high, 0, func(u float64) bool { return logMixture(orders, weights, sums, u) < l })
	return high
}

func ordersOdometer(orders, weights []float64, p Promise) Odometer {
	return Odometer{
		Name:   "mixture of orders",
		Source: "Ville's inequality for the mean of the supermartingales of Feldman & Zrnic 2021",
		At: func(sum Cost) float64 {
			if nothing(sum) {
				return 0
			}
			sums := make([]float64, len(orders))
			for i := range sums {
				sums[i] = float(sum.part(i), Unit)
			}
			return MixtureOfOrders(orders, weights, sums, p.left()) * (1 + odometerMargin)
		},
	}
}
