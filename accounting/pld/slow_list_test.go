package pld_test

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// list is a loss as a list of masses, in increasing order of loss. A list is made for
// one end: an upper one has a curve nowhere below the true one, a lower one nowhere
// above. Whatever is done to it keeps that, so the two ends enclose the truth however
// coarse they are; the tilt decides only where they are close.
type list struct {
	upper   bool
	x, p    []float64
	q       []float64 // p·e^{−(x−centre)}
	centre  float64
	endless float64 // mass at loss +∞
}

// spread turns outcomes into a list. A lower list sees each range as one outcome, as
// an attacker might: throwing outcomes together is post-processing. An upper list
// moves each range's masses to its two ends, keeping both probabilities: the curve is
// the chord, and curves are convex in e^ε.
func spread(all []outcome, upper bool) list {
	b := bins{upper: upper}
	for _, o := range all {
		switch {
		case o.with == 0:
		case math.IsInf(o.hi, 1):
			b.endless += o.with
		default:
			b.place(o.with, o.without, 0, o.lo, o.hi)
		}
	}
	return b.list()
}

// bins collects masses and makes a list of them.
type bins struct {
	upper   bool
	points  [][2]float64 // loss, mass
	endless float64
}

// place puts down the masses of a range: with, and without = Σ with·e^{centre−loss}.
func (b *bins) place(with, without, centre, lo, hi float64) {
	if !(with > 0) {
		return
	}
	known := without > 1e-290 && !math.IsInf(without, 1) // else it has left float64
	switch {
	case !b.upper && known:
		x := centre + math.Log(with/without)
		b.put(math.Max(lo, math.Min(hi, x)), with)
	case !b.upper:
		b.put(lo, with)
	case !known || !(hi > lo):
		b.put(hi, with)
	default:
		up := (with - without*math.Exp(lo-centre)) / -math.Expm1(lo-hi)
		up = math.Max(0, math.Min(with, up))
		b.put(lo, with-up)
		b.put(hi, up)
	}
}

// put adds one mass. One that is too small to matter at any δ is taken for infinite,
// or dropped, before its products leave float64.
func (b *bins) put(loss, mass float64) {
	switch {
	case mass > 1e-80:
		b.points = append(b.points, [2]float64{loss, mass})
	case b.upper:
		b.endless += mass
	}
}

func (b *bins) list() list {
	slices.SortFunc(b.points, func(a, b [2]float64) int { return cmp.Compare(a[0], b[0]) })
	l := list{upper: b.upper, endless: b.endless}
	for _, m := range b.points {
		switch last := len(l.x) - 1; {
		case m[1] == 0:
		case last >= 0 && l.x[last] == m[0]:
			l.p[last] += m[1]
		default:
			l.x, l.p = append(l.x, m[0]), append(l.p, m[1])
		}
	}
	return l.centred()
}

// centred fills in q, around the place where e^{−x/2}·p is largest: there neither p
// nor q leaves the numbers.
func (l list) centred() list {
	best := math.Inf(-1)
	for i, x := range l.x {
		if w := math.Log(l.p[i]) + x/2; w > best {
			best, l.centre = w, x
		}
	}
	l.q = make([]float64, len(l.x))
	for i, x := range l.x {
		l.q[i] = l.p[i] * math.Exp(l.centre-x)
	}
	return l
}

// mass returns the probability of all finite losses.
func (l list) mass() (sum float64) {
	for _, p := range l.p {
		sum += p
	}
	return sum
}

// both returns the mass at +∞ of two lists composed.
func both(a, b list) float64 {
	return a.endless*(b.mass()+b.endless) + a.mass()*b.endless
}

// compose adds two independent losses: every mass of one with every mass of the other.
// Where that makes too many, the sums are thrown into ranges as they come.
func compose(a, b list, by plan) list {
	if len(a.x) < len(b.x) {
		a, b = b, a
	}
	if len(a.x)*len(b.x) <= by.size {
		out := bins{upper: a.upper, endless: both(a, b)}
		for i, x := range a.x {
			for j, y := range b.x {
				out.put(x+y, a.p[i]*b.p[j])
			}
		}
		return out.list()
	}
	edges := by.edges(a, b)
	last := len(edges) - 1
	with, without := make([]float64, last+2), make([]float64, last+2)
	square := &a.x[0] == &b.x[0] // then (i, j) and (j, i) are one sum
	for i, x := range a.x {
		p, q, from := a.p[i], a.q[i], 0
		k := sort.SearchFloat64s(edges, x+b.x[0]) // edges[k−1] < x ≤ edges[k]
		if square {
			k = sort.SearchFloat64s(edges, x+x)
			with[k] += p * p
			without[k] += q * q
			p, q, from = 2*p, 2*q, i+1
		}
		for j := from; j < len(b.x); j++ {
			for s := x + b.x[j]; k <= last && s > edges[k]; {
				k++
			}
			with[k] += p * b.p[j]
			without[k] += q * b.q[j]
		}
	}
	out := bins{upper: a.upper, endless: both(a, b)}
	centre := a.centre + b.centre
	if a.upper {
		out.put(edges[0], with[0])
		out.endless += with[last+1]
	} else {
		// What lies below the lowest edge is dropped, what lies above the highest is one.
		out.place(with[last+1], without[last+1], centre, edges[last], math.Inf(1))
	}
	for k := 1; k <= last; k++ {
		out.place(with[k], without[k], centre, edges[k-1], edges[k])
	}
	return out.list()
}

// shorten throws the masses of one list into ranges.
func (l list) shorten(by plan) list {
	unit := list{upper: l.upper, x: []float64{0}, p: []float64{1}}.centred()
	return compose(l, unit, by)
}
