package bins

import "epsiloscope/accounting/numeral"

// tier holds masses at consecutive multiples of one spacing, from an index on. In a lower estimate moment is the
// mass times the mean of what was merged.
type tier struct {
	first        int
	mass, moment []float64
}

func (w *work) newTier(first, n int) tier {
	if w.side == numeral.Up {
		return tier{first: first, mass: make([]float64, n)}
	}
	both := make([]float64, 2*n)
	return tier{first, both[:n:n], both[n:]}
}

func (r tier) end() int { return r.first + len(r.mass) }

// part returns the tier from one index to before another.
func (r tier) part(from, to int) tier {
	from, to = max(from, r.first), min(to, r.end())
	if from >= to {
		return tier{}
	}
	out := tier{first: from, mass: r.mass[from-r.first : to-r.first]}
	if r.moment != nil {
		out.moment = r.moment[from-r.first : to-r.first]
	}
	return out
}

// put adds to a point what another has.
func (r tier) put(index int, of tier, at int, share float64) {
	r.mass[index-r.first] += share * of.mass[at]
	if r.moment != nil {
		r.moment[index-r.first] += share * of.moment[at]
	}
}

// addTiers returns a tier with the masses of both; the result may share memory with either.
func addTiers(a, b tier) tier {
	if len(a.mass) == 0 {
		return b
	}
	if len(b.mass) == 0 {
		return a
	}
	w := work{side: numeral.Down}
	if a.moment == nil {
		w.side = numeral.Up
	}
	out := w.newTier(min(a.first, b.first), max(a.end(), b.end())-min(a.first, b.first))
	copy(out.mass[a.first-out.first:], a.mass)
	copy(out.moment[min(len(out.moment), a.first-out.first):], a.moment)
	plus(out.mass[b.first-out.first:], b.mass)
	if b.moment != nil {
		plus(out.moment[b.first-out.first:], b.moment)
	}
	return out
}

func plus(to, from []float64) {
	to = to[:len(from)]
	for i, x := range from {
		to[i] += x
	}
}

// coarser returns tier i with every other point left out. In an upper estimate a point is spread
// evenly onto its two neighbours. In a lower one it is united with one of them, the one on the
// side to which the means lie.
func (w *work) coarser(r tier, i int) tier {
	if len(r.mass) == 0 {
		return tier{}
	}
	first := r.first >> 1
	out := w.newTier(first, r.end()>>1-first+1)
	left, right := 0.5, 0.5
	if w.side == numeral.Down {
		spacing, lean := w.spacing(i), 0.0
		for j, q := range r.mass {
			lean += r.moment[j] - q*spacing*float64(r.first+j)
		}
		if left, right = 1, 0; lean > 0 {
			left, right = 0, 1
		}
	}
	for j, q := range r.mass {
		index := r.first + j
		switch {
		case q == 0:
		case index&1 == 0:
			out.put(index>>1, r, j, 1)
		default:
			if left > 0 {
				out.put(index>>1, r, j, left)
			}
			if right > 0 {
				out.put(index>>1+1, r, j, right)
			}
		}
	}
	return out
}

// addProduct adds the sums of a value of a and one of b, with their masses times a factor; ok is false if the
// context ended before.
func (w *work) addProduct(r, a, b tier, factor float64) (ok bool) {
	for i := range a.mass {
		if w.ctx.Err() != nil {
			return false
		}
		r.addRow(a, i, b, factor)
	}
	return true
}

// addSquare adds the sums of two values of a. That of a value and a later one occurs twice.
func (w *work) addSquare(r, a tier) (ok bool) {
	for i := range a.mass {
		if w.ctx.Err() != nil {
			return false
		}
		at := a.first + i
		r.addRow(a, i, a.part(at, at+1), 1)
		r.addRow(a, i, a.part(at+1, a.end()), 2)
	}
	return true
}

// addRow adds the sums of value i of a and every value of b, with their masses times a factor.
func (r tier) addRow(a tier, i int, b tier, factor float64) {
	p := factor * a.mass[i]
	if p == 0 || len(b.mass) == 0 {
		return
	}
	from := a.first + i + b.first - r.first
	to := r.mass[from:][:len(b.mass)]
	for j, q := range b.mass {
		to[j] += p * q
	}
	if r.moment == nil {
		return
	}
	own, moment, moments := factor*a.moment[i], b.moment[:len(b.mass)], r.moment[from:][:len(b.mass)]
	for j, q := range b.mass {
		moments[j] += own*q + p*moment[j]
	}
}
