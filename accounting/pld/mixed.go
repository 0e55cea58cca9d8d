package pld

import (
	"context"
	"math"
	"slices"
	"sync/atomic"
)

// share is one line of a mixed stack, composed on its own grid, moved once to the
// common grid, and transformed.
type share struct {
	tilted
	lost     float64 // P-mass at +∞ of all copies
	relative float64
	bins     atomic.Pointer[[]complex128]
	extra    []float64 // tilted mass that stands for round-off only, by index
	noise    float64   // all of it
	total    float64   // all other tilted mass
	void     bool      // no mass is left after all charges
	cut      bool      // the window was too long for a transform; nothing else is set
}

// maxCommon is the longest transform of the common grid: there are two per line.
const maxCommon = 1 << 18

// maxOwn is the longest transform of one line's own grid.
const maxOwn = 1 << 20

// mixed composes each line on its own grid, where its atoms lie, and all lines on one
// common grid: the cost of moving is per line, not per release.
func (a *Accountant) mixed(ctx context.Context, d direction, s setting) (pairOfEnds, error) {
	w := s.window(34, 0)
	if !w.sound() {
		return pairOfEnds{}, outOfRange(d.lines[0])
	}
	if out, done, err := a.blended(ctx, d, s, w, false); done || err != nil {
		return out, err
	}
	for lengthFor((w.hi-w.lo)/s.common+8) > maxCommon {
		s.common *= 1.2
	}
	out, _, err := a.blended(ctx, d, s, w, true)
	return out, err
}

// blended composes all lines on one common grid: through their few frequencies, if they
// suffice, else, if that is wanted, by transforms of the whole window.
func (a *Accountant) blended(ctx context.Context, d direction, s setting, w window, whole bool) (pairOfEnds, bool, error) {
	if !((w.hi-w.lo)/s.common < longest) {
		return pairOfEnds{}, false, nil
	}
	n := lengthFor((w.hi-w.lo)/s.common + 8)
	whole = whole || n <= maxCommon
	if !whole && len(d.lines) < fewLines {
		return pairOfEnds{}, false, nil
	}
	out := pairOfEnds{length: n, step: s.common, full: n >= maxCommon}
	for _, upper := range [2]bool{true, false} {
		shares := make([]*share, len(d.lines))
		lost, void, mean := 0.0, false, 0.0
		for i := range d.lines {
			if err := ctx.Err(); err != nil {
				return pairOfEnds{}, false, err
			}
			sh, err := a.shareFor(d.lines[i], s.outline.lines[i], s, upper)
			if err != nil {
				return pairOfEnds{}, false, err
			}
			shares[i] = sh
			void = void || sh.void
			lost += math.Log1p(-math.Min(sh.lost, 1))
			mean += sh.mean
		}
		if void && upper {
			return pairOfEnds{}, false, outOfRange(d.lines[0])
		} else if void {
			out.low = vacuum{}
			break
		}
		lost = -math.Expm1(lost)
		around := w.moved(1, s.outline.total.mean, mean)
		var c composition
		ok := false
		if n >= longEnough {
			c, ok = blend(shares, s.common, around)
		}
		switch {
		case ok:
			out.full = false
		case whole:
			c = multiply(shares, s.common, around, n)
		default:
			return pairOfEnds{}, false, nil
		}
		if upper {
			out.up, out.lostUp = c, lost
		} else {
			out.low, out.lostLow = c, lost
		}
	}
	return out, true, nil
}

// longest is the number of points of the common grid that a line may be listed on.
const longest = 1 << 22

// longEnough is the length from which transforms of the whole window are avoided if
// possible, fewLines the number of lines below which it is not tried in vain.
const (
	longEnough = 1 << 12
	fewLines   = 8
)

