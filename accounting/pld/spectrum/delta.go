package spectrum

import "math"

// sums are the terms with one kernel, ready for any ε.
type sums struct {
	omega, re, im []float64
	size          float64 // Σ|F·kernel|, both signs of ω
	loose         float64 // Σ|F·kernel|·(error of F)
	moment        float64 // Σ|F·kernel|·ω
}

// bump is e^{h²/8}·h√2π·r(0), r(0) = 2Φ(h/2) − 1, rounded up: what the lower kernel takes off.
func (s *Spectrum) bump() float64 {
	h := s.plan.Smoothing
	return math.Exp(h*h/8) * h * math.Sqrt(2*math.Pi) * math.Erf(h/(2*math.Sqrt2)) * (1 + 1e-12)
}

// kernelSize bounds both kernels at ω and beyond: |ζ(ζ+1)| ≥ |ζ|².
func (s *Spectrum) kernelSize(omega float64) float64 {
	return 1/(s.plan.Theta*s.plan.Theta+omega*omega) + s.bump()
}

func (s *Spectrum) prepare() {
	s.upper = s.with(0)
	s.lower = s.upper
	if s.plan.Smoothing > 0 {
		s.lower = s.with(s.bump())
	}
}

// with multiplies the terms by 1/(ζ(ζ+1)) − bump.
func (s *Spectrum) with(bump float64) sums {
	theta := s.plan.Theta
	n := len(s.terms)
	out := sums{make([]float64, n), make([]float64, n), make([]float64, n), 0, 0, 0}
	for i, t := range s.terms {
		w := t.omega
		re, im := theta*(theta+1)-w*w, w*(2*theta+1)
		norm := re*re + im*im
		kr, ki := re/norm-bump, -im/norm
		sin, cos := math.Sincos(t.angle)
		twice := 2 * math.Exp(t.log)
		if i == 0 {
			twice = 1
		}
		out.omega[i] = w
		out.re[i], out.im[i] = twice*(kr*cos-ki*sin), twice*(kr*sin+ki*cos)
		size := math.Hypot(out.re[i], out.im[i]) + twice*care*unit*bump
		out.size += size
		out.loose += size * math.Expm1(math.Min(700, t.err))
		out.moment += size * w
	}
	return out
}

// at is the sum at ε, and a bound on its error, both in units of e^{Λ−θε}.
func (s *Spectrum) at(f sums, epsilon float64) (value, err float64) {
	place := s.mean - epsilon
	for i, w := range f.omega {
		sin, cos := math.Sincos(w * place)
		value += f.re[i]*cos - f.im[i]*sin
	}
	scale := s.spacing / (2 * math.Pi)
	move := s.meanErr + care*unit*(math.Abs(s.mean)+math.Abs(epsilon))
	n := unit * float64(len(f.omega)+4*care)
	err = f.loose + s.left + f.size*n + f.moment*move
	return value * scale, err * scale * (1 + 1e-9)
}

// aliases bounds Σ_{m≠0} e^{θmT}·δ(ε + mT) in units of e^{Λ−θε}: δ(y) ≤ e^{Λ(t) − ty}·c(t) for every
// t > 0, c(t) = max e^{−tx}(1−e^{−x}), at t = θ+s with s > 0 for m > 0 and s < 0 for m < 0 (or
// δ ≤ 1): a geometric series in m either way.
func (s *Spectrum) aliases(epsilon float64) float64 {
	period := 2 * math.Pi / s.spacing
	p := s.plan
	up := math.Exp(s.up-s.log-p.Up*(epsilon+period)) / -math.Expm1(-p.Up*period)
	down := math.Exp(s.down-s.log-p.Down*(epsilon-period)) / -math.Expm1(p.Down*period)
	return (up + down) * (1 + 1e-6 + s.logErr)
}

// LogDelta encloses ln of the finite part of δ(ε), without the mass at +∞, for any real ε.
// An end that is not a number is vacuous.
func (s *Spectrum) LogDelta(epsilon float64) (lower, upper float64) {
	slack := s.logErr + care*unit*(math.Abs(s.log)+s.plan.Theta*math.Abs(epsilon))
	scale := s.log - s.plan.Theta*epsilon
	value, err := s.at(s.upper, epsilon)
	upper = scale + slack + math.Log(value+err)
	value, err = s.at(s.lower, epsilon)
	lower = math.Inf(-1)
	if rest := value - err - s.aliases(epsilon); rest > 0 {
		lower = scale - slack + math.Log(rest)
	}
	return vacuous(lower, math.Inf(-1)), vacuous(upper, math.Inf(1))
}

// vacuous is the one place where what is not a number is turned into an end that says
// nothing. An upper end of −∞ says that there is no loss at all, which no error term
// allows: it is refused too.
func vacuous(x, nothing float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nothing
	}
	return x
}
