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

// rough is the share of the tilted mass that a grid has to smear.
func (o outline) rough(theta float64, c cumulants) float64 {
	sum := 0.0
	for i := 0; i < o.atoms; i++ {
		sum += o.mass[i] * math.Exp(theta*o.loss[i]-c.log)
	}
	return o.bend * math.Min(1, math.Max(0, 1-sum))
}

// loneliness is how much of a step a release loses from below, on average, if its
// isolated losses lie off the grid. Rounded down, a loss is off by up to a step; but the
// sweep joins it with its neighbour, a distance d away, and then what is lost is
// variance: d times that, (1+θ)/2 of which counts in ε.
func (o outline) loneliness(theta float64, c cumulants) float64 {
	sum := 0.0
	for i, x := range o.loss {
		d := math.Inf(1)
		if i > 0 {
			d = x - o.loss[i-1]
		}
		if i+1 < len(o.loss) {
			d = math.Min(d, o.loss[i+1]-x)
		}
		sum += o.mass[i] * math.Exp(theta*x-c.log) * math.Min(1, (1+theta)*d/2)
	}
	return math.Max(1e-6, math.Min(1, sum))
}

// heaviest is the largest tilted mass of a single loss.
func (o outline) heaviest(theta float64, c cumulants, l law) float64 {
	largest := 0.0
	for i, x := range o.loss {
		if i < o.atoms || !l.continuous() {
			largest = math.Max(largest, o.mass[i]*math.Exp(theta*x-c.log))
		}
	}
	return largest
}

// beyond lists the tilted mass above (sign 1) or below (−1) each loss, as a function.
func (o outline) beyond(theta float64, c cumulants, sign float64) func(x float64) float64 {
	return func(x float64) float64 {
		sum := 0.0
		for i, y := range o.loss {
			if sign*(y-x) > 0 {
				sum += o.mass[i] * math.Exp(theta*y-c.log)
			}
		}
		return sum
	}
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
