package bins

import "math"

// hulls are the intervals within which a tier, or a finer one, is needed: the larger the
// tier the larger the interval.
type hulls struct {
	low    int
	lo, hi []float64
}

// newHulls returns hulls for tiers from low to at least high, up to one that has no value
// between its first two points. Next to each value x, points may lie as far apart as its width
// says.
func (w *work) newHulls(low, high int, xs, widths []float64) hulls {
	most := 0.0
	for _, x := range xs {
		most = math.Max(most, x)
	}
	high = max(low, high, int(math.Ceil(math.Log2(most/w.unit))))
	h := hulls{low, make([]float64, high-low+1), make([]float64, high-low+1)}
	for i := range h.lo {
		h.lo[i], h.hi[i] = math.Inf(1), math.Inf(-1)
	}
	for i, x := range xs {
		at := high
		if level := math.Floor(math.Log2(widths[i] / w.unit)); level < float64(high) {
			at = max(low, int(level))
		}
		h.lo[at-low], h.hi[at-low] = math.Min(h.lo[at-low], x), math.Max(h.hi[at-low], x)
	}
	for i := range h.lo[1:] {
		h.lo[i+1], h.hi[i+1] = math.Min(h.lo[i], h.lo[i+1]), math.Max(h.hi[i], h.hi[i+1])
	}
	return h
}

// width returns how far apart points may lie next to x. Below x lies the mass under, and put =
// E(x−S)₊; above it the mass over, and call = E(S−x)₊. In units of x and of the mean, both are
// values of δ. Points lie closer if δ is large, because the errors of all copies add up there,
// and up to four times as far apart if it is small. Points below may lie twice as far apart,
// because the loss of the record being added is hardly ever the larger one. Below the last δ a
// list has too few points.
func (w *work) width(x, copies, under, put, over, call float64) float64 {
	const usual, last = 1e-6, 1e-32
	side := func(price, mass, unit float64) float64 {
		if !(price > last*unit) {
			return math.Inf(1)
		}
		return price / mass * math.Min(4, math.Pow(usual*unit/price, 0.2))
	}
	return w.eta * math.Min(2*side(put, under, x), side(call, over, copies))
}

// remesh puts a sum on a mesh: every point that lies outside the hull of its tier goes to the
// next one.
func (w *work) remesh(l *list) *list {
	w.settle(l)
	h := w.survey(l)
	out := &list{low: h.low, copies: l.copies, beyond: l.beyond, err: l.err, off: l.off}
	var rest tier
	for i := range h.lo {
		at, spacing := h.low+i, w.spacing(h.low+i)
		all := addTiers(l.tierAt(at), rest)
		if i == len(h.lo)-1 {
			out.tiers = append(out.tiers, w.trim(all, spacing, out))
			break
		}
		from, to := all.end(), all.end()
		if h.lo[i] <= h.hi[i] {
			from, to = int(math.Ceil(h.lo[i]/spacing)), int(math.Floor(h.hi[i]/spacing))+1
		}
		kept := addTiers(all.part(from, to), tier{})
		out.tiers = append(out.tiers, w.trim(kept, spacing, out))
		rest = w.coarser(addTiers(all.part(all.first, from), all.part(to, all.end())), at)
	}
	for len(out.tiers) > 1 && len(out.tiers[0].mass) == 0 {
		out.low, out.tiers = out.low+1, out.tiers[1:]
	}
	for n := len(out.tiers) - 1; n > 0 && len(out.tiers[n].mass) == 0; n-- {
		out.tiers = out.tiers[:n]
	}
	return out
}

// trim drops negligible masses from both ends of a tier and adds them to l.beyond. Large values
// have large moments, so almost nothing of them is dropped.
func (w *work) trim(r tier, spacing float64, l *list) tier {
	little := func(i int) bool {
		x, least := spacing*float64(r.first+i+1), 1e-45
		if x > l.copies {
			least = 1e-290
		}
		q := r.mass[i]
		if q >= least {
			return false
		}
		l.beyond.Q += q
		l.beyond.Little += q
		l.beyond.P += q * (1 + x/l.copies)
		return true
	}
	from, to := 0, len(r.mass)
	for ; from < to && little(from); from++ {
	}
	for ; from < to && little(to-1); to-- {
	}
	return r.part(r.first+from, r.first+to)
}

// settle moves the points of a tier that lie within a finer one there: they are points of it.
func (w *work) settle(l *list) {
	for i := len(l.tiers) - 1; i > 0; i-- {
		r, finer := l.tiers[i], l.tiers[i-1]
		if len(finer.mass) == 0 {
			continue
		}
		inside := r.part((finer.first+1)>>1, (finer.end()+1)>>1)
		for j, q := range inside.mass {
			if q == 0 {
				continue
			}
			finer.put(2*(inside.first+j), inside, j, 1)
			inside.mass[j] = 0
			if inside.moment != nil {
				inside.moment[j] = 0
			}
		}
	}
}

// survey reads from a list how fine a mesh it needs where.
func (w *work) survey(l *list) hulls {
	var xs, qs []float64
	tiers, indices := l.mesh()
	for k, i := range tiers {
		r := l.tiers[i]
		if q := r.mass[indices[k]-r.first]; q > 0 {
			xs, qs = append(xs, w.spacing(l.low+i)*float64(indices[k])), append(qs, q)
		}
	}
	under, put := make([]float64, len(xs)), make([]float64, len(xs))
	for i := 1; i < len(xs); i++ {
		under[i] = under[i-1] + qs[i-1]
		put[i] = put[i-1] + under[i]*(xs[i]-xs[i-1])
	}
	// One point in 200 is enough; what it needs holds as far as the next one.
	apart := len(xs)/200 + 1
	var where, widths []float64
	over, call := 0.0, 0.0
	for i := len(xs) - 1; i >= 0; i-- {
		if i < len(xs)-1 {
			call += over * (xs[i+1] - xs[i])
		}
		if i%apart == 0 {
			width := w.width(xs[i], l.copies, under[i], put[i], over, call)
			where = append(where, xs[min(len(xs)-1, i+apart)], xs[max(0, i-apart)])
			widths = append(widths, width, width)
		}
		over += qs[i]
	}
	return w.newHulls(l.low, l.low+len(l.tiers)-1, where, widths)
}
