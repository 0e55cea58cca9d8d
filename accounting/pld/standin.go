package pld

import "math"

// masses are P-masses at some points of a lattice: origin + index·step.
type masses struct {
	origin, step float64
	index        []int
	p            []float64
}

func (m masses) loss(i int) float64 { return m.origin + float64(m.index[i])*m.step }

// standIn is what replaces a law on a grid: masses whose curve lies above it
// everywhere, and masses whose curve lies below.
type standIn struct {
	up, low     masses
	top, bottom float64 // P-mass at +∞ for the upper and for the lower end
}

// ceilingGrid is the upper stand-in on the grid.
func ceilingGrid(l law, g grid) (m masses, top float64) {
	if own, ok := onLattice(l, g); ok {
		top, _ = l.ends()
		return own, top
	}
	mesh := make([]float64, len(g.cuts))
	for i, c := range g.cuts {
		mesh[i] = g.at(c)
	}
	p, top := ceilingOn(l, mesh)
	return masses{g.origin, g.step, g.cuts, p}, top
}

// onLattice is the law itself if its atoms are points of the grid.
func onLattice(l law, g grid) (masses, bool) {
	origin, step, ok := latticeOf(l)
	if !ok || origin != g.origin || step != g.step {
		return masses{}, false
	}
	m := masses{origin: origin, step: step}
	for i, a := range l.atoms() {
		if a.p > 0 {
			m.index = append(m.index, i)
			m.p = append(m.p, a.p)
		}
	}
	return m, true
}

// subCells is how finely the sweep cuts each cell.
const subCells = 4

// floorGrid is the lower stand-in on the grid: the better, at this tilt, of the two
// sweeps. Mass outside the grid is dropped.
func floorGrid(l law, g grid, theta float64) (m masses, top float64) {
	if t, _ := l.ends(); t > beyondFloat {
		top = t
	}
	if own, ok := onLattice(l, g); ok {
		return own, top
	}
	best := sweepBest(grainsOf(l, g), g, theta)
	best.align()
	return best, top
}

// sweepBest is the better, at this tilt, of the two sweeps. The last block of a sweep is
// rounded down. Where it is heavy, as with rare sampling, where most of the mass sits next
// to the smallest loss, that loses a part of a step per release; so the lattice is tried
// again shifted by just what was lost.
func sweepBest(grains []grain, g grid, theta float64) masses {
	var best masses
	most := math.Inf(-1)
	try := func(sweep func([]grain, float64, float64, sink) float64) {
		at, residue := g, 0.0
		for i := 0; i < 3; i++ {
			m, left := gather(grains, at, sweep)
			if w := m.weight(theta); w > most || best.index == nil {
				best, most = m, w
			}
			if residue = left; !(residue > 1e-6*g.step && residue < g.step) {
				break
			}
			at.origin += residue
		}
	}
	try(sweepUp)
	reverseGrains(grains)
	try(sweepDown)
	return best
}

// align moves stray masses down by one point where all but a trifle lies on every
// second point: the stray ones would keep the spectrum from fading at half the
// sampling frequency. The trifle is a small part of what the grid costs anyway.
func (m *masses) align() {
	var by [2]float64
	for i, j := range m.index {
		by[j&1] += m.p[i]
	}
	stray := 0
	if by[1] < by[0] {
		stray = 1
	}
	if by[stray] == 0 || by[stray] > math.Min(1e-3, m.step/40) {
		return
	}
	old := *m
	m.index, m.p = nil, nil
	for i, j := range old.index {
		if j&1 == stray {
			j--
		}
		if n := len(m.index); n > 0 && m.index[n-1] == j {
			m.p[n-1] += old.p[i]
			continue
		}
		m.index, m.p = append(m.index, j), append(m.p, old.p[i])
	}
}

// weight is Σ p·e^{θ(ℓ−origin)}, scaled to stay finite.
func (m masses) weight(theta float64) float64 {
	if len(m.index) == 0 {
		return math.Inf(-1)
	}
	terms := make([]float64, 0, len(m.p))
	top := math.Inf(-1)
	for i, p := range m.p {
		if p > 0 {
			t := math.Log(p) + theta*m.loss(i)
			terms = append(terms, t)
			top = math.Max(top, t)
		}
	}
	sum := 0.0
	for _, t := range terms {
		sum += math.Exp(t - top)
	}
	return top + math.Log(sum)
}

// grainsOf cuts a law along the grid, in increasing order of loss. P-masses are
// rounded down and Q-masses up, so that round-off can only lower the stand-in.
func grainsOf(l law, g grid) []grain {
	grains := make([]grain, 0, subCells*len(g.cuts)+8)
	atoms := l.atoms()
	// Far out the P-mass of a point may be next to nothing, and all the same outweigh
	// everything else once tilted: it is dropped here as it goes to +∞ above.
	edge := g.at(g.to) + gridTolerance*g.step
	place := func(until float64) {
		for len(atoms) > 0 && atoms[0].loss <= math.Min(until, edge) {
			grains = append(grains, grain{atoms[0].p, atoms[0].loss, atoms[0].loss})
			atoms = atoms[1:]
		}
	}
	if l.continuous() {
		at := g.at(g.cuts[0])
		before := l.tails(at)
		for c := 1; c < len(g.cuts); c++ {
			a, b := g.at(g.cuts[c-1]), g.at(g.cuts[c])
			for k := 1; k <= subCells; k++ {
				next := a + (b-a)*float64(k)/subCells
				after := l.tails(next)
				place(at)
				s := between(before, after)
				if p, q := s.p-s.errP, s.q+s.errQ; p > 0 {
					ratio := math.Inf(1)
					if q > 0 && at < 650 {
						ratio = math.Log(p/q) - 4*ulp
					}
					grains = append(grains, grain{p, ratio, at})
				}
				at, before = next, after
			}
		}
	}
	place(math.Inf(1))
	return grains
}

// gather runs a sweep and lists what it emits in increasing order.
func gather(grains []grain, g grid, sweep func([]grain, float64, float64, sink) float64) (m masses, residue float64) {
	m = masses{origin: g.origin, step: g.step}
	residue = sweep(grains, g.origin, g.step, func(index, p float64) {
		j := int(index)
		if n := len(m.index); n > 0 && m.index[n-1] == j {
			m.p[n-1] += p
			return
		}
		m.index, m.p = append(m.index, j), append(m.p, p)
	})
	if n := len(m.index); n > 1 && m.index[0] > m.index[n-1] {
		for i, j := 0, n-1; i < j; i, j = i+1, j-1 {
			m.index[i], m.index[j] = m.index[j], m.index[i]
			m.p[i], m.p[j] = m.p[j], m.p[i]
		}
	}
	return m, residue
}
