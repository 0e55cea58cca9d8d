package gauge

import "math/big"

// bits is the precision of the numbers that [Wide] and [WideExp] return.
const bits = 480

// Wide returns x as a number of 480 bits, for sums that must not round.
func Wide(x float64) *big.Float { return new(big.Float).SetPrec(bits).SetFloat64(x) }

// WideExp returns e^x to 320 bits for |x| up to 2²⁰: the series at x/2⁶⁴, squared 64 times.
func WideExp(x *big.Float) *big.Float {
	small := new(big.Float).SetPrec(bits).Set(x)
	small.SetMantExp(small, -64)
	sum, term := Wide(1), Wide(1)
	for n := 1.0; n < 12; n++ {
		term.Mul(term, small)
		term.Quo(term, Wide(n))
		sum.Add(sum, term)
	}
	for range 64 {
		sum.Mul(sum, sum)
	}
	return sum
}
