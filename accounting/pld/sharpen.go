package pld

import (
	"context"
	"math"
)

// blunt reports whether δ is known less well than a width asked for in ε lets expect: for
// the default, 1e-3, to a fifth.
func blunt(lower, upper, width float64) bool {
	return upper > lower*(1+200*width) && upper > smallestDelta
}

// sharpen multiplies out the directions whose curve one tilt did not suit. Neither tilt
// nor window depend on ε there: one lattice serves all of them.
func sharpen(ctx context.Context, directions []direction, bands []band, epsilons []float64, width float64) error {
	for i, d := range directions {
		if d.bracketed() { // what lies between two faces stays
			continue
		}
		all := worst(bands, len(epsilons))
		var at []int
		for j, u := range bands[i].upper {
			if blunt(all.lower[j], u, width) && epsilons[j] < d.ceiling() {
				at = append(at, j)
			}
		}
		if err := d.reread(ctx, epsilons, at, bands[i], width); err != nil {
			return err
		}
	}
	return nil
}

// reread reads some points of a curve again, from ever finer lattices.
func (d direction) reread(ctx context.Context, epsilons []float64, at []int, b band, width float64) error {
	h := math.Inf(1)
	for try := 0; try < 6 && len(at) > 0; try++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		smallest := 1.0
		for _, j := range at {
			smallest = math.Min(smallest, b.upper[j])
		}
		p, ok := d.patience(math.Max(smallest, smallestDelta), width)
		if !ok {
			return nil
		}
		h = math.Min(h, p.widest()/fewCells)
		m, ok := p.lay(h)
		if !ok || !m.above() || !m.below() {
			return nil
		}
		var left []int
		shift := d.rounding(h) + p.rounding()
		for _, j := range at {
			u := m.up.curve(p.setting.theta, epsilons[j]-shift, true) + m.lostUp
			l := m.low.curve(p.setting.theta, epsilons[j]+shift, false) + m.lostLow
			b.put(j, math.Max(l, b.lower[j]), math.Min(u, b.upper[j]))
			if blunt(b.lower[j], b.upper[j], width) {
				left = append(left, j)
			}
		}
		finest := math.Sqrt(m.spent() / mostProducts)
		if finest > 0.8 {
			return nil
		}
		at, h = left, h*math.Max(finest, 0.3)
	}
	return nil
}
