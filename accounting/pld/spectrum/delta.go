package spectrum

import "math"

// The terms of a Fourier sum and an ε come in; an upper and a lower end of ln δ go out, with every error
// charged.

// sums are the terms times one kernel, ready for any ε.
type sums struct {
	omega, re, im []float64
	size          float64 // Σ|F·kernel|, both signs of ω
	loose         float64 // Σ|F·kernel|·(error of F)
	moment        float64 // Σ|F·kernel|·ω
}

// bump returns the amount that the lower kernel subtracts: e^{h²/8}·h√2π·r(0), r(0) = 2Φ(h/2) −
// 1, rounded up.
func (s *Spectrum) bump() float64 {
	h := s.plan.Smoothing
	return math.Exp(h*h/8) * h * math.Sqrt(2*math.Pi) * math.Erf(h/(2*math.Sqrt2)) * (1 + 1e-12)
}

// kernelSize bounds both kernels at ω and beyond: |ζ(ζ+1)| ≥ |ζ|².
func (s *Spectrum) kernelSize(omega float64) float64 {
	if s.plan.lattice.step > 0 {
		return s.plan.lattice.kernelSize(s.plan.Theta, omega)
	}
	return 1/(s.plan.Theta*s.plan.Theta+omega*omega) + s.bump()
}

func (s *Spectrum) prepare() {
	theta := s.plan.Theta
	if l := &s.plan.lattice; l.step > 0 {
		s.upper = s.applyKernel(0, func(w float64) complex128 { d, _ := l.kernels(theta, w); return d })
		s.rise = s.applyKernel(0, func(w float64) complex128 { _, b := l.kernels(theta, w); return b })
		return
	}
	plain := func(w float64) complex128 { return 1 / complex(theta*(theta+1)-w*w, w*(2*theta+1)) }
	s.upper = s.applyKernel(0, plain)
	s.lower = s.upper
	if s.plan.Smoothing > 0 {
		s.lower = s.applyKernel(s.bump(), plain)
	}
}

// applyKernel multiplies the terms by a kernel minus the bump.
func (s *Spectrum) applyKernel(bump float64, kernel func(omega float64) complex128) sums {
	n := len(s.terms)
	out := sums{make([]float64, n), make([]float64, n), make([]float64, n), 0, 0, 0}
	for i, t := range s.terms {
		k := kernel(t.omega) - complex(bump, 0)
		sin, cos := math.Sincos(t.angle)
		twice := 2 * math.Exp(t.log)
		if i == 0 {
			twice = 1
		}
		out.omega[i] = t.omega
		out.re[i], out.im[i] = twice*(real(k)*cos-imag(k)*sin), twice*(real(k)*sin+imag(k)*cos)
		size := math.Hypot(out.re[i], out.im[i]) + twice*care*unit*bump
		out.size += size
		out.loose += size * math.Expm1(t.err)
		out.moment += size * t.omega
	}
	return out
}

// sum is a Fourier sum at ε with a bound on its error, both in units of e^{Λ−θε}.
type sum struct{ value, err float64 }

// sumsAt returns the sums with two kernels at ε: every frequency is turned once for both.
func (s *Spectrum) sumsAt(f, g sums, epsilon float64) (a, b sum) {
	place := s.mean - epsilon
	for i, w := range f.omega {
		sin, cos := math.Sincos(w * place)
		a.value += f.re[i]*cos - f.im[i]*sin
		b.value += g.re[i]*cos - g.im[i]*sin
	}
	return s.withError(f, a.value, epsilon), s.withError(g, b.value, epsilon)
}

func (s *Spectrum) withError(f sums, value, epsilon float64) sum {
	scale := s.spacing / (2 * math.Pi)
	move := s.meanErr + care*unit*(math.Abs(s.mean)+math.Abs(epsilon)+s.plan.lattice.size)
	n := unit * (float64(len(f.omega)+4*care) + care*s.plan.Theta*s.plan.lattice.step)
	err := f.loose + s.left + f.size*n + f.moment*move
	return sum{value * scale, err * scale * (1 + 1e-9)}
}

// aliases bounds Σ_{m≠0} e^{θmT}·δ(ε + mT) in units of e^{Λ−θε}: δ(y) ≤ e^{Λ(t) − ty}·c(t) for every
// t > 0, c(t) = max e^{−tx}(1−e^{−x}), at t = θ+s with s > 0 for m > 0 and s < 0 for m < 0 (or
// δ ≤ 1): a geometric series in m either way. On a lattice all losses may be larger by moved.
func (s *Spectrum) aliases(epsilon float64) float64 {
	period, p := 2*math.Pi/s.spacing, s.plan
	side := func(log, by float64) float64 {
		far := by*epsilon + math.Abs(by)*period
		round := s.logErr + care*unit*(math.Abs(log)+math.Abs(s.log)+math.Abs(by)*(math.Abs(epsilon)+period))
		return math.Exp(log-s.log-far+(p.Theta+by)*p.lattice.moved+round) / -math.Expm1(-math.Abs(by)*period)
	}
	up, down := side(s.up, p.Up), side(s.down, p.Down)
	return (up + down) * (1 + 1e-6)
}

// LogDelta encloses ln of the finite part of δ(ε), without the mass at +∞, for any real ε.
// An end that is not a number is vacuous.
func (s *Spectrum) LogDelta(epsilon float64) (lower, upper float64) {
	low, high, at := s.ends(epsilon)
	scale, slack := s.scale(at)
	upper = vacuous(scale+slack+math.Log(high.value+high.err), math.Inf(1))
	rest := low.value - low.err - s.aliases(epsilon)*math.Exp(s.plan.Theta*(at-epsilon))
	if !(rest > 0) {
		return math.Inf(-1), upper
	}
	return vacuous(scale-slack+math.Log(rest), math.Inf(-1)), upper
}

// ends returns the sums for both ends of δ(ε), in units of e^{Λ−θ·at}.
func (s *Spectrum) ends(epsilon float64) (lower, upper sum, at float64) {
	if s.plan.lattice.step == 0 {
		upper, lower = s.sumsAt(s.upper, s.lower, epsilon)
		return lower, upper, epsilon
	}
	at, least, most := s.plan.lattice.point(epsilon)
	flat, rise := s.sumsAt(s.upper, s.rise, at)
	below := func(distance float64) sum {
		up := -math.Expm1(-distance)
		return sum{flat.value + up*rise.value, flat.err + math.Abs(up)*(rise.err+care*unit*rise.value)}
	}
	return below(least), below(most), at
}

// scale returns Λ − θ·at, and its error.
func (s *Spectrum) scale(at float64) (log, slack float64) {
	theta := s.plan.Theta
	return s.log - theta*at, s.logErr + care*unit*(math.Abs(s.log)+theta*(math.Abs(at)+s.plan.lattice.size))
}

// vacuous returns x, or the given end that says nothing if x is not a finite number. Nowhere else does an end that is
// not a number become vacuous. An upper end of −∞ would say that there is no loss at all, which no error term allows:
// it becomes vacuous too.
func vacuous(x, nothing float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nothing
	}
	return x
}
