package adaptive

import (
	"math"

	"epsiloscope/accounting/special"
)

// Odometer is a bound on ε that is valid at all times simultaneously, so also at a stopping time that depends
// on the outputs. Its parameters are fixed before the first release.
type Odometer struct {
	Name string
	// At is the ε that may be quoted for a sum of costs, rounded up.
	At func(sum Cost) float64

	words string // the sense in which it holds, where it is another than usual
}

// Sense states in words what the value u of the odometer at this sum guarantees.
func (o Odometer) Sense(sum Cost) string {
	switch {
	case o.words != "":
		return o.words
	case sum.failures().Sign() > 0:
		return "some releases state an (ε, δ) with δ > 0, so it holds in this sense: for every event S, P(S) ≤ E_Q[e^u·1_S] + δ, with u the value at the time of stopping"
	}
	return "with probability at least 1 − δ the privacy loss is at most this value at all times simultaneously"
}

// isZero reports whether nothing has been spent.
func isZero(sum Cost) bool {
	for _, part := range sum.Parts {
		if part.Sign() > 0 {
			return false
		}
	}
	return true
}

// odometerMargin covers the rounding of the formulas.
const odometerMargin = 1e-13

// varianceOdometer returns the line or the mixture, on V = the variance times the sum.
func varianceOdometer(p Promise, variance float64) Odometer {
	name, curve := "straight line", func(v float64) float64 { return Line(v, p.Epsilon, p.theoremDelta()) }
	if p.Odometer == "mixture" {
		gamma := LineVariance(p.Epsilon, p.theoremDelta())
		name, curve = "one-sided mixture", func(v float64) float64 { return OneSidedMixture(v, gamma, p.theoremDelta()) }
	}
	return Odometer{Name: name, At: fromFirst(func(sum Cost) float64 {
		return curve(variance * float(sum.part(0), unit))
	})}
}

// ordersOdometer returns [MixtureOfOrders] of the sums.
func ordersOdometer(orders, weights []float64, p Promise) Odometer {
	return Odometer{Name: "mixture of orders", At: fromFirst(func(sum Cost) float64 {
		return MixtureOfOrders(orders, weights, sum.floats(len(orders)), p.theoremDelta())
	})}
}

// fromFirst returns a curve from the first release on, with its margin; before, it is 0.
func fromFirst(curve func(sum Cost) float64) func(sum Cost) float64 {
	return func(sum Cost) float64 {
		if isZero(sum) {
			return 0
		}
		return curve(sum) * (1 + odometerMargin)
	}
}

// LineVariance returns the V at which advanced composition reaches ε:
// y* = (√(2ℓ+2ε) − √(2ℓ))² with ℓ = ln(1/δ). It is 0, which allows no release, unless ε is a positive
// number and δ lies between 0 and 1.
func LineVariance(epsilon, delta float64) float64 {
	if !isPositive(epsilon) || !isShare(delta) {
		return 0
	}
	l := -special.Log(delta)
	root := 2 * epsilon / (math.Sqrt(2*l+2*epsilon) + math.Sqrt(2*l))
	return root * root
}

// Line returns the odometer that is straight in V = Σε² (or 2Σρ), tuned to a budget ε
// (Whitehouse, Ramdas, Rogers & Wu 2023, section 4): with probability 1 − δ the loss stays
// below it at all times. At the V where advanced
// composition reaches ε it equals it; farther away it is looser. It is +Inf unless V is at least 0, ε
// positive and δ between 0 and 1.
func Line(v, epsilon, delta float64) float64 {
	if !(v >= 0) || !isPositive(epsilon) || !isShare(delta) {
		return math.Inf(1)
	}
	y, l := LineVariance(epsilon, delta), -special.Log(delta)
	return v/2 + math.Sqrt(y*l/2) + v*math.Sqrt(l/(2*y))
}

// OneSidedMixture returns the odometer that averages lines over a half-normal prior (Howard,
// Ramdas, McAuliffe & Sekhon 2021; Whitehouse, Ramdas, Rogers & Wu 2023, section 4): with
// probability 1 − δ the loss stays below it at all times, for V = Σε² (or 2Σρ). γ is
// the V at which it should be sharp. It is the closed form, a little above the root, and +Inf unless V
// is at least 0, γ positive and δ between 0 and 1.
func OneSidedMixture(v, gamma, delta float64) float64 {
	if !(v >= 0) || !isPositive(gamma) || !isShare(delta) {
		return math.Inf(1)
	}
	w := v + gamma
	return math.Sqrt(2*w*math.Log1p(math.Sqrt(w/gamma)/(2*delta))) + v/2
}

// MixtureOfOrders returns the odometer of Rényi sums R_j at orders fixed in advance: the u
// with Σ_j w_j e^{(α_j−1)(u−R_j)} = 1/δ. By Ville's inequality the loss exceeds it at
// some time with probability δ at most. It is +Inf unless there are as many weights and sums as orders,
// the orders lie above 1, the weights are positive and add up to at most 1, the sums are at least 0
// and δ lies between 0 and 1.
func MixtureOfOrders(orders, weights, sums []float64, delta float64) float64 {
	if !isMixture(orders, weights, sums) || !isShare(delta) {
		return math.Inf(1)
	}
	l := -special.Log(delta)
	// Each order alone is an upper end, and the lower end is the one all share.
	high, low := math.Inf(1), math.Inf(1)
	for i, alpha := range orders {
		high = math.Min(high, sums[i]+(l-special.Log(weights[i]))/(alpha-1))
		low = math.Min(low, sums[i])
	}
	shares := logs(weights)
	_, high = special.Bisect(low, high, 0, func(u float64) bool { return logMixture(orders, shares, sums, u) < l })
	return high
}

// isMixture reports whether orders, weights and sums make a mixture whose mean is at most 1 at the
// start, which is what Ville's inequality asks for.
func isMixture(orders, weights, sums []float64) bool {
	if len(orders) == 0 || len(weights) != len(orders) || len(sums) != len(orders) {
		return false
	}
	total := 0.0
	for i, alpha := range orders {
		if !(alpha > 1 && isPositive(alpha)) || !isPositive(weights[i]) || !(sums[i] >= 0) {
			return false
		}
		total += weights[i]
	}
	return total <= 1+1e-9 // they are quotients
}

// isPositive reports whether x is a finite number above 0.
func isPositive(x float64) bool { return x > 0 && !math.IsInf(x, 1) }

// isShare reports whether δ lies between 0 and 1.
func isShare(delta float64) bool { return delta > 0 && delta < 1 }
