package oracle_test

import (
	"math"
	"math/cmplx"
)

// moments is a privacy loss by its moments alone: log(s) is ln E_P[e^{s·L}] for a complex s with a real
// part above 0.
type moments struct {
	log    func(s complex128) complex128
	count  float64
	normal float64 // μ, of Gaussian noise
}

// gaussianMoments returns the moments of Gaussian noise: ln E_P[e^{sL}] = s(s+1)μ²/2.
func gaussianMoments(mu, count float64) moments {
	return moments{func(s complex128) complex128 {
		return s * (s + 1) * complex(mu*mu/2, 0)
	}, count, mu * math.Sqrt(count)}
}

// laplaceMoments returns the moments of Laplace noise. Under P, noise of scale 1 around 0, the loss is ε with
// probability ½ (noise below 0), −ε with probability ½e^{−ε} (noise above ε), and ε − 2x between.
func laplaceMoments(epsilon, count float64) moments {
	e := complex(epsilon, 0)
	return moments{func(s complex128) complex128 {
		middle := cmplx.Exp(s*e) * (1 - cmplx.Exp(-(1+2*s)*e)) / (1 + 2*s)
		return cmplx.Log((cmplx.Exp(s*e) + cmplx.Exp(-(s+1)*e) + middle) / 2)
	}, count, 0}
}

// sampledMoments returns the moments of Gaussian noise on a Poisson sample, with the record removed, or added: by the
// trapezoidal rule over the noise, which for an analytic function on the whole line is right to all
// digits once its step is small.
func sampledMoments(q, mu, count float64, added bool) moments {
	return moments{func(s complex128) complex128 {
		c, y := real(s), math.Abs(imag(s))
		step := math.Min(0.05, 0.3/(1+y*mu))
		from, to := -14-c*mu, 14+(1+c)*mu
		sum := complex(0, 0)
		for x := from; x <= to; x += step {
			log := x*mu - mu*mu/2 // of the shifted density over the other
			mixed := math.Log1p(q * math.Expm1(log))
			if log > 30 {
				mixed = math.Log(q) + log + math.Log1p((1-q)/q*math.Exp(-log))
			}
			first, loss := mixed, mixed // ln of P over the unshifted density
			if added {
				first, loss = 0, -mixed
			}
			sum += cmplx.Exp(complex(first-x*x/2, 0) + s*complex(loss, 0))
		}
		return cmplx.Log(sum * complex(step/math.Sqrt(2*math.Pi), 0))
	}, count, 0}
}

// invertMoments returns δ(ε) of independent losses by an integral along a line of the complex plane:
//
//	(1 − e^{ε−L})₊ = 1/(2πi)·∫ e^{s(L−ε)}/(s(s+1)) ds on Re s = c > 0,
//
// so δ(ε) is the integral of M(s)·e^{−sε}/(s(s+1)) with M the product of the moments. On the line the
// trapezoidal rule of step h adds δ at ε ± 2πk/h, times e^{±2πkc/h}, which Chernoff's bound says is
// nothing at the step chosen; where the rule stops, |M(c+iy)| ≤ M(c)·e^{−μ²y²/2} with μ that of all
// Gaussian noise. off is what these leave out, at most.
func invertMoments(losses []moments, epsilon float64) (delta, off float64) {
	log := func(s complex128) (sum complex128) {
		for _, l := range losses {
			sum += complex(l.count, 0) * l.log(s)
		}
		return sum
	}
	height := func(c float64) float64 { return real(log(complex(c, 0))) - c*epsilon }
	best, c := math.Inf(1), 1.0
	for x := 0.05; x < 400; x *= 1.15 {
		if h := height(x) - math.Log(x*(x+1)); h < best {
			best, c = h, x
		}
	}
	peak := height(c)
	const digits = 25 // e^{−25} of the largest value
	guess := peak - math.Log(c*(c+1)) - 5
	period := math.Max((digits-guess)/c, (height(2*c)-guess+digits)/c)
	step := 2 * math.Pi / period
	mu := 0.0
	for _, l := range losses {
		mu = math.Hypot(mu, l.normal)
	}
	last := 2e5 * step
	if mu > 0 {
		last = math.Min(last, math.Sqrt(2*(digits+10))/mu)
	}
	sum := 0.0
	for j := 0.0; j*step <= last; j++ {
		s := complex(c, j*step)
		term := real(cmplx.Exp(log(s)-s*complex(epsilon, 0)-complex(peak, 0)) / (s * (s + 1)))
		if j == 0 {
			term /= 2
		}
		sum += term
	}
	left := 1 / (math.Pi * last) // |1/(s(s+1))| ≤ y⁻²
	left *= math.Exp(-mu * mu * last * last / 2)
	return math.Exp(peak) * sum * step / math.Pi, math.Exp(peak)*(left+1e-12) + 3*math.Exp(guess-digits)
}
