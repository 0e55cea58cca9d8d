package pld

import "math"

// multiplied is a direction on lattices of one step, multiplied out from above, from below,
// or both, and averaged over the list of the other lines.
type multiplied struct {
	patience
	lines           []placed
	work            labour
	up, low         *average
	lostUp, lostLow float64 // P-mass at +∞
	length          int
}

// patienceEnds after this many products on one lattice.
const patienceEnds = 2 * mostProducts

func (p patience) lay(h float64) (*multiplied, bool) {
	lines, ok := p.place(h)
	work := labour{spare: math.Exp(p.setting.logTail), left: patienceEnds}
	m := &multiplied{patience: p, lines: lines, work: work, length: len(p.list.p)}
	m.lostLow = p.direction.lost(line.failing) * (1 - 16*ulp)
	return m, ok
}

// spent is how many products it took so far.
func (m *multiplied) spent() float64 { return patienceEnds - m.work.left }

// above composes from above; false if that is too much work.
func (m *multiplied) above() bool {
	var inner composition = silence{}
	lost := 0.0
	if len(m.lines) > 0 {
		g, s := m.work.compose(m.lines, raised, placed.ceiling)
		inner, lost, m.length = newPlain(s, g), math.Min(1, s.lost), len(s.p)
	}
	listed := m.direction.without(m.rest).lost(func(l line) float64 { return l.top })
	m.lostUp = (lost + listed - lost*listed) * (1 + 16*ulp)
	m.up = m.list.over(inner, m.setting.theta, true, 0, 0)
	return m.work.left >= 0
}

// below composes from below; false if that is too much work.
func (m *multiplied) below() bool {
	var inner composition = silence{}
	ok := true
	if len(m.lines) > 0 {
		inner, ok = m.work.local(m.lines, m.setting.theta)
	}
	m.low = m.list.over(inner, m.setting.theta, false, 0, 0)
	return ok
}
