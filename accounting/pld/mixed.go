package pld

import (
	"context"
	"math"
)

// share is one line of a mixed stack, composed on its own grid, moved once to the
// common grid, and transformed.
type share struct {
	tilted
	bins     []complex128
	lost     float64 // P-mass at +∞ of all copies
	relative float64
}

// mixed composes each line on its own grid, where its atoms lie, and all lines on one
// common grid: the cost of moving is per line, not per release.
func (a *Accountant) mixed(ctx context.Context, d direction, delta float64, s setting) (ends, error) {
	w := s.window(d, 34, 0)
	n := lengthFor((w.hi-w.lo)/s.common + 8)
	for ; n > maxLength; n = lengthFor((w.hi-w.lo)/s.common + 8) {
		s.common *= 1.2
	}
	out := ends{length: n, step: s.common}
	var up, low composed
	var lostUp, lostLow float64
	for _, upper := range [2]bool{true, false} {
		shares := make([]*share, len(d.lines))
		lost := 0.0
		for i := range d.lines {
			if err := ctx.Err(); err != nil {
				return ends{}, err
			}
			sh, err := a.shareFor(d.lines[i], s.outline.lines[i], s, n, upper)
			if err != nil {
				return ends{}, err
			}
			shares[i] = sh
			lost += math.Log1p(-math.Min(sh.lost, 1))
		}
		lost = -math.Expm1(lost)
		c := multiply(shares, s.common, w, n)
		if upper {
			up, lostUp = c, lost
			out.upper, _ = c.root(s.theta, delta, lost, true)
			continue
		}
		low, lostLow = c, lost
		if e, ok := c.root(s.theta, delta, lost, false); ok {
			out.lower = e
		}
	}
	out.settle(d, delta, s, up, low, lostUp-lostLow)
	return out, nil
}

// multiply composes shares on the common grid.
func multiply(shares []*share, step float64, w window, n int) composed {
	first := math.Floor(w.lo/step) - 1
	c := composed{start: first * step, step: step}
	logAbove, logBelow := -w.sUp*(c.start+float64(n)*step), -w.sDown*(c.start-step/2)
	eta := transformError(n)
	product := make([]complex128, n/2+1)
	copy(product, shares[0].bins)
	for i, sh := range shares {
		logAbove += logMeanExp(sh.losses, sh.p, w.sUp, sh.mean) + w.sUp*sh.mean
		logBelow += logMeanExp(sh.losses, sh.p, w.sDown, sh.mean) + w.sDown*sh.mean
		c.log += sh.log
		c.relative += sh.relative
		c.err += 1.01 * eta * math.Sqrt(sh.square)
		if i == 0 {
			continue
		}
		for k, b := range sh.bins {
			product[k] *= b
		}
	}
	var sum1, sum2 float64
	for _, b := range product {
		g := real(b)*real(b) + imag(b)*imag(b)
		sum2 += 2 * g
		sum1 += 2 * math.Sqrt(g)
	}
	c.err += 4*ulp*float64(len(shares))*sum1/float64(n) + eta*math.Sqrt(sum2/float64(n)) + ulp
	c.above, c.below = math.Exp(logAbove), math.Exp(logBelow)
	y := planFor(n).inverse(product)
	offset := wrap(first, n)
	c.p = append(y[offset:], y[:offset]...)
	return c
}

// compose brings one line to the common grid.
func (st standIn) share(l line, o weighted, s setting, n int, upper bool) *share {
	solo := setting{outline: composeOutlines([]weighted{o}, s.theta), theta: s.theta}
	w := solo.window(direction{}, 36, s.theta)
	w.hi = math.Max(w.hi, solo.outline.summit(s.logTail))
	m, top := st.up, st.top
	if !upper {
		m, top = st.low, st.bottom
	}
	t := tilt(m, s.theta)
	if len(t.p) == 0 {
		return nil
	}
	c := t.power(l.count, w, min(maxLength, lengthFor((w.hi-w.lo)/m.step+4)))
	var moved masses
	var lost float64
	if upper {
		moved = c.raiseTo(s.common, s.theta)
		lost = math.Exp(c.log-s.theta*c.end()) * c.above
	} else {
		moved = c.lowerTo(s.common, s.theta)
	}
	sh := &share{relative: c.relative + 1e-13}
	sh.masses = moved
	sh.log = c.log
	total := 0.0
	for i, p := range moved.p {
		x := moved.loss(i)
		sh.losses = append(sh.losses, x)
		total += p
		sh.mean += p * x
		sh.square += p * p
	}
	sh.mean /= total
	copies := -math.Expm1(l.count * math.Log1p(-math.Min(1, top)))
	sh.lost = math.Min(1, copies+lost)
	x := make([]float64, n)
	for i, j := range moved.index {
		x[wrap(float64(j), n)] += moved.p[i]
	}
	sh.bins = planFor(n).forward(x)
	return sh
}

// raiseTo moves a tilted composition to the lattice of multiples of step, upward:
// each mass is split between its neighbours so that P-mass and Q-mass are kept.
func (c composed) raiseTo(step, theta float64) masses {
	first := math.Floor(c.start/step + gridTolerance)
	size := int(math.Ceil(c.end()/step-first)) + 2
	m := masses{origin: 0, step: step, index: make([]int, size), p: make([]float64, size)}
	for i := range m.index {
		m.index[i] = int(first) + i
	}
	place := func(x, p float64) {
		k := math.Floor(x/step + gridTolerance)
		a := k * step
		f := split(a, x, a+step)
		j := int(k - first)
		m.p[j] += p * (1 - f) * math.Exp(theta*(a-x))
		m.p[j+1] += p * f * math.Exp(theta*(a+step-x))
	}
	for i, p := range c.p {
		if p = p + c.err; p > 0 {
			place(c.loss(i), p)
		}
	}
	place(c.start, c.below)
	return m
}

// lowerTo moves it downward, by the better of the two sweeps.
func (c composed) lowerTo(step, theta float64) masses {
	centre := c.loss(len(c.p) / 2)
	charge := c.err + c.above + c.below
	grains := make([]grain, 0, len(c.p))
	for i, p := range c.p {
		if p -= charge; p > 0 {
			x := c.loss(i)
			grains = append(grains, grain{p * math.Exp(-theta*(x-centre)), x, x})
		}
	}
	g := grid{origin: 0, step: step}
	up := gather(grains, g, sweepUp)
	reverseGrains(grains)
	best := gather(grains, g, sweepDown)
	if up.weight(theta) > best.weight(theta) {
		best = up
	}
	for i := range best.p {
		best.p[i] *= math.Exp(theta * (best.loss(i) - centre))
	}
	return best
}
