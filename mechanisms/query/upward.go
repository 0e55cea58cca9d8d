package query

import (
	"math"
	"math/big"
)

// upward is a number that is at least the true one: every operation rounds up, far beyond the digits of a float64.
// Operands are never negative.
type upward struct{ x *big.Float }

// upwardDigits is the precision of intermediate results in bits: products of three float64 fit.
const upwardDigits = 256

func newUpward() *big.Float { return new(big.Float).SetPrec(upwardDigits).SetMode(big.ToPositiveInf) }

func exactly(x float64) upward { return upward{newUpward().SetFloat64(x)} }

func (a upward) plus(b upward) upward      { return upward{newUpward().Add(a.x, b.x)} }
func (a upward) times(b upward) upward     { return upward{newUpward().Mul(a.x, b.x)} }
func (a upward) dividedBy(b upward) upward { return upward{newUpward().Quo(a.x, b.x)} }
func (a upward) square() upward            { return a.times(a) }

func (a upward) atMost(b upward) bool { return a.x.Cmp(b.x) <= 0 }

func largestOf(a, b upward) upward {
	if a.atMost(b) {
		return b
	}
	return a
}

// float returns the smallest float64 that is not below the number; +Inf if there is none.
func (a upward) float() float64 {
	f, side := a.x.Float64()
	if side == big.Below {
		return math.Nextafter(f, math.Inf(1))
	}
	return f
}

// root returns the smallest float64 whose square is not below the number.
func (a upward) root() float64 {
	mantissa := newUpward()
	exponent := a.x.MantExp(mantissa) // so that the square root is far from the ends of float64
	if exponent%2 != 0 {
		mantissa.SetMantExp(mantissa, 1)
		exponent--
	}
	near, _ := mantissa.Float64()
	r := math.Sqrt(near)
	for exactly(r).square().x.Cmp(mantissa) < 0 {
		r = math.Nextafter(r, math.Inf(1))
	}
	for r > 0 {
		less := math.Nextafter(r, 0)
		if exactly(less).square().x.Cmp(mantissa) < 0 {
			break
		}
		r = less
	}
	if root := math.Ldexp(r, exponent/2); root > 1e-300 || root == 0 && r == 0 {
		return root
	}
	return math.Nextafter(math.Ldexp(r, exponent/2), math.Inf(1)) // its last bits may have been lost
}