// multiply composes shares on the common grid.
func multiply(shares []*share, step float64, w window, n int) composed {
	origin := 0.0
	for _, sh := range shares {
		origin += sh.origin
	}
	first := math.Floor((w.lo-origin)/step) - 1
	c := composed{start: origin + first*step, step: step}
	logAbove := outsideAll(shares, c.start+float64(n)*step, w.sUp)
	logBelow := outsideAll(shares, c.start-step/2, w.sDown)
	least, most := 0.0, 0.0 // indices between which all masses proper lie
	for _, sh := range shares {
		least += float64(sh.index[0])
		most += float64(sh.index[len(sh.index)-1])
	}
	if least >= first {
		logBelow = math.Inf(-1)
	}
	if most < first+float64(n) {
		logAbove = math.Inf(-1)
	}
	eta, noise := transformError(n), 0.0
	product := slices.Clone(shares[0].transform(n))
	for i, sh := range shares {
		c.log += sh.log
		c.relative += sh.relative
		noise += 1.01 * sh.noise
		c.err += 1.01 * eta * math.Sqrt(sh.square)
		if i == 0 {
			continue
		}
		for k, b := range sh.transform(n) {
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
	// Chernoff's bound holds for the masses proper; what stands for round-off may lie
	// anywhere.
	c.above, c.below = math.Exp(logAbove)+noise, math.Exp(logBelow)+noise
	y := planFor(n).inverse(product)
	offset := wrap(first, n)
	c.p = append(y[offset:], y[:offset]...)
	return c
}

// compose brings one line to the common grid.
func (st standIn) share(l line, o weighted, s setting, upper bool) *share {
	solo := setting{outline: composeOutlines([]weighted{o}, s.theta), theta: s.theta}
	w := solo.window(36, s.theta)
	w.hi = math.Max(w.hi, solo.outline.summit(s.logTail))
	if most := l.count * l.hi; most < w.hi {
		w.hi = math.Max(w.lo, most)
	}
	m, top := st.up, st.top
	if !upper {
		m, top = st.low, st.bottom
	}
	t := tilt(m, s.theta)
	if len(t.p) == 0 || !w.sound() {
		return nil
	}
	if (w.hi-w.lo)/s.common > longest {
		return nil
	}
	w = w.moved(l.count, o.at.mean, t.mean)
	length := lengthFor((w.hi-w.lo)/t.step + 4)
	var c composed
	var moved masses
	var noise []float64
	var lost float64
	short := false
	if length > 1<<13 { // many copies of a fine law: through their few frequencies
		var grains []grain
		if c, grains, short = t.coarse(l.count, w, s.theta, s.common/4, upper); short && !upper {
			moved = sweepTo(grains, c.start, s.common, s.theta, l.count*t.mean)
		}
	}
	if !short {
		if length > maxOwn {
			return &share{cut: true}
		}
		if c = t.power(l.count, w, length, s.theta); !upper {
			moved = c.lowerTo(s.common, s.theta)
		}
	}
	if upper {
		// What lies above goes to +∞, and must be small beside δ.
		if scale := c.log - s.theta*c.end(); c.above > 0 && !c.whole && !short {
			c.above = t.beyond(l.count, c.end(), w.sUp, math.Min(deepEnough, s.logTail-scale))
		} else if short && c.above > 0 {
			c.above = t.beyond(l.count, c.end()-c.step, w.sUp, math.Min(deepEnough, s.logTail-scale))
		}
		lost = math.Exp(c.log-s.theta*(c.end()-c.step)) * c.above
		if c.below > 0 {
			c.below = t.under(l.count, c.start, s.theta, w.sDown)
		}
		caps := t.ladder(l.count, c.start, c.end(), w)
		if short { // a point holds what came from the cells on either side of it
			for i := range caps {
				caps[i].log += (math.Abs(caps[i].s) + s.theta) * c.step
			}
		}
		moved, noise = c.raiseTo(s.common, s.theta, caps)
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
	if !(total > 0) || math.IsInf(total, 1) {
		return &share{void: true}
	}
	sh.mean /= total
	copies := -math.Expm1(l.count * math.Log1p(-math.Min(1, top)))
	sh.lost = math.Min(1, copies+lost)
	sh.total, sh.extra = total*(1+1e-9), noise
	for _, p := range noise {
		sh.noise += p
		sh.square += p * p
	}
	return sh
}

// transform is the spectrum of a share on a window of n points, noise included. It is
// kept for the next evaluation, and not to be written to.
func (sh *share) transform(n int) []complex128 {
	if kept := sh.bins.Load(); kept != nil && len(*kept) == n/2+1 {
		return *kept
	}
	x := make([]float64, n)
	for i, j := range sh.index {
		x[wrap(float64(j), n)] += sh.p[i]
	}
	for i, p := range sh.extra {
		x[wrap(float64(i), n)] += p
	}
	bins := planFor(n).forward(x)
	sh.bins.Store(&bins)
	return bins
}

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

// vacuum is a lower end that has lost all its mass: it claims nothing.
type vacuum struct{}

func (vacuum) root(_, delta, extra float64, _ bool) (float64, bool) {
	return math.Inf(1), delta <= extra
}
func (vacuum) curve(_, _ float64, _ bool) float64           { return 0 }
func (vacuum) logWeight(float64) float64                    { return math.Inf(-1) }
func (vacuum) errors(_, _ float64) (wrap, roundoff float64) { return 0, 0 }
