package oracle

import "math"

// Rényi divergences, each from its definition.

// divergence returns ln(Σ q·(p/q)^α)/(α−1).
func divergence(p, q []Real, alpha Real) Real {
	sum := R(0)
	for i := range p {
		if p[i].Sign() > 0 {
			sum = sum.Add(q[i].Mul(p[i].Div(q[i]).Pow(alpha)))
		}
	}
	return sum.Log().Div(alpha.Sub(R(1)))
}

// ResponseRenyi is that of k-ary randomized response, sampled at rate q (1 for
// none), in the worse direction.
func ResponseRenyi(epsilon, categories, rate, alpha float64) Real {
	e, k := R(epsilon).Exp(), R(categories)
	z := e.Add(k).Sub(R(1))
	p := []Real{e.Div(z), R(1).Div(z), k.Sub(R(2)).Div(z)}
	q := []Real{p[1], p[0], p[2]}
	return sampledRenyi(p, q, rate, alpha)
}

func sampledRenyi(p, q []Real, rate, alpha float64) Real {
	mixed := make([]Real, len(p))
	for i := range p {
		mixed[i] = R(1).Sub(R(rate)).Mul(q[i]).Add(R(rate).Mul(p[i]))
	}
	remove, add := divergence(mixed, q, R(alpha)), divergence(q, mixed, R(alpha))
	if remove.Cmp(add) < 0 {
		return add
	}
	return remove
}

// LaplaceRenyi returns the closed form of Mironov 2017, Proposition 6.
func LaplaceRenyi(epsilon, alpha float64) Real {
	a, e := R(alpha), R(epsilon)
	s, d := a.Sub(R(1)), R(2).Mul(a).Sub(R(1))
	sum := a.Div(d).Mul(s.Mul(e).Exp()).Add(s.Div(d).Mul(a.Mul(e).Neg().Exp()))
	return sum.Log().Div(s)
}

// GeometricRenyi sums over the whole numbers between the two answers.
func GeometricRenyi(epsilon float64, sensitivity int, rate, alpha float64) Real {
	r := R(epsilon).Div(R(float64(sensitivity))).Neg().Exp()
	tail := R(1).Div(R(1).Add(r))
	peak := R(1).Sub(r).Mul(tail)
	power := func(n int) Real {
		x := R(1)
		for range n {
			x = x.Mul(r)
		}
		return x
	}
	n := sensitivity + 1
	p, q := make([]Real, n), make([]Real, n)
	for i := range n {
		p[i], q[i] = peak.Mul(power(sensitivity-i)), peak.Mul(power(i))
	}
	p[0], q[0] = tail.Mul(power(sensitivity)), tail
	p[n-1], q[n-1] = tail, tail.Mul(power(sensitivity))
	return sampledRenyi(p, q, rate, alpha)
}

// RangeRenyi is that of the two-point pair with losses t and t−ε.
func RangeRenyi(epsilon, t, alpha float64) Real {
	e, top := R(epsilon), R(t)
	up := e.Sub(top).Exp().Sub(R(1)).Div(e.Exp().Sub(R(1)))
	q := []Real{up, R(1).Sub(up)}
	p := []Real{up.Mul(top.Exp()), R(1).Sub(up).Mul(top.Sub(e).Exp())}
	return divergence(p, q, R(alpha))
}

// SampledGaussianRenyi returns the binomial sum at a whole order (Mironov, Talwar &
// Zhang 2019, equation 6), in full precision.
func SampledGaussianRenyi(rate, mu float64, alpha int) Real {
	q := R(rate)
	rest := R(1).Sub(q)
	sum := R(0)
	c := R(1)
	for i := 0; i <= alpha; i++ {
		if i > 0 {
			c = c.Mul(R(float64(alpha - i + 1))).Div(R(float64(i)))
		}
		term := c.Mul(R(float64(i*(i-1)) / 2).Mul(R(mu)).Mul(R(mu)).Exp())
		for range i {
			term = term.Mul(q)
		}
		for range alpha - i {
			term = term.Mul(rest)
		}
		sum = sum.Add(term)
	}
	return sum.Log().Div(R(float64(alpha - 1)))
}

// SampledGaussianIntegral returns ∫ φ(x)·(1−q+q·e^{μx−μ²/2})^α at any order, by Simpson's
// rule in float64: about 1e-10, and less where the divergence is tiny.
func SampledGaussianIntegral(rate, mu, alpha float64) float64 {
	low, high := -12.0, 12+alpha*mu
	const n = 6000
	h := (high - low) / n
	power := func(x float64) float64 { // ln ratio^α
		return alpha * math.Log1p(rate*math.Expm1(math.Min(700, mu*x-mu*mu/2)))
	}
	integral := func(f func(x float64) float64) float64 {
		sum := f(low) + f(high)
		for i := 1; i < n; i++ {
			sum += (2 + 2*float64(i%2)) * f(low+float64(i)*h)
		}
		return sum * h / 3 / math.Sqrt(2*math.Pi)
	}
	top := math.Inf(-1)
	for i := 0; i <= n; i++ {
		x := low + float64(i)*h
		top = math.Max(top, power(x)-x*x/2)
	}
	if top < 3 { // ratio^α − 1: the 1 would swallow what is left of a small divergence
		return math.Log1p(integral(func(x float64) float64 {
			return math.Exp(-x*x/2) * math.Expm1(power(x))
		})) / (alpha - 1)
	}
	return (top + math.Log(integral(func(x float64) float64 { return math.Exp(power(x) - x*x/2 - top) }))) / (alpha - 1)
}

// DiscreteGaussianRenyi sums over the whole numbers: q·(p/q)^α is e^{−x²/(2σ²)} moved
// by αΔ, times e^{α(α−1)Δ²/(2σ²)}.
func DiscreteGaussianRenyi(sigma float64, sensitivity int, alpha float64) Real {
	shift := R(alpha).Mul(R(float64(sensitivity)))
	near := math.Round(shift.Float())
	moved := around(shift.Sub(R(near)), sigma)
	plain := around(R(0), sigma)
	d := R(float64(sensitivity)).Div(R(sigma))
	line := R(alpha).Mul(d).Mul(d).Div(R(2))
	return line.Add(moved.Div(plain).Log().Div(R(alpha).Sub(R(1))))
}

// around returns Σ e^{−(x−c)²/(2σ²)} over the whole numbers x, c within [−1, 1], outwards
// from 0 until the terms are nothing.
func around(c Real, sigma float64) Real {
	unit := R(-0.5).Div(R(sigma)).Div(R(sigma)) // −1/(2σ²)
	square := R(2).Mul(unit).Exp()
	sum := unit.Mul(c).Mul(c).Exp()
	for _, side := range []float64{-1, 1} {
		term := unit.Mul(c).Mul(c).Exp()
		step := unit.Mul(R(1).Sub(R(2 * side).Mul(c))).Exp() // to the next one out
		for {
			term = term.Mul(step)
			step = step.Mul(square)
			sum = sum.Add(term)
			if term.v.MantExp(nil) < sum.v.MantExp(nil)-precision && step.Cmp(R(1)) < 0 {
				break
			}
		}
	}
	return sum
}
