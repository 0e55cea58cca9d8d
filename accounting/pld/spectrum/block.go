package spectrum

import (
	"context"
	"math"
	"slices"
	"sync"

	"epsiloscope/accounting/pld/fft"
	"epsiloscope/accounting/pld/loss"
	"epsiloscope/accounting/special"
)

// The frequencies kΔ of a line come in blocks, each with a rule that is good up to its end:
// k = 1 … 16, then up to 32, 64, 128 and so on. More frequencies are more blocks; what was
// computed stays. Small losses need no more nodes for all frequencies than for 16: if all
// losses are small the first block is as long as it need be.
const firstBlock = 16

// firstBlock returns the length of the first block of a stack with count frequencies.
func (s *truncated) firstBlock(count int, spacing float64) int {
	n := firstBlock
	for n < count {
		n *= 2
	}
	for _, l := range s.lines {
		if l.reach*float64(n)*spacing > 12 {
			return firstBlock
		}
	}
	return n
}

// tiltedLine holds a loss at a tilt: the rule of its first block, that block, and bounds of ln M
// there and at the tilts on either side, for one release.
type tiltedLine struct {
	tilted
	first        block
	lower, upper [3]float64
}

// tiltLine returns the rule, cumulants and first block of a line, which its frequencies need.
func (e *evaluation) tiltLine(l line) *tiltedLine {
	s, on := e.of, e.on
	down := 0.0
	if len(on) > 2 {
		down = on[2].Theta
	}
	k := keyOf(l.key, keyTilted, on[0].Theta, on[1].Theta, down, on[0].Tolerance, e.spacing, on[1].Tolerance,
		float64(e.first))
	return getOrCompute(s.ctx, s.cache, k, func() (*tiltedLine, int) {
		for j := range on {
			on[j].LogScale = l.cumulants(on[j].Theta).log
		}
		on[0].Bandwidth = float64(e.first) * e.spacing
		rule := l.Rule(s.ctx, on)
		t := &tiltedLine{tilted: tiltRule(s.ctx, rule, on[0].Theta, rule.Err[0], on[0].LogScale)}
		for j, at := range on {
			side := t.tilted
			if j > 0 {
				side, _ = momentOf(s.ctx, rule, at.Theta, rule.Err[j], at.LogScale)
			}
			t.upper[j] = side.log + side.logErr + math.Log1p(side.rule)
			t.lower[j] = side.log - side.logErr + math.Log1p(-math.Min(1, side.rule))
		}
		t.first.key, t.first.rule, t.first.first, t.first.length = k, &t.tilted, 1, e.first
		return t, 40*len(t.w) + 700
	})
}

// block are the values of φ of one line in one block, around the mean of its first rule.
type block struct {
	mu      sync.Mutex
	key     key     // of what the cache keeps it in
	rule    *tilted // of this block
	shift   cumulants
	first   int
	length  int
	all     []phi                // all values before the shift, by one transform
	known   []int32              // frequencies whose values were computed one by one, in order,
	single  []value              // and these values
	middles map[[2]int][]float64 // the least angles in the middles of the parts of an octave: see [block.leastAngles]
}

// maxKeptValues is the number of values of a block that are kept if they were computed one by one.
const maxKeptValues = 1 << 14

// What the cache counts for a φ of a transform, and for a frequency with its value.
const (
	phiBytes   = 3 * 8
	valueBytes = 4 + 6*8
)

// block returns block b > 0 of a line. Its rule has a logarithm and a mean of its own, which differ
// from those of the first block by its errors. The difference is put into φ, so that all
// of φ is that of this rule; only the round-off of the difference is charged.
func (e *evaluation) block(l *factor, b int) *block {
	s, base, tilt := e.of, l.base, e.on[0]
	k := keyOf(l.key, keyBlock, tilt.Theta, float64(b), e.spacing, tilt.Tolerance, base.log, base.mean,
		float64(e.first))
	return getOrCompute(s.ctx, s.cache, k, func() (*block, int) {
		last := e.first << b
		tilt.LogScale = l.cumulants(tilt.Theta).log
		tilt.Bandwidth = float64(last) * e.spacing
		rule := l.Rule(s.ctx, []loss.Tilt{tilt})
		t := tiltRule(s.ctx, rule, tilt.Theta, rule.Err[0], tilt.LogScale)
		out := &block{key: k, rule: &t, first: last/2 + 1, length: last / 2}
		out.shift = cumulants{log: t.log - base.log, mean: t.mean - base.mean}
		out.shift.logErr = t.logErr + care*unit*math.Abs(out.shift.log)
		out.shift.meanErr = care * unit * (math.Abs(t.mean) + math.Abs(base.mean))
		return out, 40*len(t.w) + 300
	})
}

