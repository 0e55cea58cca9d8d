package oracle_test

import (
	"math"
	"math/rand/v2"
)

// draw makes the choices of a numbered world: the same number, the same world.
type draw struct{ *rand.Rand }

func numbered(n int) draw { return draw{rand.New(rand.NewPCG(2026, uint64(n)))} }

// one of some values.
func one[T any](d draw, list ...T) T { return list[d.IntN(len(list))] }

// between returns a whole number from low to high.
func (d draw) between(low, high int) int { return low + d.IntN(high-low+1) }

// log returns a number from low to high, on a logarithmic scale.
func (d draw) log(low, high float64) float64 {
	return math.Min(high, low*math.Pow(high/low, d.Float64()))
}

// rate reaches from next to nothing to next to all.
func (d draw) rate() float64 {
	switch d.IntN(10) {
	case 0:
		return d.log(1e-9, 0.05)
	case 1:
		return 1 - d.log(1e-9, 0.05)
	}
	return 0.05 + 0.9*d.Float64()
}

// target returns where an attack can be told from its rounding, and at times beyond.
func (d draw) target() float64 {
	if d.IntN(5) == 0 {
		return one(d, 0, 1e-300, 0.5)
	}
	return d.log(1e-14, 0.5)
}
