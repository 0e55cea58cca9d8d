package exact

import (
	"context"
	"math"

	"epsiloscope/accounting/pld/spectrum"
)

// mostListed is the longest list that an estimate for later use has.
const mostListed = 4096

// Pessimistic is an estimate of a composition from above as a list of losses and their
// P-masses, for later use at a tilt that is not known yet: cells are fine, so many to a
// deviation, around the mean and grow in proportion to the distance from it. Top is the
// P-mass at +∞.
func Pessimistic(lines []spectrum.Line, fineness float64) (losses, masses []float64, top float64, ok bool) {
	w := &work{ctx: context.Background(), fineness: fineness, spare: 1e-260, upper: true, few: 512, left: mostProducts}
	all := none()
	for _, l := range lines {
		one, ok := w.release(l.Loss)
		if !ok {
			return nil, nil, 0, false
		}
		if all, ok = w.times(all, w.power(w.shorten(one), l.Count)); !ok {
			return nil, nil, 0, false
		}
		all = w.shorten(all)
	}
	for i := range all.p {
		all.loss[i] += all.moved
		all.p[i] *= 1 + all.err
	}
	return all.loss, all.p, math.Min(1, all.top*(1+16*unit)), w.left >= 0
}

// shorten cuts a list that is too long into cells.
func (w *work) shorten(l list) list {
	if len(l.p) <= mostListed {
		return l
	}
	out := list{top: l.top, err: l.err, moved: l.moved, mean: l.mean, variance: l.variance}
	w.cells(&out, none(), l, w.edges(l, l.loss[0], l.loss[len(l.loss)-1]))
	out.unite(0)
	return out
}
