package exact

import (
	"context"
	"math"
	"sort"

	"epsiloscope/accounting/pld/loss"
	"epsiloscope/accounting/pld/spectrum"
	"epsiloscope/accounting/special"
)

// list is a loss with finitely many values, in increasing order.
type list struct {
	loss, p []float64 // P-masses
	top     float64   // P-mass at +∞, of a pessimistic estimate
	err     float64   // relative error of every mass
	moved   float64   // what round-off may have done to every loss

	mean, variance float64 // about: they steer
}

// none is the composition of nothing.
func none() list { return list{loss: []float64{0}, p: []float64{1}} }

// work composes lists until it has had enough.
type work struct {
	ctx      context.Context
	step     float64 // width of a cell; or, if it is 0,
	fineness float64 // cells to a deviation around the mean, wider in proportion farther out
	spare    float64 // P-mass that one release may lose at either end
	upper    bool
	few      float64 // sums that are listed each by itself
	left     float64 // products that may still be formed; negative once it gave up
}

// widest is how wide the cells of a list may be.
func (w *work) widest(l list) func(x float64) float64 {
	if w.step > 0 {
		return func(float64) float64 { return w.step }
	}
	deviation := math.Sqrt(l.variance)
	return func(x float64) float64 { return (deviation + math.Abs(x-l.mean)/3) / w.fineness }
}

// edges cuts an interval into cells for a list.
func (w *work) edges(l list, lo, hi float64) []float64 {
	widest := w.widest(l)
	out := []float64{lo}
	for k := 1; out[k-1] < hi && k <= mostPoints; k++ {
		next := math.Min(hi, out[k-1]+widest(out[k-1])) // a largest loss that has mass stays as it is
		if w.step > 0 {
			next = lo + float64(k)*w.step
		}
		out = append(out, math.Max(next, math.Nextafter(out[k-1], math.Inf(1))))
	}
	return append(out, math.Max(hi, math.Nextafter(out[len(out)-1], math.Inf(1))))
}

func gaussian(square float64) spectrum.Line {
	return spectrum.Line{Loss: loss.Gaussian(math.Sqrt(square)), Count: 1}
}

// release is one release as a list.
func (w *work) release(d loss.Distribution) (list, bool) {
	out := list{top: d.Top}
	out.mean, out.variance = d.Moments()
	for _, a := range d.Atoms {
		out.loss, out.p = append(out.loss, a.Loss), append(out.p, math.Exp(a.LogP))
		out.err = math.Max(out.err, unit*(4+math.Abs(a.LogP)+d.Rounded))
		out.moved = math.Max(out.moved, care*unit*math.Abs(a.Loss))
	}
	for i := range d.Densities {
		cells, below, above, ok := d.Densities[i].Cells(w.ctx, w.widest(out), w.spare/4, mostPoints)
		if !ok || len(cells) == 0 {
			return out, false
		}
		out.top += above
		if w.upper {
			out.loss, out.p = append(out.loss, cells[0].Lo), append(out.p, below)
		}
		for _, c := range cells {
			out.moved = math.Max(out.moved, 2*c.Moved)
			if w.upper {
				out.split(c.Lo, c.Hi, c.PHigh, c.RiseHigh)
			} else {
				out.merge(c.Lo, c.PLow, c.RiseLow)
			}
		}
		out.err = math.Max(out.err, 8*unit)
	}
	sort.Sort(byLoss(out))
	out.unite(out.moved / 4)
	out = w.trim(out, 1)
	return out, len(out.p) > 0
}

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
	if w.upper && hi > 0 {
		l.top += above * (1 + 1e-9)
		l.p[0] += below * (1 + 1e-9)
	}
	return l
}

// power composes copies of one release: by the binomial law if there are two losses and few
// sums of them, else by squaring.
func (w *work) power(l list, count float64) list {
	if len(l.p) == 2 && count < fewSums {
		return w.trim(binomial(l, count), count)
	}
	out, ok := none(), true
	for done, copies := 0.0, 1.0; ; copies *= 2 {
		if left := (count - done) / copies; math.Mod(left, 2) == 1 {
			done += copies
			if out, ok = w.times(out, l); !ok {
				return out
			}
			out = w.trim(out, done)
		}
		if done >= count {
			return out
		}
		if l, ok = w.times(l, l); !ok {
			return out
		}
		l = w.trim(l, 2*copies)
	}
}

// binomial lists the sums of n copies of two losses. Logarithms of factorials and of the
// masses are right to a few units of their last place.
func binomial(l list, n float64) list {
	factorial, _ := math.Lgamma(n + 1)
	low, high := math.Log(l.p[0]), math.Log(l.p[1])
	size := n * math.Max(math.Abs(l.loss[0]), math.Abs(l.loss[1]))
	out := list{
		top: -math.Expm1(n*math.Log1p(-l.top)) * (1 + 16*unit),
		err: n*l.err + unit*(16+8*factorial+8*n*math.Max(math.Abs(low), math.Abs(high))), moved: n*l.moved + 4*care*unit*size,
		mean: n * l.mean, variance: n * l.variance,
	}
	for i := 0.0; i <= n; i++ {
		log := special.LogChoose(n, i) + (n-i)*low + i*high
		out.loss, out.p = append(out.loss, (n-i)*l.loss[0]+i*l.loss[1]), append(out.p, math.Exp(log))
	}
	out.unite(4 * unit * size)
	return out
}

// fewSums is up to how many sums are listed each by itself.
var fewSums = 16384.0

// times composes two lists: every sum by itself if there are few, else in cells.
func (w *work) times(a, b list) (list, bool) {
	if len(a.p) > len(b.p) {
		a, b = b, a
	}
	products := float64(len(a.p)) * float64(len(b.p))
	if w.left -= products; w.left < 0 || len(a.p) == 0 || w.ctx.Err() != nil {
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
	out.moved += care * unit * size
	if products <= w.few {
		w.each(&out, a, b)
	} else {
		edges := w.edges(out, lo, hi)
		if len(edges) > mostPoints {
			w.left = -1
			return out, false
		}
		w.cells(&out, a, b, edges)
	}
	out.unite(4 * unit * size)
	return out, true
}

// each lists every sum.
func (w *work) each(out *list, a, b list) {
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
	if w.upper {
		third = 1.0 / 6
	}
	losses, masses := b.loss, b.p[:len(b.loss)]
	start := 0
	for i, x := range a.loss {
		if w.ctx.Err() != nil {
			w.left = -1
			return
		}
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
		if w.upper {
			out.split(edges[k], edges[k+1], m, rise[k]*(1+2*off))
		} else {
			out.merge(edges[k], m, rise[k]*(1-2*off))
		}
	}
}

// byLength orders lists by about how long they get.
func byLength(lists []list, lines []spectrum.Line) []int {
	order := make([]int, len(lists))
	for i := range order {
		order[i] = i
	}
	size := func(i int) float64 { return float64(len(lists[i].p)-1) * lines[i].Count }
	sort.SliceStable(order, func(i, j int) bool { return size(order[i]) < size(order[j]) })
	return order
}

type byLoss list

func (l byLoss) Len() int           { return len(l.p) }
func (l byLoss) Less(i, j int) bool { return l.loss[i] < l.loss[j] }
func (l byLoss) Swap(i, j int) {
	l.loss[i], l.loss[j] = l.loss[j], l.loss[i]
	l.p[i], l.p[j] = l.p[j], l.p[i]
}
