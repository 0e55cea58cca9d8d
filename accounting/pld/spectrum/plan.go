package spectrum

import (
	"math"

	"epsiloscope/accounting/pld/loss"
	"epsiloscope/accounting/special"
)

// Plan is how a stack is evaluated: all it takes is numbers, and none of them can make
// an answer wrong, only wide.
type Plan struct {
	Theta     float64 // tilt
	Window    float64 // T: the period of the aliases
	Smoothing float64 // h
	Bandwidth float64 // the largest frequency
	Up, Down  float64 // distances of the tilts that bound the aliases; Down = −Theta: δ ≤ 1
	Tolerance float64 // relative error asked of the sum
	Spread    bool    // the bandwidth is certified by the spread of the losses
	nothing   float64 // ln of what a term may be to count as nothing: see [Plan.negligible]
	guess     float64 // of ε
	deviation float64
	lattice   lattice
}

// target is what is sought: the ε of a δ, or the δ of an ε.
type target struct {
	logDelta float64
	epsilon  float64 // NaN if it is not known
	width    float64
	tight    float64 // fraction of the usual aliasing,
	smooth   float64 // and of the usual smoothing
	tail     float64 // share of δ that may be moved to +∞
	level    float64 // of the cut: see [Stack.pass]
	tilt     float64 // factors on the best tilt, the window and the bandwidth: 1 but in
	window   float64 // tests, which take worse ones to make their errors count
	band     float64
}

// aim is the target of a first pass.
func aim(logDelta, epsilon, width, tail float64) target {
	return target{logDelta: logDelta, epsilon: epsilon, width: width, tight: 1, smooth: 1, tail: tail, tilt: 1, window: 1, band: 1}
}

// choose plans the evaluation of a truncated stack.
func (s *truncated) choose(t target) (Plan, bool) {
	theta, ok := s.tilt(t)
	if !ok {
		return Plan{}, false
	}
	theta *= t.tilt
	if math.IsNaN(t.epsilon) {
		log, _, variance := s.outline(theta)
		deviation := math.Max(math.Sqrt(variance), 0.5/theta)
		t.epsilon = math.Max(1e-3*deviation, (log-t.logDelta-logSize(theta, variance))/theta)
	}
	p := s.planAt(theta, t)
	n := p.frequencies()
	return p, n > 0 && !math.IsInf(n, 1)
}

// frequencies is how many there are up to the bandwidth.
func (p *Plan) frequencies() float64 { return p.Bandwidth * p.Window / (2 * math.Pi) }

// logSize is about ln of the kernel's size and the deviation at the saddle point:
// ln δ(ε) = Λ − θε minus that.
func logSize(theta, variance float64) float64 {
	return math.Log(theta * (1 + theta) * math.Sqrt(2*math.Pi*variance+1/(theta*theta)))
}

// planAt is the plan at a tilt; t.epsilon is known.
func (s *truncated) planAt(theta float64, t target) Plan {
	log, _, variance := s.outline(theta)
	p := Plan{Theta: theta, guess: t.epsilon}
	p.deviation = math.Max(math.Sqrt(variance), 0.5/p.Theta) // the kernel itself is 1/θ wide
	near := math.Max(math.Abs(p.guess), 1e-3*p.deviation)
	// Above 1 the bound of the bump is loose.
	p.Smoothing = math.Min(math.Min(1, 0.2*p.deviation), math.Sqrt(0.25*t.width*near/(1+p.Theta))) * t.smooth
	size := 1 / (p.Theta * (1 + p.Theta) * math.Sqrt(2*math.Pi) * (p.deviation + 1/p.Theta))
	p.Tolerance = math.Max(1e-13, math.Min(1e-3, 1e-2*t.width*p.Theta*near)) * t.tight
	p.nothing = math.Max(deep, math.Log(p.Tolerance*size/(20*p.deviation))-spare)
	p.Bandwidth = p.damped(p.Smoothing*p.Smoothing + s.Square)
	if own := p.damped(s.Square); own < 1.5*p.Bandwidth { // Gaussian noise enough
		p.Smoothing, p.Bandwidth = 0, own
	} else if end, ok := s.fades(p, 6/p.deviation); ok {
		p.Smoothing, p.Bandwidth, p.Spread = 0, end, true
	} else if l := s.lattice(math.Pi / p.Bandwidth); l.step > 0 && l.moved*(p.Theta+math.Pi/l.step) < 1e-7 {
		p.Smoothing, p.Bandwidth, p.lattice = 0, math.Pi/l.step, l
	}
	s.window(&p, log, math.Log(p.Tolerance*size))
	p.Window *= t.window
	p.Bandwidth *= t.band
	return p
}

// negligible is ln of what |F| may be at ω to count as nothing: more beyond 1/deviation,
// where the kernel falls like 1/ω². All terms below it come to about the tolerance; what
// they may come to is charged in any case.
func (p *Plan) negligible(omega float64) float64 {
	return p.nothing + math.Log(math.Max(1, omega*p.deviation))
}

// damped is about the frequency at which Gaussian noise of that square leaves nothing.
func (p *Plan) damped(square float64) float64 {
	omega := math.Sqrt(-2 * deep / square)
	for range 3 {
		omega = math.Sqrt(-2 * math.Min(-2, p.negligible(omega)) / square)
	}
	return omega
}

