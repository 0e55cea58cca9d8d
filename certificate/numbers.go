package certificate

import (
	"math"
	"math/big"
	"sync"
)

// Numbers here are big.Float with 320 bits: each operation errs by at most 1e-96 of its
// result. What is computed from them is off by far less than pad before it is rounded to
// integers; the functions below err by less than 1e-80, relative for exp and absolute for
// ln of a number between e^-200 and e^200.

const bits = 320

// one is the unit of single releases: their masses are integers in units of 1e-40.
var (
	one   = new(big.Int).Exp(big.NewInt(10), big.NewInt(40), nil)
	oneF  = fromInt(one)
	pad   = mustFloat("1e-43")
	zeroF = newFloat()
	unitF = newFloat().SetInt64(1)
	twoF  = newFloat().SetInt64(2)
	halfF = mustFloat("0.5")
)

// ln2 returns ln 2, and root √(2π): each is computed when it is first needed.
var (
	ln2  = sync.OnceValue(logTwo)
	root = sync.OnceValue(func() *big.Float { return newFloat().Sqrt(mul(twoF, pi())) })
)

func newFloat() *big.Float { return new(big.Float).SetPrec(bits) }

func fromInt(i *big.Int) *big.Float { return newFloat().SetInt(i) }

func mustFloat(text string) *big.Float {
	x, ok := newFloat().SetString(text)
	if !ok {
		panic("certificate: " + text + " is not a number")
	}
	return x
}

func add(a, b *big.Float) *big.Float { return newFloat().Add(a, b) }
func sub(a, b *big.Float) *big.Float { return newFloat().Sub(a, b) }
func mul(a, b *big.Float) *big.Float { return newFloat().Mul(a, b) }
func quo(a, b *big.Float) *big.Float { return newFloat().Quo(a, b) }
func neg(a *big.Float) *big.Float    { return newFloat().Neg(a) }
func sqrt(a *big.Float) *big.Float   { return newFloat().Sqrt(a) }

func larger(a, b *big.Float) *big.Float {
	if a.Cmp(b) >= 0 {
		return a
	}
	return b
}

func smaller(a, b *big.Float) *big.Float {
	if a.Cmp(b) <= 0 {
		return a
	}
	return b
}

// arctanInverse returns arctan(1/n), or artanh(1/n) if hyperbolic, by its series.
func arctanInverse(n int64, hyperbolic bool) *big.Float {
	term, square := quo(newFloat().SetInt64(1), newFloat().SetInt64(n)), newFloat().SetInt64(n*n)
	sum := newFloat().Set(term)
	for k := int64(1); term.MantExp(nil) > -bits-16; k++ {
		term = quo(term, square)
		part := quo(term, newFloat().SetInt64(2*k+1))
		if k%2 == 1 && !hyperbolic {
			part.Neg(part)
		}
		sum.Add(sum, part)
	}
	return sum
}

// logTwo returns ln 2 = 2 artanh(1/3).
func logTwo() *big.Float { return mul(newFloat().SetInt64(2), arctanInverse(3, true)) }

// pi returns π by Machin's formula, 16 arctan(1/5) − 4 arctan(1/239).
func pi() *big.Float {
	return sub(mul(newFloat().SetInt64(16), arctanInverse(5, false)),
		mul(newFloat().SetInt64(4), arctanInverse(239, false)))
}

// exp returns e^x for |x| < 10⁶: x = k ln 2 + r, and e^r = (e^(r/256))^256 by Taylor's series.
func exp(x *big.Float) *big.Float {
	if x.Sign() == 0 {
		return newFloat().SetInt64(1)
	}
	approx, _ := x.Float64()
	k := int(math.Round(approx / math.Ln2))
	r := sub(x, mul(newFloat().SetInt64(int64(k)), ln2()))
	const halvings = 8
	r.SetMantExp(r, -halvings)
	sum, term := add(newFloat().SetInt64(1), r), newFloat().Set(r)
	for n := int64(2); term.Sign() != 0 && term.MantExp(nil) > -bits-8; n++ {
		term = quo(mul(term, r), newFloat().SetInt64(n))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum.SetMantExp(sum, k)
}

// log returns ln x for x > 0: three steps of Halley's method, each of which triples the number of
// right digits of the first, 1e-13.
func log(x *big.Float) *big.Float {
	mantissa := newFloat()
	exponent := x.MantExp(mantissa)
	m, _ := mantissa.Float64()
	y := newFloat().SetFloat64(math.Log(m))
	for range 3 {
		e := exp(y)
		y.Add(y, mul(twoF, quo(sub(mantissa, e), add(mantissa, e))))
	}
	return y.Add(y, mul(newFloat().SetInt64(int64(exponent)), ln2()))
}

// phi returns the standard normal distribution function within 1e-56: ½ + φ(y)·Σ y^(2k+1)/(2k+1)!!,
// summed in integers of 2^-256. Each of its fewer than 1000 terms is rounded down twice, which
// loses fewer than 4 million units; the sum ends where terms are below one unit, and from there
// on each is less than half of the one before.
func phi(y *big.Float) *big.Float {
	if y.Sign() < 0 {
		return sub(unitF, phi(neg(y)))
	}
	if y.Cmp(newFloat().SetInt64(16)) > 0 {
		return newFloat().Set(unitF) // 1 − Φ(16) < 1e-57
	}
	const fraction = 256
	half := mul(y, y)
	square, _ := newFloat().SetMantExp(half, fraction).Int(nil)
	term := new(big.Int).Lsh(big.NewInt(1), fraction)
	total, odd := new(big.Int), big.NewInt(1)
	for term.Sign() != 0 {
		total.Add(total, term)
		odd.Add(odd, big.NewInt(2))
		term.Mul(term, square)
		term.Rsh(term, fraction)
		term.Quo(term, odd)
	}
	sum := fromInt(total)
	sum.SetMantExp(sum, -fraction)
	half.SetMantExp(half, -1)
	return add(halfF, quo(mul(mul(y, sum), exp(neg(half))), root()))
}

// ceiling returns the least integer that is at least x.
func ceiling(x *big.Float) *big.Int {
	i, exact := x.Int(nil) // toward zero
	if exact != big.Exact && x.Sign() > 0 {
		i.Add(i, big.NewInt(1))
	}
	return i
}

// intAbove returns the least integer that is at least v in units of 1e-40, if v is known within off.
func intAbove(v, off *big.Float) *big.Int { return ceiling(mul(add(v, off), oneF)) }

// intBelow returns the greatest integer that is at most v in units of 1e-40, if v is known within off.
func intBelow(v, off *big.Float) *big.Int {
	i := ceiling(mul(sub(off, v), oneF))
	return i.Neg(i)
}

// divide returns a/b, rounded up or down.
func divide(a, b *big.Int, upward bool) *big.Int {
	q, r := new(big.Int).QuoRem(a, b, new(big.Int))
	switch {
	case r.Sign() > 0 && upward:
		q.Add(q, big.NewInt(1))
	case r.Sign() < 0 && !upward:
		q.Sub(q, big.NewInt(1))
	}
	return q
}
