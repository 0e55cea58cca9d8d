package ranges

import (
	"math"
	"slices"
	"sync"
)

// The recursion, from above.

// corner is one of the polygon: the step there is the sum of four values of the grid.
type corner struct {
	up, down int // whose first is so far from where the step is taken, and whose third
	c        [4]float64
}

// corners are the crossings of the tangents at neighbouring points of the grid. With a = e^{ε−t}
// at one of them and b at the next, P/Q there is e^ε·(a+b−2)/(2ab−a−b), and
// (1−P)/(1−Q) = ((e^ε−a) + (e^ε−b))/(a(e^ε−b) + b(e^ε−a)).
func (g *Adaptive) corners() (list []corner) {
	h, n := g.step, float64(g.arcs)
	for i := range g.arcs {
		first, next := float64(i), float64(i+1)
		ea, eb := math.Expm1((n-first)*h), math.Expm1((n-next)*h)
		toA, toB := (1+ea)*math.Expm1(first*h), (1+eb)*math.Expm1(next*h)
		p := (ea + eb) / (2 + ea + eb) / -math.Expm1(-g.epsilon)
		rest := (toA + toB) / (2 + ea + eb) / math.Expm1(g.epsilon)
		up := g.epsilon - math.Log1p(2*ea*eb/(ea+eb))
		down := -(n-next)*h - math.Log1p(toB/(toA+toB)*math.Expm1((next-first)*h))
		x, cx := g.place(up)
		y, cy := g.place(down)
		list = append(list, corner{x, y, [4]float64{p * (1 - cx), p * cx, rest * (1 - cy), rest * cy}})
	}
	return list
}

// points are those of the arc itself: corners without a chord.
func (g *Adaptive) points() (list []corner) {
	for t := range g.arcs + 1 {
		p := math.Expm1(-float64(g.arcs-t)*g.step) / math.Expm1(-g.epsilon)
		rest := math.Expm1(float64(t)*g.step) / math.Expm1(g.epsilon)
		list = append(list, corner{-t, g.arcs - t, [4]float64{p, 0, rest, 0}})
	}
	return list
}

// place is the cell of the grid in which −loss lies, and the weight of its upper end on the
// chord. It is moved down by more than rounding, to where W is larger.
func (g *Adaptive) place(loss float64) (cell int, weight float64) {
	at := -loss/g.step - 1e-11
	low := math.Floor(at)
	return int(low), math.Expm1((at-low)*g.step) / math.Expm1(g.step)
}

// game is the recursion on one grid as far as it is played.
type game struct {
	played int       // releases
	values []float64 // W, up to rounding
	tests  tests     // of the attacker
}

// unfinished keeps the last few games: one more release is one more round.
var unfinished games

const mostUnfinished = 4

type grid struct {
	epsilon float64
	arcs    int
}

type games struct {
	mu   sync.Mutex
	kept map[grid]*game
}

// take is the game on this grid, with no more releases than asked for. Nobody else has it
// until it is put back.
func (l *games) take(g *Adaptive) *game {
	l.mu.Lock()
	defer l.mu.Unlock()
	on := grid{g.epsilon, g.arcs}
	if now := l.kept[on]; now != nil && now.played <= g.count {
		delete(l.kept, on)
		return now
	}
	return &game{values: []float64{0}, tests: tests{{}}}
}

func (l *games) put(g *Adaptive, now *game) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.kept) >= mostUnfinished || l.kept == nil {
		l.kept = map[grid]*game{}
	}
	l.kept[grid{g.epsilon, g.arcs}] = now
}

// play is the recursion, from where it stands. The grid of a round is as long as that round
// needs, so that what is left of one is the same wherever it began.
func (g *Adaptive) play(now *game) {
	pad, most := g.arcs+2, g.last(g.count)+1
	corners, arc := g.corners(), g.points()
	wide, best, next := make([]float64, most+2*pad), make([]uint8, most), make(tests, 0, most)
	now.values, now.tests = slices.Grow(now.values, most-len(now.values)), slices.Grow(now.tests, most-len(now.tests))
	for ; now.played < g.count; now.played++ {
		length := g.last(now.played+1) + 1
		g.widen(wide[:length+2*pad], now.values, pad)
		clear(best)
		// Values of the round before are those of the ends of the arc, t = 0 and t = ε.
		now.values = now.values[:length]
		copy(now.values, wide[pad:])
		r := round{values: now.values, best: best[:length], wide: wide, pad: pad}
		for i, c := range corners {
			r.raise(c, i)
		}
		next = next[:length]
		now.tests.follow(next, r.best, arc, g.step)
		now.tests, next = next, now.tests
	}
}

// round is one step of the recursion.
type round struct {
	values []float64 // the largest so far
	best   []uint8   // the corner that has it
	wide   []float64 // values of the round before, with pad more on either side
	pad    int
}

// raise looks at a corner.
func (r *round) raise(c corner, number int) {
	values, best := r.values, r.best[:len(r.values)]
	a, b := r.wide[r.pad+c.up:][:len(values)+1], r.wide[r.pad+c.down:][:len(values)+1]
	a0, b0 := a[0], b[0]
	for k := range values {
		a1, b1 := a[k+1], b[k+1]
		if v := c.c[0]*a0 + c.c[1]*a1 + c.c[2]*b0 + c.c[3]*b1; v > values[k] {
			values[k], best[k] = v, uint8(number)
		}
		a0, b0 = a1, b1
	}
}

// widen copies the values with what is below 0, pad of them, and what is beyond the end.
func (g *Adaptive) widen(wide, values []float64, pad int) {
	last := len(values) - 1
	copy(wide[pad:], values)
	for k := 1; k <= pad; k++ {
		x := float64(k) * g.step
		wide[pad-k] = -math.Expm1(-x) + math.Exp(-x)*values[min(k, last)]
	}
	for k := pad + last + 1; k < len(wide); k++ {
		wide[k] = values[last]
	}
}
