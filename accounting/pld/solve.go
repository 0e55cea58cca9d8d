package pld

import "math"

// root finds the ε at which the hockey-stick curve of a composed loss meets δ. For the
// upper end errors are added, for the lower end they are taken away; extra is the
// P-mass at +∞. The answer for the upper end is an ε with δ(ε) ≤ δ, for the lower end
// one with δ(ε) ≥ δ; ok is false if there is none in the window.
//
// The two sums are those of table, from the top down, without exponentials.
func (c composed) root(theta, delta, extra float64, upper bool) (epsilon float64, ok bool) {
	slack := c.slack()
	offset := 0.0
	if upper {
		delta = delta*(1-slack) - extra - math.Exp(c.log-theta*c.end())*c.above
		if !(delta > 0) {
			return math.Inf(1), false
		}
	} else {
		delta = delta*(1+slack) - extra
		if delta <= 0 {
			return math.Inf(1), true
		}
		// Wrapped mass may sit anywhere; at S it weighs at most
		// max_x e^{−θx}(1 − e^{−x}) ≤ 1/(1+θ) relative to e^{log−θε}.
		if !c.whole {
			offset = (c.above + c.below) * math.Exp(theta*c.step) / (1 + theta)
		}
	}
	r1, r2, fall := math.Exp(-theta*c.step), math.Exp(-(theta+1)*c.step), -math.Expm1(-c.step)
	logDelta := math.Log(delta)
	var d, v, target float64
	for i := len(c.p) - 1; i >= 0; i-- {
		p := c.p[i]
		if upper {
			p = math.Max(0, p+c.err)
		} else {
			p = math.Max(0, p-c.err)
		}
		d, v = r1*(d+fall*v), p+r2*v
		if i&63 == 63 || i == len(c.p)-1 || math.IsInf(target, 1) {
			target = math.Exp(logDelta + theta*c.loss(i) - c.log)
		} else {
			target *= r1
		}
		goal := target + offset
		if d+fall*v >= goal {
			return c.loss(i) + math.Log1p((d-goal)/v), true
		}
	}
	if upper && c.whole { // what lies below the window is not in it
		return c.start, true
	}
	return c.start - c.step, upper
}

// errors are what wrap-around and round-off may change in δ(ε).
func (c composed) errors(theta, epsilon float64) (wrap, roundoff float64) {
	scale := math.Exp(c.log - theta*epsilon)
	wrap = scale*(c.above+c.below)/(1+theta) + math.Exp(c.log-theta*c.end())*c.above
	return wrap, scale * (c.err/(theta*(1+theta)*c.step) + c.relative)
}

// curve is δ(ε) at one ε, errors added (upper) or taken away, without mass at +∞.
func (c composed) curve(theta, epsilon float64, upper bool) float64 {
	if upper && c.whole && epsilon < c.start { // what lies below the window is not in it
		return 1
	}
	var sum, charge float64
	for i := len(c.p) - 1; i >= 0; i-- {
		s := c.loss(i)
		if s <= epsilon {
			break
		}
		p := c.p[i] - c.err
		if upper {
			p = c.p[i] + c.err
		}
		if p > 0 {
			sum += p * math.Exp(c.log-theta*s) * -math.Expm1(epsilon-s)
		}
	}
	if upper {
		// Above ε ≥ end there is at most e^{log−θε} times the tilted mass above the end.
		charge = math.Exp(c.log-theta*math.Max(epsilon, c.end()))*c.above + c.hidden(theta, epsilon)
		return (sum + charge) * (1 + c.slack())
	}
	charge = math.Exp(c.log-theta*epsilon) * (c.above + c.below) / (1 + theta)
	return math.Max(0, (sum-charge)*(1-c.slack()))
}
