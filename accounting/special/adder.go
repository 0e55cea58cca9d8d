package special

import "math"

// Adder sums with the rounding of each step carried along (Neumaier 1974): its error is a
// few units of Σ|x|, not one per term.
type Adder struct{ value, carry float64 }

// Add adds one term and keeps what rounding loses (Neumaier 1974).
func (a *Adder) Add(x float64) {
	t := a.value + x
	if math.Abs(a.value) >= math.Abs(x) {
		a.carry += (a.value - t) + x
	} else {
		a.carry += (x - t) + a.value
	}
	a.value = t
}

// Sum returns the sum so far; beyond float64 nothing is carried.
func (a *Adder) Sum() float64 {
	if math.IsInf(a.value, 0) {
		return a.value
	}
	return a.value + a.carry
}
