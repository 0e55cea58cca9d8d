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
	mostLattices = 12
	fewCells     = 256 // into which the widest line is cut at first
)

// patiently multiplies a direction out on ever finer lattices until its upper end is
// within the width asked for of its lower end or of the given one, that of the stack.
func (d direction) patiently(ctx context.Context, delta, want, least float64, e ends) (ends, error) {
	p, ok := d.patience(delta, want)
	if !ok {
		return e, nil
	}
	h := p.widest() / fewCells
	for try := 0; try < mostLattices && !e.near(least, want); try++ {
		if err := ctx.Err(); err != nil {
			return e, err
		}
		next, spent, ok := p.on(h, want, least, e.lower)
		if !ok {
			break
		}
		before := e
		e = e.meet(next)
		// Between two faces of a pair a finer lattice soon gains nothing.
		if try > 0 && d.bracketed() && before.upper-e.upper+e.lower-before.lower < want*e.upper {
			break
		}
		// The error is of second order; the work as well.
		off := (e.upper - math.Max(e.lower, least)) / e.upper
		finest := math.Sqrt(spent / mostProducts)
		if finest > 0.8 || len(p.rest.lines) == 0 { // a list gets no better
			break
		}
		h *= math.Max(finest, math.Max(1.0/16, math.Min(0.7, math.Sqrt(0.4*want/off))))
	}
	return e, nil
}

// widest is the reach of the widest line.
func (p patience) widest() float64 {
	widest := 0.0
	for _, r := range p.reach {
		widest = math.Max(widest, r[1]-r[0])
	}
	return widest
}

// patience prepares a direction; ok is false for one that is too large.
func (d direction) patience(delta, want float64) (p patience, ok bool) {
	copies := 0.0
	for _, l := range d.lines {
		nowhere := !l.upper.continuous() && len(l.upper.atoms()) == 0
		if copies += l.count; l.count != math.Floor(l.count) || nowhere {
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

// rounding is what the places of the points may be off by, over all releases.
func (p patience) rounding() float64 {
	sum := 0.0
	for i, l := range p.rest.lines {
		sum += l.count * 4 * ulp * (math.Abs(p.reach[i][0]) + math.Abs(p.reach[i][1]))
	}
	return sum
}

// on evaluates a direction on lattices of a step of at most h, and tells how many
// products that took. The lower end stays the known one where the upper one is near enough
// to that or to that of the stack.
func (p patience) on(h, want, least, lower float64) (e ends, spent float64, ok bool) {
	m, ok := p.lay(h)
	if !ok || !m.above() {
		return e, 0, false
	}
	e = ends{length: m.length, step: h, lower: lower}
	e.upper, _ = m.up.from(p.setting.centre, p.setting.spread).root(p.setting.theta, p.delta, m.lostUp, true)
	if !e.near(least, want) && m.below() {
		if x, ok := m.low.from(e.upper, want*e.upper).root(p.setting.theta, p.delta, m.lostLow, false); ok {
			e.lower = x
		}
	}
	e.upper += p.rounding()
	e.lower -= p.rounding()
	e.settle(p.direction, p.delta, p.setting, pairOfEnds{up: silence{}, low: silence{}, lostUp: m.lostUp, lostLow: m.lostLow})
	return e, m.spent(), true
}
