package spectrum

import "math"

// Inversion holds the parameters with which a stack is evaluated. Bad parameters make an answer
// wide, never wrong.
type Inversion struct {
	Theta     float64 // tilt
	Window    float64 // T: the period of the aliases
	Smoothing float64 // h
	Bandwidth float64 // the largest frequency
	Up, Down  float64 // distances of the tilts that bound the aliases; Down = −Theta: δ ≤ 1
	Tolerance float64 // relative error asked of the sum
	Spread    bool    // the bandwidth is certified by the spread of the losses
	floor     float64 // ln of what a term at ω = 0 may be to be negligible
	guess     float64 // of ε
	deviation float64 // of the tilted sum
	lattice   lattice
}

// target is the quantity to find: the ε of a δ, or the δ of an ε.
type target struct {
	logDelta float64
	epsilon  float64 // NaN if it is not known
	width    float64
	tight    float64 // share of the usual aliasing,
	smooth   float64 // and of the usual smoothing
	tail     float64 // share of δ that may be moved to +∞
	level    float64 // of the cut: see [search.pass]
	tilt     float64 // factors on the best tilt, the window and the bandwidth: 1 but in
	window   float64 // tests, which take worse ones to make their errors count
	band     float64
}

// aim returns the target of a first pass.
func aim(logDelta, epsilon, width, tail float64) target {
	return target{logDelta: logDelta, epsilon: epsilon, width: width, tight: 1, smooth: 1, tail: tail,
		tilt: 1, window: 1, band: 1}
}

// choose plans the evaluation of a truncated stack; ok is false if there is no such plan.
func (s *truncated) choose(t target) (p Inversion, ok bool) {
	theta, ok := s.tilt(t)
	if !ok {
		return p, false
	}
	theta *= t.tilt
	log, _, variance := s.outline(theta)
	p.Theta, p.guess = theta, t.epsilon
	p.deviation = math.Max(math.Sqrt(variance), 0.5/theta) // the kernel itself is 1/θ wide
	if math.IsNaN(p.guess) {
		p.guess = math.Max(1e-3*p.deviation, (log-t.logDelta-logSize(theta, variance))/theta)
	}
	near := math.Max(math.Abs(p.guess), 1e-3*p.deviation)
	if !math.IsNaN(t.epsilon) { // δ is sought, and ln δ changes by θ per unit of ε
		near = math.Max(near, 1/(1+theta))
	}
	// Above 1 the bound of the bump is loose.
	p.Smoothing = math.Min(math.Min(1, 0.2*p.deviation), math.Sqrt(0.25*t.width*near/(1+theta))) * t.smooth
	size := 1 / (theta * (1 + theta) * math.Sqrt(2*math.Pi) * (p.deviation + 1/theta))
	p.Tolerance = math.Max(1e-13, math.Min(1e-3, 1e-2*t.width*theta*near)) * t.tight
	p.floor = math.Max(negligibleLog, math.Log(p.Tolerance*size/(20*p.deviation))-uncomputedMargin)
	p.Bandwidth = p.dampingFrequency(p.Smoothing*p.Smoothing + s.square)
	s.dropSmoothing(&p)
	s.window(&p, log, math.Log(p.Tolerance*size))
	p.Window *= t.window
	p.Bandwidth *= t.band
	return p, p.frequencies() > 0 && !math.IsInf(p.frequencies(), 1)
}

// dropSmoothing takes the smoothing out of a plan if the stack does not need it: its own Gaussian noise damps enough,
// its transform fades by itself, or its losses lie on a lattice.
func (s *truncated) dropSmoothing(p *Inversion) {
	if own := p.dampingFrequency(s.square); own < 1.5*p.Bandwidth {
		p.Smoothing, p.Bandwidth = 0, own
		return
	}
	if end, ok := s.fades(*p, 6/p.deviation); ok {
		p.Smoothing, p.Bandwidth, p.Spread = 0, end, true
		return
	}
	l := s.lattice(math.Pi / p.Bandwidth)
	if l.step > 0 && l.moved*(p.Theta+math.Pi/l.step) < 1e-7 {
		p.Smoothing, p.Bandwidth, p.lattice = 0, math.Pi/l.step, l
	}
}

// frequencies returns about how many frequencies lie within the bandwidth.
func (p *Inversion) frequencies() float64 { return p.Bandwidth * p.Window / (2 * math.Pi) }

// logSize returns approximately how far ln δ(ε) lies below Λ − θε at the saddle point: for the size of the kernel and
// the deviation.
func logSize(theta, variance float64) float64 {
	return math.Log(theta * (1 + theta) * math.Sqrt(2*math.Pi*variance+1/(theta*theta)))
}

// negligible returns ln of what |F| may be at ω to be left out: more beyond 1/deviation, where the
// kernel falls like 1/ω². All such terms come to about the tolerance. They are charged with
// whatever they may be.
func (p *Inversion) negligible(omega float64) float64 {
	return p.floor + math.Log(math.Max(1, omega*p.deviation))
}

// dampingFrequency returns approximately the frequency from which on Gaussian noise of that
// square leaves only negligible terms.
func (p *Inversion) dampingFrequency(square float64) float64 {
	omega := math.Sqrt(-2 * negligibleLog / square)
	for range 3 {
		omega = math.Sqrt(-2 * math.Min(-2, p.negligible(omega)) / square)
	}
	return omega
}

// logHeight returns ln max_x e^{−tx}(1 − e^{−x}) = ln t^t/(1+t)^{1+t}.
func logHeight(t float64) float64 {
	if t > 1e6 {
		return -1 - math.Log(t)
	}
	return -t*math.Log1p(1/t) - math.Log1p(t)
}
