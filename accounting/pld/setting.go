package pld

import "math"

// setting is one way of evaluating a direction: the tilt, and how finely.
type setting struct {
	list    listing         // the lines that need no grid, composed
	grid    direction       // the others
	outline composedOutline // of the others
	centre  float64         // tilted mean and deviation of the whole stack
	spread  float64
	theta   float64
	kappa   float64 // step over tilted deviation of one release
	common  float64 // step of the common grid of a mixed stack
	least   float64 // no step need be smaller: rounding every release by it is harmless
	linear  float64 // step for losses that are rounded one by one, times copies
	retries int     // how often the step had to be changed
	form    bool    // curves in closed form may be used
	logTail float64 // ln of the P-mass that may be moved to +∞ per release
}

// aim chooses the tilt, and the steps by which an interval of relative width w around ε
// is to be expected. A release of step h costs about (1+θ)h²/8 in ε, counting both
// ends, times the share of its mass that lies off its atoms.
func (d direction) aim(delta, w float64) setting {
	lost := d.lost(func(l line) float64 { return l.top })
	logDelta := math.Log(math.Max(delta-lost, delta*1e-9))
	total := 0.0
	for _, l := range d.lines {
		total += l.count
	}
	d.cut = 5 * math.Floor((logDelta+math.Log(w)-math.Log(total)-4)/5)
	c := saddle(d.weighted(), logDelta)
	return d.settle(quantise(c.theta, 8), logDelta, w)
}

// settle chooses the steps at a given tilt.
func (d direction) settle(theta, logDelta, w float64) setting {
	c := composeOutlines(d.weighted(), theta)
	s := setting{theta: theta, centre: c.total.mean, spread: math.Sqrt(c.total.variance)}
	reference := math.Max(c.guess(logDelta), 0.02*s.spread)
	total := 0.0
	for _, l := range d.lines {
		total += l.count
	}
	s.logTail = 5 * math.Floor((logDelta+math.Log(w)-math.Log(total)-4)/5)
	// Tilted mass that is not listed moves ε by about 2.5 times itself in deviations, if
	// the tilt is a good one.
	thin := math.Min(1e-4, 2e-3*w*reference/math.Max(s.spread, 1e-300))
	s.list, s.grid = d.list(frugality{theta: theta, p: math.Exp(s.logTail), thin: thin})
	c = composeOutlines(s.grid.weighted(), theta)
	s.outline = c
	lines := float64(len(s.grid.lines))
	share := 0.6
	if lines > 1 {
		share = 0.3
		s.common = quantise(math.Sqrt(0.12*w*reference*8/((1+theta)*lines)), 4)
		s.common = s.grid.fit(s.common, w*reference, theta, c)
	}
	s.kappa = quantise(math.Sqrt(share*8*w*reference/((1+theta)*c.total.variance)), 4)
	s.linear = quantise(4*w*reference, 4)
	s.least = quantise(0.05*w*reference/total, 4)
	return s
}

// fit adapts the common step to isolated losses, which off the grid would be rounded
// down by up to a step: one lattice is put on the grid; for other lines whose
// composition still has heavy atoms the step has to be of the order of the width.
func (d direction) fit(step, width, theta float64, c composedOutline) float64 {
	widest, heavy, largest := 0.0, 0.0, 0.0
	for i, l := range d.lines {
		anchored := 0.0
		if _, own, ok := latticeOf(l.upper); ok && len(l.upper.atoms()) > 1 && own > widest {
			widest, anchored, largest = own, 1, 0
		}
		// The sweep joins an atom with its neighbours, at most a span away, and so loses
		// variance rather than loss: less, if they are near.
		o := c.lines[i]
		lo, hi := l.upper.span()
		weight := math.Pow(o.heaviest(theta, o.at, l.upper), l.count) * math.Min(1, (1+theta)*(hi-lo)/2)
		heavy += weight
		largest = math.Max(largest, weight*anchored)
	}
	heavy -= largest
	if heavy > 1e-6 {
		step = math.Min(step, quantise(1.6*width/heavy, 4))
	}
	if widest > step {
		step = widest / math.Ceil(widest/step)
	}
	return step
}

// quantise rounds down to a power of 2^{1/n}, so that a small change of the stack
// leaves the setting, and with it the cached transforms, as they are.
func quantise(x, n float64) float64 {
	if !(x > 0) || math.IsInf(x, 1) {
		return 1e-9
	}
	return math.Exp2(math.Floor(math.Log2(x)*n) / n)
}

// step is the grid step for one line.
func (s setting) step(l weighted) float64 {
	deviation := math.Sqrt(l.at.variance)
	h := s.kappa * deviation
	if l.outline.bend > 0 { // a lattice is taken as it is, or, if it is very fine, as a whole
		h /= math.Sqrt(math.Max(l.outline.rough(s.theta, l.at), 1e-4))
	}
	return math.Max(s.least, math.Min(h, deviation))
}

// miss is by how much isolated losses may lie off the grid: 0 for other laws.
func (s setting) miss(l weighted) float64 {
	if !l.outline.scattered {
		return 0
	}
	return math.Max(s.least, s.linear/(l.count*l.loneliness(s.theta, l.at)))
}

// window is where the composed loss is looked for.
func (s setting) window(depth, least float64) window {
	var w window
	w.hi, w.sUp = s.outline.edge(1, depth, 0)
	w.lo, w.sDown = s.outline.edge(-1, depth, least)
	return w
}

// sound reports whether the window is one that a grid can cover.
func (w window) sound() bool {
	return !math.IsNaN(w.lo+w.hi) && !math.IsInf(w.lo+w.hi, 0) && w.hi >= w.lo && math.Abs(w.lo)+math.Abs(w.hi) < 1e12
}
