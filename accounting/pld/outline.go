package pld

import (
	"math"
	"sort"
)

// outline is a coarse picture of a law: a few dozen losses and their P-masses. It
// steers (tilt, window, step) and certifies nothing.
type outline struct {
	loss, mass []float64
	atoms      int     // how many of the first entries are atoms
	bend       float64 // 0 for a lattice, which needs no grid; else 1
	scattered  bool    // a few losses on no lattice: off the grid each is rounded down
}

// outlineFineness is the number of mesh points per standard deviation.
const outlineFineness = 6

func outlineOf(l law) outline {
	var o outline
	_, _, lattice := latticeOf(l)
	if !lattice {
		o.bend = 1
	}
	atoms := l.atoms()
	if !l.continuous() && len(atoms) <= 256 {
		for _, a := range atoms {
			o.loss, o.mass = append(o.loss, a.loss), append(o.mass, a.p)
		}
		if lattice {
			o.atoms = len(atoms)
		}
		o.scattered = !lattice
		return o
	}
	if l.continuous() {
		for _, a := range atoms {
			o.loss, o.mass = append(o.loss, a.loss), append(o.mass, a.p)
		}
		o.atoms = len(atoms)
		l = smooth{l}
	}
	mesh := crowded(l, stretched(l, outlineFineness))
	masses, _ := ceilingOn(l, mesh)
	for j, p := range masses {
		if p > 0 {
			o.loss, o.mass = append(o.loss, mesh[j]), append(o.mass, p)
		}
	}
	return o
}

// crowded refines the last cell of a mesh towards the largest loss of a law: where a
// density ends there, a small δ lies in the last hair's breadth.
func crowded(l law, mesh []float64) []float64 {
	last := len(mesh) - 1
	top := mesh[last]
	if _, hi := l.span(); !l.continuous() || math.IsInf(hi, 1) || last < 1 {
		return mesh
	}
	out := append([]float64(nil), mesh[:last]...)
	for w := (top - mesh[last-1]) / 2; w > 1e-9*(top-mesh[0]); w /= 2 {
		out = append(out, top-w)
	}
	return append(out, top)
}

// smooth is a law without its atoms.
type smooth struct{ law }

func (s smooth) atoms() []atom { return nil }

// cumulants are ln M(θ) and the mean and variance of the loss tilted by e^{θL}.
type cumulants struct{ log, mean, variance float64 }

func (o outline) at(theta float64) cumulants {
	top := math.Inf(-1)
	for i, x := range o.loss {
		if o.mass[i] > 0 {
			top = math.Max(top, theta*x)
		}
	}
	var m0, m1, m2 float64
	for i, x := range o.loss {
		w := o.mass[i] * math.Exp(theta*x-top)
		m0 += w
		m1 += w * x
		m2 += w * x * x
	}
	mean := m1 / m0
	return cumulants{top + math.Log(m0), mean, math.Max(0, m2/m0-mean*mean)}
}

// latticeOf finds origin and step if the losses of a law lie on one lattice.
func latticeOf(l law) (origin, step float64, ok bool) {
	if l.continuous() {
		return 0, 0, false
	}
	atoms := l.atoms()
	switch len(atoms) {
	case 0:
		return 0, 1, true
	case 1:
		return atoms[0].loss, 1, true
	}
	origin = atoms[0].loss
	last := atoms[len(atoms)-1].loss
	step = (last - origin) / float64(len(atoms)-1)
	for i, a := range atoms {
		if math.Abs(a.loss-(origin+float64(i)*step)) > 1e-12*step {
			return 0, 0, false
		}
	}
	return origin, step, true
}

// below is the outline without the losses above which lies P-mass e^{logTail} at most.
func (o outline) below(logTail float64) outline {
	if logTail == 0 {
		return o
	}
	most := math.Exp(logTail)
	order := make([]int, len(o.loss))
	for i := range order {
		order[i] = i
	}
	sort.Slice(order, func(a, b int) bool { return o.loss[order[a]] > o.loss[order[b]] })
	sum, limit := 0.0, math.Inf(1)
	for _, i := range order {
		if sum += o.mass[i]; sum > most {
			limit = o.loss[i]
			break
		}
	}
	out := o
	out.loss, out.mass = nil, nil
	for i, x := range o.loss {
		if x <= limit {
			out.loss, out.mass = append(out.loss, x), append(out.mass, o.mass[i])
		} else if i < o.atoms {
			out.atoms--
		}
	}
	return out
}
