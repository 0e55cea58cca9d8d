package pld

import (
	"math"

	"epsiloscope/accounting/special"
)

// average is a composition on a grid averaged over a list: with c the sums of the
// listed losses, δ(ε) = Σ p_c·δ_grid(ε − c).
type average struct {
	inner   composition
	shift   []float64
	p       []float64 // P-masses
	dropped float64   // P-mass that is not listed
	thinned float64   // ln of the tilted mass that is not listed, times e^{Σ K·ln M} of everything
	slack   float64   // relative
	centre  float64   // where to look first
	spread  float64
	largest float64 // |shift| at most
}

// over averages a composition; inner is taken from above or from below.
func (g listing) over(inner composition, theta float64, upper bool, centre, spread float64) *average {
	if c, ok := inner.(composed); ok {
		inner = c.tabulate(theta, upper)
	}
	a := &average{inner: inner, shift: g.loss, centre: centre, spread: spread, slack: g.relative + 1e-12}
	a.p, a.dropped, a.thinned = g.p, g.dropped, math.Inf(-1)
	if g.thinned > 0 && upper {
		a.thinned = g.log + inner.logWeight(theta) + math.Log(g.thinned) + 1e-9
	}
	for _, x := range g.loss {
		a.largest = math.Max(a.largest, math.Abs(x))
	}
	return a
}

// from says where to look first.
func (a *average) from(centre, spread float64) *average {
	a.centre, a.spread = centre, spread
	return a
}

// curve from above: what is not listed counts in full, or, if only its tilted mass is
// known, at most max_x e^{−θx}(1 − e^{−x}) ≤ 1/(1+θ) relative to e^{log−θε}. From below it
// does not count.
func (a *average) curve(theta, epsilon float64, upper bool) float64 {
	sum := 0.0
	for i, x := range a.shift {
		d := a.inner.curve(theta, epsilon-x, upper)
		if upper && !(d <= 1) { // δ is never above 1, whatever the errors
			d = 1
		}
		sum += a.p[i] * d
	}
	if upper {
		return sum*(1+a.slack) + a.dropped + math.Exp(a.thinned-theta*epsilon)/(1+theta)
	}
	return sum * (1 - a.slack)
}

func (a *average) root(theta, delta, extra float64, upper bool) (float64, bool) {
	goal := delta - extra
	if goal <= 0 {
		return math.Inf(1), !upper
	}
	e, ok := meeting(func(e float64) float64 { return a.curve(theta, e, upper) / goal }, a.centre, a.spread, upper)
	pad := 8 * ulp * (a.largest + e)
	if !upper {
		pad = -pad
	}
	return e + pad, ok
}

func (a *average) errors(theta, epsilon float64) (wrap, roundoff float64) {
	for i, x := range a.shift {
		w, r := a.inner.errors(theta, epsilon-x)
		if p := a.p[i]; p > 0 {
			wrap += p * w
			roundoff += p * r
		}
	}
	return wrap, roundoff
}

func (a *average) logWeight(theta float64) float64 { return math.Inf(1) }

// silence is the composition of nothing: a loss that is always 0.
type silence struct{}

func (silence) root(_, _, _ float64, _ bool) (float64, bool) { return 0, true }
func (silence) curve(_, e float64, _ bool) float64           { return math.Max(0, -math.Expm1(e)) }
func (silence) errors(_, _ float64) (wrap, roundoff float64) { return 0, 0 }
func (silence) logWeight(float64) float64                    { return 0 }

// meeting finds where a decreasing ratio f meets 1, among ε ≥ 0. The answer has been
// looked at: from above f ≤ 1 there, from below f ≥ 1.
func meeting(f func(float64) float64, centre, spread float64, upper bool) (epsilon float64, ok bool) {
	log := func(e float64) float64 {
		if y := math.Log(f(e)); !math.IsNaN(y) {
			return y
		}
		if upper {
			return math.Inf(1)
		}
		return math.Inf(-1)
	}
	if size := math.Abs(centre) + math.Abs(spread); !(size < 1e12) { // a hint that says nothing
		centre, spread = 0, 1
	}
	if !(spread > 1e-12) {
		spread = 1e-12 + 1e-3*math.Abs(centre)
	}
	a := math.Max(0, centre)
	ya := log(a)
	b, yb := a, ya
	for step := spread / 4; ya < 0 && a > 0; step *= 2 { // down to where f ≥ 1
		b, yb = a, ya
		a = math.Max(0, a-step)
		ya = log(a)
	}
	if ya < 0 || ya == 0 && a == 0 {
		return 0, upper
	}
	for step := spread / 4; yb > 0; step *= 2 { // up to where f ≤ 1
		if a, ya = b, yb; step > 1e300 {
			return math.Inf(1), false
		}
		b += step
		yb = log(b)
	}
	if ya > 0 && yb <= 0 {
		a, b = special.Crossing(log, a, b, 1e-14)
	}
	if upper {
		if yb > 0 {
			return math.Inf(1), false
		}
		return b, true
	}
	return a, true
}
