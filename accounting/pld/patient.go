package pld

import (
	"context"
	"math"
)

// patience is a direction about to be multiplied out: the lines that are listed, the
// others, and where each of these lies.
type patience struct {
	direction
	list    listing
	rest    direction
	reach   [][2]float64 // the losses of each line of the rest that are not too unlikely
	delta   float64
	setting setting // steers only
}

const (
	mostCopies   = 4096    // releases of a stack that is multiplied out
	mostCells    = 1 << 15 // of one release
	mostProducts = 1 << 28 // of two numbers, on one lattice
	fewCells     = 256     // into which the widest line is cut at first
)

// patiently multiplies a direction out on ever finer lattices until its upper end is
// within the width asked for of its lower end or of the given one, that of the stack.
func (d direction) patiently(ctx context.Context, delta, want, least float64, e ends) (ends, error) {
	p, ok := d.patience(delta, want)
	if !ok {
		return e, nil
	}
	widest := 0.0
	for _, r := range p.reach {
		widest = math.Max(widest, r[1]-r[0])
	}
	for h := widest / fewCells; !e.near(least, want); {
		if err := ctx.Err(); err != nil {
			return e, err
		}
		next, spent, ok := p.on(h, want, least, e.lower)
		if !ok {
			break
		}
		e = e.meet(next)
		// The error is of second order; the work as well.
		off := (e.upper - math.Max(e.lower, least)) / e.upper
		finest := math.Sqrt(spent / mostProducts)
		if finest > 0.8 {
			break
		}
		h *= math.Max(finest, math.Max(1.0/16, math.Min(0.7, math.Sqrt(0.4*want/off))))
	}
	return e, nil
}

// patience prepares a direction; ok is false for one that is too large.
func (d direction) patience(delta, want float64) (p patience, ok bool) {
	copies := 0.0
	for _, l := range d.lines {
		if copies += l.count; l.count != math.Floor(l.count) {
			return p, false
		}
	}
	if copies > mostCopies {
		return p, false
	}
	p = patience{direction: d, delta: delta, setting: d.aim(delta, want)}
	p.list, p.rest = d.list(frugality{p: math.Exp(p.setting.logTail)})
	for _, l := range p.rest.lines {
		var mean, deviation float64
		if l.upper.continuous() {
			mean, deviation = moments(l.upper)
		}
		lo, hi := horizon(l.upper, mean, deviation, p.setting.logTail)
		if !(hi-lo < 1e12) {
			return p, false
		}
		p.reach = append(p.reach, [2]float64{lo, hi})
	}
	return p, true
}

// on evaluates a direction on lattices of a step of at most h, and tells how many
// products that took. The lower end stays the known one where the upper one is near enough
// to that or to that of the stack.
func (p patience) on(h, want, least, lower float64) (e ends, spent float64, ok bool) {
	lines, ok := p.place(h)
	if !ok {
		return e, 0, false
	}
	const most = 2 * mostProducts
	work := &labour{spare: math.Exp(p.setting.logTail), left: most}
	c := pairOfEnds{up: silence{}, low: silence{}, step: h, length: len(p.list.p)}
	if len(lines) > 0 {
		g, above := work.compose(lines, raised, placed.ceiling)
		c.up, c.lostUp, c.length = newPlain(above, g), above.lost, len(above.p)
	}
	if work.left < 0 {
		return e, 0, false
	}
	e = ends{length: c.length, step: h, lower: lower}
	c.lostUp, c.lostLow = p.lostAll(c.lostUp)
	e.upper = p.root(&c.up, c.lostUp, p.setting.centre, p.setting.spread, true)
	if !e.near(least, want) {
		if len(lines) > 0 {
			if c.low, ok = work.local(lines, p.setting.theta); !ok {
				return e, 0, false
			}
		}
		e.lower = p.root(&c.low, c.lostLow, e.upper, want*e.upper, false)
	}
	e.settle(p.direction, p.delta, p.setting, c)
	return e, most - work.left, true
}

// root averages a composition over the list and finds its ε.
func (p patience) root(c *composition, lost, centre, spread float64, upper bool) float64 {
	average := p.list.over(*c, p.setting.theta, upper, centre, spread)
	*c = average
	x, ok := average.root(p.setting.theta, p.delta, lost, upper)
	if !ok && !upper {
		return 0
	}
	return x
}

// lostAll is the P-mass at +∞ of all lines, given that of those on the lattice, from
// above and from below.
func (p patience) lostAll(rest float64) (above, below float64) {
	listed := p.direction.without(p.rest).lost(func(l line) float64 { return l.top })
	rest = math.Min(1, rest)
	return (rest + listed - rest*listed) * (1 + 16*ulp), p.direction.lost(line.failing) * (1 - 16*ulp)
}