// whole reports whether the values for this number of releases are better computed all at once:
// that is quicker, unless the nodes are few, and less exact, which many releases make worse.
func (b *block) whole(releases float64) bool {
	few := lightWork
	switch {
	case releases >= 1e12:
		return false
	case releases > 1e5:
		few *= 20
	}
	return float64(len(b.rule.w))*float64(b.length) > few && b.first+b.length-1 <= maxTransformLength
}

// work returns the cost of the next value, in sums over nodes.
func (b *block) work(whole bool) float64 {
	if whole {
		return 60*float64(len(b.rule.w))/float64(b.length) + 40
	}
	return float64(len(b.rule.w) + 4)
}

// phiAt returns φ at kΔ.
func (b *block) phiAt(ctx context.Context, c *Cache, k int, spacing float64, whole bool) value {
	b.mu.Lock()
	defer b.mu.Unlock()
	omega := float64(k) * spacing
	if whole {
		if b.all == nil {
			if b.all = b.transform(ctx, spacing); b.all == nil {
				return phi{err: math.Inf(1)}.value()
			}
			c.count(b.length, b.key, phiBytes*b.length)
		}
		return b.move(b.all[k-b.first], omega).value()
	}
	i, ok := slices.BinarySearch(b.known, int32(k))
	if ok {
		return b.single[i]
	}
	v := b.move(b.rule.phi(ctx, omega), omega).value()
	before := cap(b.single)
	if len(b.known) < maxKeptValues && !math.IsInf(v.err, 1) { // mostly behind the others: a walk passes them in order
		b.known, b.single = slices.Insert(b.known, i, int32(k)), slices.Insert(b.single, i, v)
	}
	c.count(1, b.key, valueBytes*(cap(b.single)-before))
	return v
}

// leastAngles returns the least angles in the middles of the first n parts of the octave after k, each of the given
// length. The φ are computed one by one.
func (b *block) leastAngles(ctx context.Context, c *Cache, k, length, n int, spacing float64) []float64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	of := [2]int{k, length}
	angles := slices.Clip(b.middles[of]) // which others may be reading
	known := len(angles)
	if known >= n {
		return angles[:n]
	}
	for j := known; j < n; j++ {
		omega := float64(k+j*length+length/2) * spacing
		angles = append(angles, leastAngle(b.move(b.rule.phi(ctx, omega), omega).atMost()))
	}
	if ctx.Err() != nil {
		return angles
	}
	if b.middles == nil {
		b.middles = map[[2]int][]float64{}
	}
	b.middles[of] = angles
	c.count(n-known, b.key, 8*(n-known))
	return angles
}

// move puts the shift into φ at ω. A relative error of the shift is an absolute one of φ.
func (b *block) move(p phi, omega float64) phi {
	moved := b.shift.logErr + omega*b.shift.meanErr
	p.err = p.err*math.Exp(b.shift.log)*(1+1e-9) + moved*math.Exp(p.log+b.shift.log)
	p.log += b.shift.log
	p.angle += omega * b.shift.mean
	return p
}

// transform evaluates the whole block; it has no values once the context has ended.
func (b *block) transform(ctx context.Context, spacing float64) []phi {
	t := b.rule
	last := b.first + b.length - 1
	values, relative := uniform(ctx, t.w, t.x, spacing, last)
	if values == nil {
		return nil
	}
	var mass, first special.Adder
	var byWeight, byLoss, size float64
	for i, w := range t.w {
		mass.Add(w)
		first.Add(w * t.x[i])
		byWeight, byLoss = byWeight+t.werr[i], byLoss+t.xerr[i]
		size += w * math.Abs(t.x[i])
	}
	byWeight += relative * mass.Sum() * (1 + 1e-9)
	size = care * unit * (mass.Sum() + size*float64(last)*spacing) * (1 + 1e-9)
	all := make([]phi, b.length)
	for j := range all {
		if fft.IsCancelled(ctx, j) {
			return nil
		}
		k := b.first + j
		omega := float64(k) * spacing
		re, im := real(values[k])-mass.Sum(), imag(values[k])-omega*first.Sum()
		all[j] = phi{
			logAbs(re, im), math.Atan2(im, 1+re),
			byWeight*(1+1e-9) + omega*byLoss*(1+1e-9) + size + t.common(omega) + t.displacementError(omega),
		}
	}
	return all
}
