package pld

import "math"

// placed is a line on a lattice: the losses from lo to hi of one release.
type placed struct {
	line
	lattice
	lo, hi float64
}

// place puts the lines that are not listed on lattices of one step, at most h; ok is
// false if that is too fine.
func (p patience) place(h float64) (lines []placed, ok bool) {
	most, between := 0.0, 0.0
	for _, l := range p.rest.lines {
		if d := apart(l.upper); d > 0 && l.count > most {
			most, between = l.count, d
		}
	}
	if between > 0 {
		h = between / math.Ceil(between/h)
	}
	for i, l := range p.rest.lines {
		lo, hi := p.reach[i][0], p.reach[i][1]
		if !((hi-lo)/h < mostCells && h > 1e-12*(math.Abs(lo)+math.Abs(hi))) {
			return nil, false
		}
		lines = append(lines, placed{l, lattice{heaviest(l.upper, p.setting.theta, lo, hi), h}, lo, hi})
	}
	return lines, true
}

// apart is the distance of atoms that can lie on one lattice: of a law that has a lattice
// of its own, its step; else that of the atoms at either end of a density.
func apart(l law) float64 {
	atoms := l.atoms()
	if len(atoms) < 2 {
		return 0
	}
	if _, own, ok := latticeOf(l); ok {
		return own
	}
	if l.continuous() {
		return atoms[len(atoms)-1].loss - atoms[0].loss
	}
	return 0
}

// heaviest is the atom from lo to hi that weighs most in a tilted law, or lo.
func heaviest(l law, theta, lo, hi float64) float64 {
	at, most := lo, math.Inf(-1)
	for _, a := range l.atoms() {
		if w := math.Log(a.p) + theta*a.loss; a.loss >= lo && a.loss <= hi && w > most {
			at, most = a.loss, w
		}
	}
	return at
}

// ceiling is one release on the lattice from above.
func (l placed) ceiling() strip {
	first := l.cell(l.lo)
	mesh := []float64{l.at(first)}
	for k := first + 1; len(mesh) < 2 || mesh[len(mesh)-1] < l.hi; k++ {
		mesh = append(mesh, l.at(k))
	}
	out := strip{first: first, relative: 64 * ulp}
	out.p, out.lost = ceilingOn(l.upper, mesh)
	return out
}

// compose multiplies out all copies of all lines, one release of a line being what of
// says, and tells on which lattice the result lies.
func (w *labour) compose(lines []placed, to fate, of func(placed) strip) (lattice, strip) {
	out, g, copies := unit(), lattice{step: lines[0].step}, 0.0
	for _, l := range lines {
		g.origin += l.count * l.origin
		copies += l.count
		out = w.times(out, w.power(of(l), l.count, to)).trim(w.spare*copies/8, to)
	}
	return g, out
}

// local is a composition from below; ok is false if that is too much work.
func (w *labour) local(lines []placed, theta float64) (composition, bool) {
	pieces := make(map[string][]piece, len(lines))
	variance := 0.0
	for _, l := range lines {
		cut := l.pieces(l.lower, l.lo, l.hi)
		if len(cut) == 0 {
			return vacuum{}, true
		}
		pieces[l.key] = cut
		variance += l.count * l.variance(cut, theta)
	}
	lambda := math.Min(math.Sqrt(2/variance), 2/lines[0].step)
	g, raised := w.compose(lines, dropped, func(l placed) strip { return raisedFrom(pieces[l.key]) })
	_, past := w.compose(lines, charged, func(l placed) strip { return l.weighed(pieces[l.key], lambda) })
	_, short := w.compose(lines, charged, func(l placed) strip { return l.weighed(pieces[l.key], -lambda-1) })
	return newLocal(raised, past, short, g, lambda), w.left >= 0
}
