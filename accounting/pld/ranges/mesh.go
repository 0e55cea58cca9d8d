package ranges

import "math"

// mesh divides [0, ε], and all losses, into steps.
type mesh struct {
	epsilon float64
	arcs    int // steps from 0 to ε
	step    float64
}

func newMesh(epsilon float64, arcs int) mesh { return mesh{epsilon, arcs, epsilon / float64(arcs)} }

// length returns how many points the mesh of so many releases has; beyond the last of them W is taken for its value
// there. At the largest loss that is not 0, because it is read a little too far down, so there are two points more.
func (m mesh) length(releases int) int {
	return int(math.Ceil(end(m.epsilon, float64(releases))/m.step)) + 3
}

// corner is a corner of a polygon: the step there is the sum of four values of the mesh.
type corner struct {
	up, down int // whose first is so far from where the step is taken, and whose third
	c        [4]float64
}

// segment is the part of the arc between two points of the mesh, and the corner where their tangents cross.
type segment struct {
	corner
	first, next int
	halves      [2]*segment // nil if the points are neighbours
}

// arc is all of it, and its segments between neighbouring points.
type arc struct {
	whole    *segment
	smallest []*segment
}

func (m mesh) newArc() *arc {
	a := &arc{whole: m.newSegment(0, m.arcs)}
	a.collect(a.whole)
	return a
}

func (a *arc) collect(s *segment) {
	if s.halves[0] == nil {
		a.smallest = append(a.smallest, s)
		return
	}
	a.collect(s.halves[0])
	a.collect(s.halves[1])
}

// newSegment returns the segment between two points, divided down to neighbours. With a = e^{ε−t}
// at one of them and b at the next, P/Q at the corner is e^ε·(a+b−2)/(2ab−a−b), and
// (1−P)/(1−Q) = ((e^ε−a) + (e^ε−b))/(a(e^ε−b) + b(e^ε−a)).
func (m mesh) newSegment(first, next int) *segment {
	h, a, b := m.step, float64(first), float64(next)
	n := float64(m.arcs)
	ea, eb := math.Expm1((n-a)*h), math.Expm1((n-b)*h)
	toA, toB := (1+ea)*math.Expm1(a*h), (1+eb)*math.Expm1(b*h)
	p := (ea + eb) / (2 + ea + eb) / -math.Expm1(-m.epsilon)
	rest := (toA + toB) / (2 + ea + eb) / math.Expm1(m.epsilon)
	up := m.epsilon - math.Log1p(2*ea*eb/(ea+eb))
	down := -(n-b)*h - math.Log1p(toB/(toA+toB)*math.Expm1((b-a)*h))
	x, cx := m.place(up)
	y, cy := m.place(down)
	s := &segment{corner: corner{x, y, [4]float64{p * (1 - cx), p * cx, rest * (1 - cy), rest * cy}},
		first: first, next: next}
	if middle := (first + next) / 2; middle > first {
		s.halves = [2]*segment{m.newSegment(first, middle), m.newSegment(middle, next)}
	}
	return s
}

// points returns those of the arc itself: corners without a chord.
func (m mesh) points() (list []corner) {
	for t := range m.arcs + 1 {
		p := math.Expm1(-float64(m.arcs-t)*m.step) / math.Expm1(-m.epsilon)
		rest := math.Expm1(float64(t)*m.step) / math.Expm1(m.epsilon)
		list = append(list, corner{-t, m.arcs - t, [4]float64{p, 0, rest, 0}})
	}
	return list
}

// place returns the cell of the mesh in which −loss lies, and the weight of its upper end on the
// chord. It is moved down by more than rounding, to where W is larger.
func (m mesh) place(loss float64) (cell int, weight float64) {
	at := -loss/m.step - 1e-11
	low := math.Floor(at)
	return int(low), math.Expm1((at-low)*m.step) / math.Expm1(m.step)
}