// tilt solves for the θ that centres the tilted loss on ε: θ(Λ′ − ε) = 1 + θ/(1+θ) where ε is
// known, else with the estimate of ln δ at the saddle point. Both sides increase with θ. It is
// a power of 2^{1/8}: a stack that has hardly changed has the same.
func (s *truncated) tilt(t target) (float64, bool) {
	_, _, start := s.outline(1e-3)
	excess := func(j float64) float64 {
		theta := math.Exp2(j / 8)
		log, mean, variance := s.outline(theta)
		if !math.IsNaN(t.epsilon) {
			return theta*(mean-t.epsilon) - 1 - theta/(1+theta)
		}
		return theta*mean - log + t.logDelta + math.Log((1+theta)*math.Sqrt(2*math.Pi*variance*theta*theta+1))
	}
	if !(start > 0) || math.IsInf(start, 1) {
		return 0, false
	}
	a := math.Round(4 * math.Log2(math.Max(1, -2*t.logDelta)/start))
	b, fa := a, excess(a)
	fb := fa
	for step := 3.0; fa > 0 && a > -700; step *= 2 {
		b, fb = a, fa
		a -= step
		fa = excess(a)
	}
	for step := 3.0; fb < 0 && b < 280; step *= 2 {
		a, fa = b, fb
		b += step
		fb = excess(b)
	}
	if math.IsNaN(fa) || math.IsNaN(fb) {
		return 0, false
	}
	for i := 0; i < 40 && b-a > 1; i++ {
		c := math.Round((a*fb - b*fa) / (fb - fa))
		if !(c > a && c < b) || i > 4 {
			c = math.Floor((a + b) / 2)
		}
		if y := excess(c); y < 0 {
			a, fa = c, y
		} else {
			b, fb = c, y
		}
	}
	if fb < -fa {
		a = b
	}
	return math.Exp2(a / 8), true
}

// window finds the least T, and the tilts on either side, for aliases below e^{tolerance}
// in units of e^{Λ−θε}.
func (s *truncated) window(p *Plan, log, tolerance float64) {
	gauss := func(theta float64) float64 {
		return p.Smoothing * p.Smoothing / 2 * (theta*(theta+1) - p.Theta*(p.Theta+1))
	}
	side := func(by float64) (period float64) {
		far, _, _ := s.outline(p.Theta + by)
		return (far + gauss(p.Theta+by) - log - by*p.guess + logHeight(p.Theta+by) - tolerance) / math.Abs(by)
	}
	pick := func(sign float64) (best, at float64) {
		best = math.Inf(1)
		from := rounded(0.7/p.deviation, 2)
		for x, worse := from, 0; x < 600*from && worse < 3; x *= math.Sqrt2 {
			by := sign * x
			if by <= -0.999*p.Theta {
				break
			}
			if period := side(by); period < best {
				best, at, worse = period, by, 0
			} else {
				worse++
			}
		}
		return best, at
	}
	up, down := 0.0, 0.0
	up, p.Up = pick(1)
	down, p.Down = pick(-1)
	if all := (p.Theta*p.guess - log - tolerance) / p.Theta; all < down {
		down, p.Down = all, -p.Theta
	}
	p.Window = ceiled(math.Max(up, math.Max(down, 4*p.deviation)))
}

// ceiled is the least power of 2^{1/4} above x.
func ceiled(x float64) float64 { return rounded(x, 4) * math.Sqrt(math.Sqrt2) }

// logHeight is ln max_x e^{−tx}(1 − e^{−x}) = ln t^t/(1+t)^{1+t}.
func logHeight(t float64) float64 {
	if t > 1e6 {
		return -1 - math.Log(t)
	}
	return -t*math.Log1p(1/t) - math.Log1p(t)
}

// fades looks for a frequency from which on the spread of the losses alone makes every
// term nothing. It steers only: [Spectrum.tail] proves it.
func (s *truncated) fades(p Plan, from float64) (float64, bool) {
	theta, to := p.Theta, p.Bandwidth
	if s.rare != nil { // its envelope is not that of the lines
		return 0, false
	}
	patches := make([][]loss.Patch, len(s.Lines))
	scales := make([]float64, len(s.Lines))
	some := false
	for i := range s.Lines {
		patches[i] = s.known[i].spread(theta)
		scales[i] = s.known[i].cumulants(theta).log
		some = some || len(patches[i]) > 0
	}
	if !some {
		return 0, false
	}
	holds := func(logW float64) bool {
		w := math.Exp(logW)
		log := -s.Square * w * w / 2
		for i, l := range s.Lines {
			if log += l.Count * envelope(patches[i], scales[i], w); log < p.negligible(w) {
				return false
			}
		}
		return true
	}
	if from >= to || holds(math.Log(to)) {
		return 0, false
	}
	_, end := special.Bisect(math.Log(from), math.Log(to), 0.1, holds) // an envelope never rises
	return math.Exp(end), true
}

// envelope bounds ln|φ| at every frequency from ω on: the tilted law is the sum of even
// densities of the patches' masses m and of a rest of mass 1 − Σm, so
// |φ| ≤ 1 − Σ m(1 − sup_{u ≥ ωw/2}|sin u/u|). scale is at least ln M.
func envelope(patches []loss.Patch, scale, omega float64) float64 {
	gone := 0.0
	for _, p := range patches {
		gone += math.Exp(p.LogMass-scale) * (1 - loss.Sinc(omega*p.Width/2))
	}
	return math.Log1p(-math.Min(1, gone) * (1 - 1e-9))
}
