package exact

import (
	"math"
	"sort"

	"epsiloscope/accounting/numeral"
)

// times composes two lists: every sum by itself if there are few, else in cells.
func (w *work) times(a, b list) (list, bool) {
	if len(a.p) > len(b.p) {
		a, b = b, a
	}
	products := float64(len(a.p)) * float64(len(b.p))
	if w.left -= products; w.left < 0 || len(a.p) == 0 {
		w.left = -1
		return list{}, false
	}
	out := list{
		top: (a.top + b.top - a.top*b.top) * (1 + 4*unit),
		err: a.err + b.err + 4*unit, moved: a.moved + b.moved,
	}
	out.mean, out.variance = a.mean+b.mean, a.variance+b.variance
	lo, hi := a.loss[0]+b.loss[0], a.loss[len(a.p)-1]+b.loss[len(b.p)-1]
	size := math.Max(math.Abs(lo), math.Abs(hi))
	out.moved += roundingUnits * unit * size
	if products <= w.maxListedSums {
		w.crossSums(&out, a, b)
	} else {
		edges := w.edges(out, lo, hi)
		if len(edges) > maxPoints {
			w.left = -1
			return out, false
		}
		w.cells(&out, a, b, edges)
	}
	out.unite(4 * unit * size)
	return out, true
}

// crossSums lists every sum.
func (w *work) crossSums(out *list, a, b list) {
	for i, x := range a.loss {
		for j, y := range b.loss {
			out.loss, out.p = append(out.loss, x+y), append(out.p, a.p[i]*b.p[j])
		}
	}
	if len(a.p) > 1 {
		sort.Sort(byLoss(*out))
	}
	out.err += unit * float64(len(a.p))
}

// cells adds up the sums of every cell: their mass, and that mass times 1 − e^{−t}, with t the
// distance to the lower end of the cell: from above t − t²/2 + t³/6, from below t − t²/2. For one
// loss of a the sums with all of b are gathered cell by cell first, so that a mass is
// rounded len(a) + len(b) times at most.
func (w *work) cells(out *list, a, b list, edges []float64) {
	n := len(edges) - 1
	mass, rise := make([]float64, n), make([]float64, n)
	third := 0.0
	if w.side == numeral.Up {
		third = 1.0 / 6
	}
	losses, masses := b.loss, b.p[:len(b.loss)]
	start := 0
	for i, x := range a.loss {
		for start < n-1 && x+losses[0] >= edges[start+1] {
			start++
		}
		p, k, m, r := a.p[i], start, 0.0, 0.0
		edge, end := edges[k], edges[k+1]
		for j, y := range losses {
			s := x + y
			if s >= end && k < n-1 {
				mass[k] += p * m
				rise[k] += p * r
				m, r = 0, 0
				for k < n-1 && s >= edges[k+1] {
					k++
				}
				edge, end = edges[k], edges[k+1]
			}
			if s > end { // in the last cell; the built-in min and max would cost as much as the rest
				s = end
			}
			t, q := s-edge, masses[j]
			m += q
			if t > 0.1 {
				r -= q * math.Expm1(-t)
			} else if t > 0 {
				r += q * t * (1 - t*(0.5-t*third))
			}
		}
		mass[k] += p * m
		rise[k] += p * r
	}
	off := unit * float64(len(a.p)+len(b.p)+8)
	out.err += off
	for k, m := range mass {
		if w.side == numeral.Up {
			out.split(edges[k], edges[k+1], m, rise[k]*(1+2*off))
		} else {
			out.merge(edges[k], m, rise[k]*(1-2*off))
		}
	}
}
