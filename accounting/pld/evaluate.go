package pld

import (
	"context"
	"math"

	"epsiloscope/accounting/pld/fft"
)

// maxLength is the longest transform used.
const maxLength = 1 << 20

// pairOfEnds is a direction composed from above and from below.
type pairOfEnds struct {
	up, low         composition
	lostUp, lostLow float64 // P-mass at +∞
	length          int
	full            bool
	step            float64
}

// composition is a composed loss of which the hockey-stick curve can be had.
type composition interface {
	// root is an ε certified for δ, with extra mass at +∞.
	root(theta, delta, extra float64, upper bool) (epsilon float64, ok bool)
	// curve is δ(ε) with all errors added (upper) or taken away.
	curve(theta, epsilon float64, upper bool) float64
	// errors are what wrap-around and round-off may change in δ(ε).
	errors(theta, epsilon float64) (wrap, roundoff float64)
	// logWeight is an upper bound on ln E[e^{θS}] of the finite losses S.
	logWeight(theta float64) float64
}

// evaluate returns the certified ends of one direction at δ.
func (a *Accountant) evaluate(ctx context.Context, d direction, delta float64, s setting) (ends, error) {
	c, err := a.compose(ctx, d, s)
	if err != nil {
		return ends{}, err
	}
	e := ends{length: c.length, full: c.full, step: c.step}
	e.upper, _ = c.up.root(s.theta, delta, c.lostUp, true)
	if x, ok := c.low.root(s.theta, delta, c.lostLow, false); ok {
		e.lower = x
	}
	e.settle(d, delta, s, c)
	return e, nil
}

// compose composes one direction: the lines that need a grid, averaged over the list of
// the others.
func (a *Accountant) compose(ctx context.Context, d direction, s setting) (pairOfEnds, error) {
	var out pairOfEnds
	var err error
	switch {
	case len(s.grid.lines) == 0:
		out = pairOfEnds{up: silence{}, low: silence{}, length: len(s.list.p)}
	case len(s.grid.lines) == 1 && s.form && s.grid.lines[0].exact():
		l := s.grid.lines[0]
		out = pairOfEnds{up: known{l.upper}, low: known{l.upper}, length: len(s.list.p)}
	case len(s.grid.lines) == 1:
		out, err = a.single(ctx, s.grid, s)
	default:
		out, err = a.mixed(ctx, s.grid, s)
	}
	if err != nil || len(s.grid.lines) == len(d.lines) {
		return out, err
	}
	listed := d.without(s.grid)
	either := func(a, b float64) float64 { return a + b - a*b }
	out.lostUp = either(math.Min(1, out.lostUp), listed.lost(func(l line) float64 { return l.top })) * (1 + 16*ulp)
	out.lostLow = either(out.lostLow, listed.lost(line.failing)) * (1 - 16*ulp)
	out.up = s.list.over(out.up, s.theta, true, s.centre, s.spread)
	out.low = s.list.over(out.low, s.theta, false, s.centre, s.spread)
	return out, nil
}

// single composes copies of one law on its own grid: through a few frequencies, where
// they suffice, else by FFT.
func (a *Accountant) single(ctx context.Context, d direction, s setting) (pairOfEnds, error) {
	l, o := d.lines[0], s.outline.lines[0]
	w := s.window(34, 0)
	if !w.sound() {
		return pairOfEnds{}, outOfRange()
	}
	st := a.standInFor(l, o, s, s.step(o))
	if err := ctx.Err(); err != nil {
		return pairOfEnds{}, err
	}
	up, low := tilt(st.up, s.theta), tilt(st.low, s.theta)
	if len(up.p) == 0 || len(low.p) == 0 {
		return pairOfEnds{}, outOfRange()
	}
	out := pairOfEnds{step: st.up.step, length: fft.Length((w.hi-w.lo)/st.up.step + 4)}
	out.lostUp = d.lost(func(line) float64 { return st.top })
	out.lostLow = d.lost(func(line) float64 { return st.bottom })
	wUp, wLow := w.moved(l.count, o.at.mean, up.mean), w.moved(l.count, o.at.mean, low.mean)
	if high, ok := up.spectral(l.count, wUp); ok {
		if deep, ok := low.spectral(l.count, wLow); ok {
			out.up, out.low = high, deep
			return out, nil
		}
	}
	lowLength := fft.Length((w.hi-w.lo)/low.step + 4)
	if max(out.length, lowLength) > maxLength { // another step, and all the same again
		switch s.retries++; {
		case s.retries <= 3: // often the next finer grid has a short spectrum
			s.kappa *= 0.83
		case s.retries <= 6:
			s.least = math.Max(s.least, 1.1*(w.hi-w.lo)/maxLength)
		default:
			return pairOfEnds{}, outOfRange()
		}
		return a.single(ctx, d, s)
	}
	out.full = max(out.length, lowLength) >= maxLength
	out.up = up.power(l.count, wUp, out.length, s.theta)
	if err := ctx.Err(); err != nil {
		return pairOfEnds{}, err
	}
	out.low = low.power(l.count, wLow, lowLength, s.theta)
	return out, nil
}
