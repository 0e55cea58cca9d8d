package spectrum

// The three searches of a plan: for the tilt, the window and the bandwidth.

import (
	"math"

	"epsiloscope/accounting/pld/loss"
	"epsiloscope/accounting/special"
)

// tilt returns the θ that centres the tilted loss on ε: θ(Λ′ − ε) = 1 + θ/(1+θ) where ε is known, else
// with ε from the estimate of ln δ at the saddle point. Both sides increase with θ. The tilt is a
// power of 2^{1/8}, so that a stack that has hardly changed has the same.
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
	if !math.IsNaN(t.epsilon) {
		a = s.sharedTilt(a)
	}
	return math.Exp2(a / 8), true
}

// sharedTilt returns a multiple of 4 in place of the logarithm of a tilt, in eighths, if that moves the tilted loss by
// at most 0.7 deviations: neighbouring ε and stacks with some equal losses then have the same tilt.
func (s *truncated) sharedTilt(a float64) float64 {
	coarse := 4 * math.Round(a/4)
	from, to := math.Exp2(a/8), math.Exp2(coarse/8)
	if _, _, variance := s.outline(math.Min(from, to)); math.Abs(to-from)*math.Sqrt(variance) <= 0.7 {
		return coarse
	}
	return a
}

// window finds the least T for aliases below e^{tolerance}, in units of e^{Λ−θε}, and the tilts
// on either side that bound them.
func (s *truncated) window(p *Inversion, log, tolerance float64) {
	gauss := func(theta float64) float64 {
		return p.Smoothing * p.Smoothing / 2 * (theta*(theta+1) - p.Theta*(p.Theta+1))
	}
	side := func(by float64) (period float64) {
		far, _, _ := s.outline(p.Theta + by)
		return (far + gauss(p.Theta+by) - log - by*p.guess + logHeight(p.Theta+by) - tolerance) / math.Abs(by)
	}
	pick := func(sign float64) (best, at float64) {
		best = math.Inf(1)
		from := floorPower(0.7/p.deviation, 2)
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
	p.Window = ceilPower(math.Max(up, math.Max(down, 4*p.deviation)))
}

// ceilPower returns the least power of 2^{1/4} above x.
func ceilPower(x float64) float64 { return floorPower(x, 4) * math.Sqrt(math.Sqrt2) }

// fades looks for a frequency from which on the spread of the losses alone makes every
// term negligible. It steers only; [evaluation.tail] proves it.
func (s *truncated) fades(p Inversion, from float64) (float64, bool) {
	ended := false // then no step of the search looks again
	stays := func(logOmega float64) bool {
		omega := math.Exp(logOmega)
		log := -s.square * omega * omega / 2
		for _, l := range s.lines {
			if ended = ended || s.ctx.Err() != nil; ended {
				return false
			}
			if log += l.count * envelope(l.spread(p.Theta), l.cumulants(p.Theta).log,
				omega); log < p.negligible(omega) {
				return false
			}
		}
		return true
	}
	// The envelope of rare losses is not that of the lines.
	if s.apart || from >= p.Bandwidth || stays(math.Log(p.Bandwidth)) {
		return 0, false
	}
	_, end := special.Bisect(math.Log(from), math.Log(p.Bandwidth), 0.1, stays) // an envelope never rises
	return math.Exp(end), true
}

// envelope bounds ln|φ| at every frequency from ω on: the tilted distribution is the sum of even
// densities of the patches' masses m and of a rest of mass 1 − Σm, so
// |φ| ≤ 1 − Σ m(1 − sup_{u ≥ ωw/2}|sin u/u|). scale is at least ln M.
func envelope(patches []loss.Patch, scale, omega float64) float64 {
	gone := 0.0
	for _, p := range patches {
		gone += math.Exp(p.LogMass-scale) * (1 - loss.Sinc(omega*p.Width/2))
	}
	return math.Log1p(-math.Min(1, gone) * (1 - 1e-9))
}
