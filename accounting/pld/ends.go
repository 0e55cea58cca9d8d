package pld

import "math"

// ends is a certified pair of ends and what they cost.
type ends struct {
	lower, upper float64
	length       int
	full         bool // the longest transform was used
	step         float64
	budget       ErrorBudget
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

// meet keeps the better of both ends of a direction; where they come from is told of the
// upper one.
func (e ends) meet(f ends) ends {
	if e.upper < f.upper {
		e.lower, e.full = math.Max(e.lower, f.lower), f.full
		return e
	}
	f.lower = math.Max(e.lower, f.lower)
	return f
}

// near reports whether the upper end is within the width asked for of a lower one.
func (e ends) near(least, want float64) bool {
	return Interval{Lower: math.Min(e.upper, math.Max(e.lower, least)), Upper: e.upper}.narrow(want)
}
