package ranges

// round is a step of the recursion.
type round struct {
	values []float64 // the largest so far
	best   []uint8   // the corner that has it, by its first point
	wide   []float64 // values of the round before, from −pad steps on
	pad    int
}

// block is the number of values that are raised together.
const block = 64

// raiseAll raises every value to the largest at the corners between neighbouring points.
//
// Most corners are not looked at. A segment's own corner, where the tangents at its two ends cross,
// and the tangents themselves enclose all corners within it, and the step is convex: if it is no larger at
// the segment's corner than what was found elsewhere, it is no larger at those within. So the polygon is fine
// only near the best corner, which for one block is close to that of the block before.
// Whatever is skipped, the corners that were looked at are those of a polygon around the arc.
func (r *round) raiseAll(a *arc) {
	guess := 0
	for from := 0; from < len(r.values); from += block {
		b := blockOf{r, from, min(from+block, len(r.values)), max(0, guess-1), min(guess+2, len(a.smallest))}
		for _, s := range a.smallest[b.low:b.high] {
			b.raise(s)
		}
		b.cover(a.whole)
		guess = int(r.best[b.to-1])
	}
}

// blockOf is a span of points of a round, whose corners low to high−1 are raised first.
type blockOf struct {
	*round
	from, to, low, high int
}

// cover raises the values by the corners of a segment that were not raised and may be larger.
func (b *blockOf) cover(s *segment) {
	apart := s.next <= b.low || s.first >= b.high
	switch {
	case s.halves[0] == nil && apart:
		b.raise(s)
	case s.halves[0] == nil || apart && !b.exceeds(s):
	default:
		b.cover(s.halves[0])
		b.cover(s.halves[1])
	}
}

// steps returns the values of the round before that a corner's step reads, for each value the first of two
// neighbours and, one place on, the second.
func (b *blockOf) steps(c *corner) (up, up1, down, down1 []float64) {
	n := b.to - b.from
	first, third := b.wide[b.pad+b.from+c.up:], b.wide[b.pad+b.from+c.down:]
	return first[:n], first[1:][:n], third[:n], third[1:][:n]
}

// raise raises the values by a corner.
func (b *blockOf) raise(s *segment) {
	values, best := b.values[b.from:b.to], b.best[b.from:b.to]
	up, up1, down, down1 := b.steps(&s.corner)
	best, up, up1, down, down1 = best[:len(values)], up[:len(values)], up1[:len(values)],
		down[:len(values)], down1[:len(values)]
	c0, c1, c2, c3 := s.c[0], s.c[1], s.c[2], s.c[3]
	for k, value := range values {
		if v := c0*up[k] + c1*up1[k] + c2*down[k] + c3*down1[k]; v > value {
			values[k], best[k] = v, uint8(s.first)
		}
	}
}

// exceeds reports whether a corner's step is larger than one of the values.
func (b *blockOf) exceeds(s *segment) bool {
	values := b.values[b.from:b.to]
	up, up1, down, down1 := b.steps(&s.corner)
	up, up1, down, down1 = up[:len(values)], up1[:len(values)], down[:len(values)], down1[:len(values)]
	c0, c1, c2, c3 := s.c[0], s.c[1], s.c[2], s.c[3]
	for k, value := range values {
		if c0*up[k]+c1*up1[k]+c2*down[k]+c3*down1[k] > value {
			return true
		}
	}
	return false
}
