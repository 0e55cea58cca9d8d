package pld

import (
	"context"
	"math"
	"sync"
)

// Accountant evaluates stacks and keeps what it has computed: after one line of a
// stack has changed, the transforms of the other lines are used again. The zero value
// is ready; it may be used by several goroutines.
type Accountant struct {
	mu      sync.Mutex
	lines   map[string]line
	grids   map[gridKey]standIn
	shares  map[shareKey]*share
	entries int // points held by the caches
}

type gridKey struct {
	line                       string
	theta, step, miss, logTail float64
}

type shareKey struct {
	gridKey
	count, common float64
	upper         bool
}

// cacheLimit bounds the points kept, about 16 bytes each.
const cacheLimit = 1 << 20

func (a *Accountant) lineFor(l Loss) (line, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if found, ok := a.lines[l.Key()]; ok {
		return found, nil
	}
	made, err := describe(l)
	if err != nil {
		return line{}, err
	}
	if a.lines == nil {
		a.lines = map[string]line{}
	}
	a.lines[made.key] = made
	return made, nil
}

// keep forgets everything once the caches have grown too large.
func (a *Accountant) keep(points int) {
	if a.entries += points; a.entries > cacheLimit {
		a.grids, a.shares, a.entries = nil, nil, points
	}
	if a.grids == nil {
		a.grids, a.shares = map[gridKey]standIn{}, map[shareKey]*share{}
	}
}

func (a *Accountant) standInFor(l line, o weighted, s setting, step float64) standIn {
	miss := s.miss(o)
	key := gridKey{l.key, s.theta, step, miss, s.logTail}
	a.mu.Lock()
	st, ok := a.grids[key]
	a.mu.Unlock()
	if ok {
		return st
	}
	g := layGrid(l.upper, l.above, o.at, s.theta, step, miss, s.logTail)
	st.up, st.top = ceilingGrid(l.upper, g)
	lower := g
	if l.lower.Key() != l.upper.Key() {
		below := weighted{outline: l.below, count: l.count, at: l.below.at(s.theta)}
		lower = layGrid(l.lower, l.below, below.at, s.theta, step, s.miss(below), s.logTail)
	}
	st.low, st.bottom = floorGrid(l.lower, lower, s.theta)
	a.mu.Lock()
	a.keep(len(st.up.p) + len(st.low.p))
	a.grids[key] = st
	a.mu.Unlock()
	return st
}

func (a *Accountant) shareFor(l line, o weighted, s setting, upper bool) (*share, error) {
	step := s.step(o)
	key := shareKey{gridKey{l.key, s.theta, step, s.miss(o), s.logTail}, l.count, s.common, upper}
	a.mu.Lock()
	sh, ok := a.shares[key]
	a.mu.Unlock()
	if ok {
		return sh, nil
	}
	for try := 0; try < 60; try++ {
		if sh = a.standInFor(l, o, s, step).share(l, o, s, upper); sh == nil || !sh.cut {
			break
		}
		step *= 1.5 // its window did not fit a transform
		s.linear *= 1.5
	}
	if sh == nil || sh.cut {
		return nil, outOfRange()
	}
	a.mu.Lock()
	a.keep(len(sh.p) + len(sh.extra)/2)
	a.shares[key] = sh
	a.mu.Unlock()
	return sh, nil
}

// Epsilon returns a certified interval for the tight ε of the stack at δ.
func (a *Accountant) Epsilon(ctx context.Context, parts []Part, delta float64, opt Options) (Interval, error) {
	var last Interval
	err := a.refine(ctx, parts, delta, opt, []float64{1}, func(i Interval) bool { last = i; return true })
	return last, err
}

// Refine yields certified intervals on the way to the width asked for, until it is
// reached, the context ends, or yield returns false. The last one is that of Epsilon,
// to the bit: whoever watches an interval narrow and whoever asks once end at the
// same figure.
func (a *Accountant) Refine(ctx context.Context, parts []Part, delta float64, opt Options, yield func(Interval) bool) error {
	return a.refine(ctx, parts, delta, opt, []float64{25, 5, 1}, yield)
}

// width is relative to the upper end.
func (i Interval) width() float64 {
	if i.Upper == i.Lower {
		return 0
	}
	return (i.Upper - i.Lower) / i.Upper
}

// narrow reports whether an interval has the relative width asked for. An ε of 1e-12 is 0.
func (i Interval) narrow(width float64) bool {
	return i.width() <= width || i.Upper-i.Lower < 1e-12
}

// meet keeps the better of both ends: every certified interval holds.
func (i Interval) meet(j Interval) Interval {
	lower, upper := math.Max(i.Lower, j.Lower), math.Min(i.Upper, j.Upper)
	if i.Upper < j.Upper {
		j.Form, j.Note = i.Form, i.Note
		j.Direction, j.Budget, j.Grid, j.Step = i.Direction, i.Budget, i.Grid, i.Step
	}
	j.Lower, j.Upper = lower, upper
	j.Estimate = math.Max(lower, math.Min(upper, j.Estimate))
	return j
}

func (i *Interval) explain(want float64) {
	if !i.narrow(want) && i.Note == "" {
		i.Note = "wider than asked: the grid cannot be made finer at this cost"
	}
}
