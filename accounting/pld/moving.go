package pld

import "math"

// raiseTo moves a tilted composition to a lattice of another step, upward: each mass is split between its neighbours so that P-mass and Q-mass are kept. Far
// out, where round-off is larger than any mass, Chernoff's bound takes its place.
// Those bins are returned apart, as noise.
func (c composed) raiseTo(step, theta float64, caps []tangent) (m masses, noise []float64) {
	size := int(math.Ceil((c.end()-c.start)/step)) + 2
	m = masses{origin: c.start, step: step, index: make([]int, size), p: make([]float64, size)}
	noise = make([]float64, size)
	for i := range m.index {
		m.index[i] = i
	}
	place := func(out []float64, x, p float64) { // x relative to the start
		k := math.Floor(x/step + gridTolerance)
		a := k * step
		f := split(a, x, a+step)
		out[int(k)] += p * (1 - f) * math.Exp(theta*(a-x))
		out[int(k)+1] += p * f * math.Exp(theta*(a+step-x))
	}
	for i, p := range c.p {
		out := m.p
		if p += c.err; p < 1e3*c.err {
			out = noise
			bound := 0.0
			for _, t := range caps {
				bound = math.Min(bound, t.log-t.s*float64(i)*c.step)
			}
			p = math.Min(p, math.Exp(bound))
		}
		if p > 0 {
			place(out, float64(i)*c.step, p)
		}
	}
	place(noise, 0, c.below)
	return m, noise
}

// lowerTo moves it downward, by the better of the two sweeps.
func (c composed) lowerTo(step, theta float64) masses {
	peak := 0
	for i, p := range c.p {
		if p > c.p[peak] {
			peak = i
		}
	}
	centre := c.loss(peak)
	charge := c.err
	if !c.whole {
		charge += c.above + c.below // what was wrapped into the window may sit anywhere
	}
	grains := make([]grain, 0, len(c.p))
	for i, p := range c.p {
		if p -= charge; p > 0 {
			x := c.loss(i)
			if q := p * math.Exp(-theta*(x-centre)); !math.IsInf(q, 1) {
				grains = append(grains, grain{q, x, x})
			}
		}
	}
	return sweepTo(grains, c.start, step, theta, centre)
}

// sweepTo puts grains, whose P-masses are given times e^{θ·centre}, on a lattice by the
// better of the two sweeps, and tilts them.
func sweepTo(grains []grain, origin, step, theta, centre float64) masses {
	best := sweepBest(grains, grid{origin: origin, step: step}, theta)
	for i := range best.p {
		best.p[i] *= math.Exp(theta * (best.loss(i) - centre))
	}
	return best
}
