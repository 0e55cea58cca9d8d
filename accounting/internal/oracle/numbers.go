package oracle

import (
	"math"
	"math/big"
)

// precision in bits: 96 decimal digits, so that differences that cancel 60 of them
// still have more than float64 can hold.
const precision = 320

// Real is a number of 320 bits.
type Real struct{ v *big.Float }

func real(v *big.Float) Real { return Real{v} }

func empty() *big.Float { return new(big.Float).SetPrec(precision) }

// R returns a float64, exactly.
func R(x float64) Real { return real(empty().SetFloat64(x)) }

// Ratio returns a/b.
func Ratio(a, b int64) Real {
	return real(empty().Quo(empty().SetInt64(a), empty().SetInt64(b)))
}

func (a Real) Add(b Real) Real { return real(empty().Add(a.v, b.v)) }
func (a Real) Sub(b Real) Real { return real(empty().Sub(a.v, b.v)) }
func (a Real) Mul(b Real) Real { return real(empty().Mul(a.v, b.v)) }
func (a Real) Div(b Real) Real { return real(empty().Quo(a.v, b.v)) }
func (a Real) Neg() Real       { return real(empty().Neg(a.v)) }
func (a Real) Sqrt() Real      { return real(empty().Sqrt(a.v)) }
func (a Real) Sign() int       { return a.v.Sign() }
func (a Real) Cmp(b Real) int  { return a.v.Cmp(b.v) }

// Float returns the nearest float64.
func (a Real) Float() float64 {
	x, _ := a.v.Float64()
	return x
}

// LogFloat returns ln a in float64, of numbers that float64 does not hold too.
func (a Real) LogFloat() float64 {
	if a.Sign() == 0 {
		return math.Inf(-1)
	}
	mantissa := empty()
	exponent := a.v.MantExp(mantissa)
	return math.Log(real(mantissa).Float()) + float64(exponent)*math.Ln2
}

// Min returns the smallest of several numbers.
func Min(first Real, rest ...Real) Real {
	for _, r := range rest {
		if r.Cmp(first) < 0 {
			first = r
		}
	}
	return first
}

// atanhInverse returns artanh(1/n) by its series.
func atanhInverse(n int64) Real {
	sum, power, square := R(0), Ratio(1, n), Ratio(1, n*n)
	for k := int64(1); power.v.MantExp(nil) > -precision-8; k += 2 {
		sum = sum.Add(power.Div(real(empty().SetInt64(k))))
		power = power.Mul(square)
	}
	return sum
}

// ln2 by Machin's way: 18·artanh(1/26) − 2·artanh(1/4801) + 8·artanh(1/8749).
var ln2 = R(18).Mul(atanhInverse(26)).Sub(R(2).Mul(atanhInverse(4801))).Add(R(8).Mul(atanhInverse(8749)))

// Exp returns e^a: the argument is brought below 2⁻²⁴ by whole multiples of ln 2 and by
// halving, the Taylor sum then squared back.
func (a Real) Exp() Real {
	const halvings = 24
	k := math.Round(a.Div(ln2).Float())
	r := a.Sub(R(k).Mul(ln2))
	r = real(empty().SetMantExp(r.v, -halvings))
	sum, term := R(1).v, R(1).v
	for n := 1.0; n < 60; n++ {
		term.Mul(term, r.v)
		term.Quo(term, R(n).v)
		if term.Sign() == 0 || term.MantExp(nil) < -precision-8 {
			break
		}
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return real(empty().SetMantExp(sum, int(k)))
}

// Log returns ln a, a > 0: y in float64, and ln(m/e^y) = 2·artanh((m−e^y)/(m+e^y)) by its series, of which each term is
// smaller than the one before by 100 bits.
func (a Real) Log() Real {
	mantissa := empty()
	exponent := a.v.MantExp(mantissa)
	m := real(mantissa)
	y := R(math.Log(m.Float()))
	e := y.Exp()
	power := m.Sub(e).Div(m.Add(e))
	square := power.Mul(power)
	for k := 1.0; k < 9; k += 2 {
		y = y.Add(power.Mul(R(2)).Div(R(k)))
		power = power.Mul(square)
	}
	return y.Add(R(float64(exponent)).Mul(ln2))
}

// Pow returns a^b for a > 0.
func (a Real) Pow(b Real) Real { return a.Log().Mul(b).Exp() }

var pi = func() Real { // Machin: 16·arctan(1/5) − 4·arctan(1/239)
	arctan := func(n int64) Real {
		sum, power, square := R(0), Ratio(1, n), Ratio(-1, n*n)
		for k := int64(1); power.v.MantExp(nil) > -precision-8; k += 2 {
			sum = sum.Add(power.Div(real(empty().SetInt64(k))))
			power = power.Mul(square)
		}
		return sum
	}
	return R(16).Mul(arctan(5)).Sub(R(4).Mul(arctan(239)))
}()

// Normal returns Φ(x): the power series near 0, the continued fraction of the Mills
// ratio in the tails, where 1500 terms reach 1e-70 from |x| = 2.
func Normal(x Real) Real {
	density := x.Mul(x).Div(R(-2)).Exp().Div(R(2).Mul(pi).Sqrt())
	size := math.Abs(x.Float())
	if size < 2.5 {
		sum, term, square := R(0), x, x.Mul(x)
		for n := 1.0; n < 400; n += 2 {
			sum = sum.Add(term)
			term = term.Mul(square).Div(R(n + 2))
		}
		return Ratio(1, 2).Add(density.Mul(sum))
	}
	t := real(empty().Abs(x.v))
	f := t
	for k := 1500.0; k >= 1; k-- {
		if size > 8 && k > 300 {
			continue
		}
		f = t.Add(R(k).Div(f))
	}
	tail := density.Div(f)
	if x.Sign() > 0 {
		return R(1).Sub(tail)
	}
	return tail
}

// LogWithout returns −ln(1−x) for 0 ≤ x < 1, by its series where 1−x would drop digits.
func LogWithout(x Real) Real {
	if x.Sign() == 0 {
		return x
	}
	if x.v.MantExp(nil) > -60 {
		return R(1).Sub(x).Log().Neg()
	}
	sum, power := R(0), x
	for k := 1.0; k < 8; k++ {
		sum = sum.Add(power.Div(R(k)))
		power = power.Mul(x)
	}
	return sum
}

// OneMinusExpNeg returns 1 − e^{−x}, the inverse of LogWithout.
func OneMinusExpNeg(x Real) Real {
	if x.Sign() == 0 {
		return x
	}
	if x.v.MantExp(nil) > -60 {
		return R(1).Sub(x.Neg().Exp())
	}
	sum, term := R(0), x
	for k := 2.0; k < 9; k++ {
		sum = sum.Add(term)
		term = term.Mul(x).Div(R(-k))
	}
	return sum
}
