package exact

import (
	"math"

	"epsiloscope/accounting/numeral"
)

// list is a loss with finitely many values, in increasing order.
type list struct {
	loss, p []float64 // P-masses
	top     float64   // P-mass at +∞, of a pessimistic estimate
	err     float64   // relative error of every mass
	moved   float64   // what round-off may have done to every loss

	mean, variance float64 // about: they steer
}

// zeroLoss returns the composition of nothing.
func zeroLoss() list { return list{loss: []float64{0}, p: []float64{1}} }

// split puts the mass p of a cell on its two ends. With rise = ∫P·(1 − e^{lo−L}) over the
// cell, P-mass and Q-mass are kept if the share rise/(1 − e^{lo−hi}) goes up.
func (l *list) split(lo, hi, p, rise float64) {
	if !(p > 0) {
		return
	}
	up := p
	if hi > lo {
		up = math.Min(p, rise/-math.Expm1(lo-hi))
	}
	l.loss, l.p = append(l.loss, lo, hi), append(l.p, p-up, up)
}

// merge makes one outcome of a cell: its loss is ln p/q with q = e^{−lo}(p − rise).
func (l *list) merge(lo, p, rise float64) {
	if p > 0 {
		l.loss, l.p = append(l.loss, lo-math.Log1p(-math.Min(rise/p, 1-1e-9))), append(l.p, p)
	}
}

// unite joins losses that differ by no more than round-off, and leaves out what has no mass.
func (l *list) unite(near float64) {
	n := 0
	for i, x := range l.loss {
		switch {
		case l.p[i] == 0:
		case n > 0 && x-l.loss[n-1] <= near:
			l.p[n-1] += l.p[i]
		default:
			l.loss[n], l.p[n] = x, l.p[i]
			n++
		}
	}
	l.loss, l.p = l.loss[:n], l.p[:n]
}

// trim moves thin ends: of a pessimistic estimate the top goes to +∞, the bottom onto the
// lowest loss left; of an optimistic one both are left out.
func (w *work) trim(l list, copies float64) list {
	spare := w.spare * copies / 4
	lo, hi := 0, len(l.p)
	below, above := 0.0, 0.0
	for hi > 1 && above+l.p[hi-1] <= spare {
		hi--
		above += l.p[hi]
	}
	for lo < hi-1 && below+l.p[lo] <= spare {
		below += l.p[lo]
		lo++
	}
	l.loss, l.p = l.loss[lo:hi], l.p[lo:hi]
	if w.side == numeral.Up && hi > 0 {
		l.top += above * (1 + 1e-9 + l.err)
		l.p[0] += below * (1 + 1e-9)
	}
	return l
}

// shorten cuts a list for later use into cells if it is too long.
func (w *work) shorten(l list) list {
	if len(l.p) <= MaxListed {
		return l
	}
	out := list{top: l.top, err: l.err, moved: l.moved, mean: l.mean, variance: l.variance}
	w.cells(&out, zeroLoss(), l, w.edges(l, l.loss[0], l.loss[len(l.loss)-1]))
	out.unite(0)
	return out
}

// smallestWeight is the least share of the largest mass of a binomial distribution that is listed.
const smallestWeight = 1e-300

// binomial lists the sums of n copies of two losses. The masses follow from one another, outwards from the largest, and
// add up to that of a copy to the power of n. Those too small for float64 are charged at +∞.
func binomial(l list, n float64) list {
	size := n * math.Max(math.Abs(l.loss[0]), math.Abs(l.loss[1]))
	out := list{
		loss: make([]float64, int(n)+1), p: make([]float64, int(n)+1),
		top: -math.Expm1(n*math.Log1p(-l.top)) * (1 + 16*unit),
		// the ratio of both masses n times, the whole mass n times, and the operations of every step
		err:   3*n*l.err + unit*(16+8*n),
		moved: n*l.moved + 4*roundingUnits*unit*size,
		mean:  n * l.mean, variance: n * l.variance,
	}
	for i := range out.loss {
		out.loss[i] = (n-float64(i))*l.loss[0] + float64(i)*l.loss[1]
	}
	odds := l.p[1] / l.p[0]
	mode := min(int(n), int((n+1)*l.p[1]/(l.p[0]+l.p[1])))
	out.p[mode] = 1
	total, listed := 1.0, 1
	put := func(i int, weight float64) (more bool) {
		if more = weight >= smallestWeight; more {
			out.p[i] = weight
			total += weight
			listed++
		}
		return more
	}
	for i := mode + 1; i <= int(n) && put(i, out.p[i-1]*(n-float64(i)+1)/float64(i)*odds); i++ {
	}
	for i := mode - 1; i >= 0 && put(i, out.p[i+1]*float64(i+1)/(n-float64(i))/odds); i-- {
	}
	out.top += float64(len(out.p)-listed) * smallestWeight
	share := math.Pow(l.p[0]+l.p[1], n) / total
	for i := range out.p {
		out.p[i] *= share
	}
	out.unite(4 * unit * size)
	return out
}

type byLoss list

func (l byLoss) Len() int           { return len(l.p) }
func (l byLoss) Less(i, j int) bool { return l.loss[i] < l.loss[j] }
func (l byLoss) Swap(i, j int) {
	l.loss[i], l.loss[j] = l.loss[j], l.loss[i]
	l.p[i], l.p[j] = l.p[j], l.p[i]
}
