package pld

import (
	"context"
	"math"
	"slices"
	"sort"
)

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

// ends is a certified pair of ends and what they cost.
type ends struct {
	lower, upper float64
	length       int
	full         bool // the longest transform was used
	step         float64
	budget       ErrorBudget
}

// maxLength is the longest transform used.
const maxLength = 1 << 20

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

// list takes the lines with few losses out of a stack: all, if one list can hold them;
// else as many as a shorter one holds.
func (d direction) list(f frugality) (listing, direction) {
	if f = f.over(float64(2 * len(d.lines))); !slices.ContainsFunc(d.lines, func(l line) bool { return l.upper.continuous() }) {
		f.limit = maxListedAlone
		if g, rest := d.listWithin(f); len(rest.lines) == 0 && len(d.lines) > 0 {
			return g, rest
		}
	}
	f.limit = maxListed
	return d.listWithin(f)
}

func (d direction) listWithin(f frugality) (listing, direction) {
	var lists []listing
	rest := direction{name: d.name, note: d.note, cut: d.cut}
	for _, l := range d.lines {
		if len(d.lines) == 1 && l.above.bend == 0 { // one lattice is its own grid
			rest.lines = append(rest.lines, l)
		} else if g, ok := l.listed(f); ok {
			lists = append(lists, g)
		} else {
			rest.lines = append(rest.lines, l)
		}
	}
	sort.SliceStable(lists, func(i, j int) bool { return len(lists[i].p) < len(lists[j].p) })
	all := emptyListing()
	for _, g := range lists {
		if len(all.p)*len(g.p) <= 4*f.limit {
			if next := all.times(g, f); len(next.p) <= f.limit {
				all = next
				continue
			}
		}
		rest.lines = append(rest.lines, g.line)
	}
	return all, rest
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

// without are the lines of a direction that another does not have.
func (d direction) without(other direction) direction {
	var out direction
	for _, l := range d.lines {
		if !slices.ContainsFunc(other.lines, func(o line) bool { return o.key == l.key }) {
			out.lines = append(out.lines, l)
		}
	}
	return out
}

// exact reports whether a line is one release whose curve is at hand, and finite.
func (l line) exact() bool { return l.count == 1 && l.upper.Key() == l.lower.Key() && l.top == 0 }

// failing is the true P-mass at +∞, that of the lower face; what a lattice charges for
// its unlisted far end, or a chain of steps for all of them, counts in the upper end only.
func (l line) failing() float64 {
	if top, _ := l.lower.ends(); top > beyondFloat {
		return top
	}
	return 0
}

// single composes copies of one law on its own grid: through a few frequencies, where
// they suffice, else by FFT.
func (a *Accountant) single(ctx context.Context, d direction, s setting) (pairOfEnds, error) {
	l, o := d.lines[0], s.outline.lines[0]
	w := s.window(34, 0)
	if !w.sound() {
		return pairOfEnds{}, outOfRange(l)
	}
	st := a.standInFor(l, o, s, s.step(o))
	if err := ctx.Err(); err != nil {
		return pairOfEnds{}, err
	}
	up, low := tilt(st.up, s.theta), tilt(st.low, s.theta)
	if len(up.p) == 0 || len(low.p) == 0 {
		return pairOfEnds{}, outOfRange(l)
	}
	out := pairOfEnds{step: st.up.step, length: lengthFor((w.hi-w.lo)/st.up.step + 4)}
	out.lostUp = d.lost(func(line) float64 { return st.top })
	out.lostLow = d.lost(func(line) float64 { return st.bottom })
	wUp, wLow := w.moved(l.count, o.at.mean, up.mean), w.moved(l.count, o.at.mean, low.mean)
	if high, ok := up.spectral(l.count, wUp); ok {
		if deep, ok := low.spectral(l.count, wLow); ok {
			out.up, out.low = high, deep
			return out, nil
		}
	}
	lowLength := lengthFor((w.hi-w.lo)/low.step + 4)
	if max(out.length, lowLength) > maxLength { // another step, and all the same again
		switch s.retries++; {
		case s.retries <= 3: // often the next finer grid has a short spectrum
			s.kappa *= 0.83
		case s.retries <= 6:
			s.least = math.Max(s.least, 1.1*(w.hi-w.lo)/maxLength)
		default:
			return pairOfEnds{}, outOfRange(l)
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

// settle applies what holds whatever the grid says, and splits the width.
func (e *ends) settle(d direction, delta float64, s setting, c pairOfEnds) {
	rounding := d.rounding(e.step)
	e.upper += rounding
	e.lower -= rounding
	// Above the largest loss δ(ε) is the mass at +∞ alone.
	if top := d.ceiling(); d.lost(func(l line) float64 { return l.top })*(1+8*ulp) <= delta && top < e.upper {
		e.upper = top * (1 + 8*ulp)
	}
	e.lower = math.Max(0, math.Min(e.lower, e.upper))
	e.upper = math.Max(0, e.upper)
	slope := s.theta * delta // −dδ/dε, about
	wrapUp, roundUp := c.up.errors(s.theta, e.upper)
	wrapLow, roundLow := c.low.errors(s.theta, e.upper)
	e.budget.Tail = (c.lostUp - c.lostLow) / slope
	e.budget.Wrap = (wrapUp + wrapLow) / slope
	e.budget.Roundoff = rounding + (roundUp+roundLow)/slope
	width := e.upper - e.lower
	for _, x := range []*float64{&e.budget.Tail, &e.budget.Wrap, &e.budget.Roundoff} {
		if !(*x <= width) { // linearised; where that breaks down, the width is all it can be
			*x = width
		}
	}
	e.budget.Grid = math.Max(0, width-e.budget.Tail-e.budget.Wrap-e.budget.Roundoff)
}

// rounding is what the representation of losses may move ε by: a few ulps of each
// release's losses, and the tolerance with which losses count as grid points.
func (d direction) rounding(step float64) float64 {
	sum := 0.0
	for _, l := range d.lines {
		lo, hi := l.upper.span()
		size := math.Min(math.Abs(lo), 50) + math.Min(math.Abs(hi), 50)
		sum += l.count * (4*ulp*size + 2*gridTolerance*step)
	}
	return sum
}
