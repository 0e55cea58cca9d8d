package loss

import (
	"cmp"
	"math"
	"slices"
)

// Far ends of a distribution moved to +∞, and rough pictures of it that steer.

// Reach is the x at which the loss of a density reaches a level: the loss is at most the
// level below it, to the resolution of float64; Hi if it never does.
func (d *Density) Reach(level float64) float64 {
	lo, hi := math.Max(d.Lo, -1e6*(1+d.Sigma)), math.Min(d.Hi, 1e6*(1+d.Sigma))
	if d.at(lo) >= level {
		return d.snap(lo)
	}
	if d.at(hi) <= level {
		return d.Hi
	}
	for range 80 {
		mid := lo + (hi-lo)/2
		if mid <= lo || mid >= hi {
			break
		}
		if d.at(mid) < level {
			lo = mid
		} else {
			hi = mid
		}
	}
	return d.snap(hi)
}

// MassAbove is the P- and the Q-mass of the finite losses above a level.
func (d *Distribution) MassAbove(level float64) (p, q float64) {
	for _, a := range d.Atoms {
		if a.Loss > level {
			p += math.Exp(a.LogP)
			q += math.Exp(a.LogP - a.Loss)
		}
	}
	for i := range d.Densities {
		e := &d.Densities[i]
		ep, eq := e.mass(e.Reach(level), e.Hi)
		p, q = p+ep, q+eq
	}
	return p, q
}

// Truncate moves the largest losses, of P-mass at most tail, to +∞. That never lowers the
// curve, and where the P-mass moved is taken off again it never raises it. Without it the
// tilted law of a rarely sampled release has a second mode far out, which decides nothing
// and which a tilt falls into.
func (d Distribution) Truncate(tail float64) Distribution {
	kept, _ := d.Cut(tail)
	return kept
}

// Cut is Truncate, and what it moved.
func (d Distribution) Cut(tail float64) (kept Distribution, rare Part) {
	most := d.Largest()
	for _, a := range d.Atoms {
		if a.Loss == most && math.Exp(a.LogP) > tail { // the largest loss itself is not rare
			return d, rare
		}
	}
	if p, _ := d.MassAbove(0); p <= tail || most <= 0 {
		return d, rare
	}
	if len(d.Atoms) == 0 && len(d.Densities) == 1 {
		return d.cutAt(d.Densities[0].quantile(tail))
	}
	lo, hi := 0.0, most // MassAbove(hi) ≤ tail < MassAbove(lo)
	if math.IsInf(hi, 1) {
		for hi = 1; ; hi *= 2 {
			if p, _ := d.MassAbove(hi); p <= tail || hi > 1e12 {
				break
			}
			lo = hi
		}
	}
	for range 60 {
		mid := lo + (hi-lo)/2
		if hi-lo < 1e-3*hi || mid <= lo || mid >= hi {
			break
		}
		if p, _ := d.MassAbove(mid); p <= tail {
			hi = mid
		} else {
			lo = mid
		}
	}
	if hi >= most {
		return d, rare
	}
	kept = d
	kept.Atoms, kept.Densities = nil, nil
	for _, a := range d.Atoms {
		if a.Loss <= hi {
			kept.Atoms = append(kept.Atoms, a)
			continue
		}
		rare.Of.Atoms = append(rare.Of.Atoms, a)
		rare.add(math.Exp(a.LogP), math.Exp(a.LogP-a.Loss))
	}
	for _, e := range d.Densities {
		rare.cut(&kept, e, e.Reach(hi))
	}
	kept.Top, kept.Bottom = d.Top+rare.P, d.Bottom+rare.Q
	rare.Of.Rounded = d.Rounded
	return kept, rare
}

// Part is some of the losses of a distribution, with their P- and Q-mass.
type Part struct {
	Of   Distribution
	P, Q float64
}

func (r *Part) add(p, q float64) { r.P, r.Q = r.P+p, r.Q+q }

// cut puts a density below x into kept, and above it into the part.
func (r *Part) cut(kept *Distribution, e Density, x float64) {
	r.add(e.mass(x, e.Hi))
	below, above := e, e
	below.Hi, above.Lo = math.Min(e.Hi, x), math.Max(e.Lo, x)
	if below.Lo < below.Hi {
		kept.Densities = append(kept.Densities, below)
	}
	if above.Lo < above.Hi {
		r.Of.Densities = append(r.Of.Densities, above)
	}
}

// quantile is an x above which a density has a P-mass of at most tail.
func (d *Density) quantile(tail float64) float64 {
	lo, hi := math.Max(d.Lo, -1e3*d.Sigma), d.Hi
	if math.IsInf(hi, 1) {
		for hi = math.Max(lo, 0) + d.Sigma; ; hi += hi - lo {
			if p, _ := d.mass(hi, d.Hi); p <= tail || hi > 1e9*(1+d.Sigma) {
				break
			}
		}
	}
	for range 40 {
		mid := lo + (hi-lo)/2
		if p, _ := d.mass(mid, d.Hi); p <= tail {
			hi = mid
		} else {
			lo = mid
		}
	}
	return d.snap(hi)
}

// cutAt moves what lies above x to +∞, of a distribution that is one density.
func (d Distribution) cutAt(x float64) (kept Distribution, rare Part) {
	kept = d
	kept.Densities = nil
	rare.cut(&kept, d.Densities[0], x)
	kept.Top, kept.Bottom = d.Top+rare.P, d.Bottom+rare.Q
	return kept, rare
}

// Coarse is a rule of a few hundred nodes that steers and proves nothing.
func (d *Distribution) Coarse() Rule {
	out := Rule{Top: d.Top, Bottom: d.Bottom, Nodes: make([]Node, 0, len(d.Atoms)+128*len(d.Densities))}
	atoms := d.Atoms
	if len(atoms) > 1024 {
		atoms = thinned(atoms)
	}
	for _, a := range atoms {
		out.Nodes = append(out.Nodes, Node{Loss: a.Loss, LogW: a.LogP})
	}
	for i := range d.Densities {
		e := d.Densities[i]
		e.Lattice = false // a steering rule may look between the points
		lo, hi := e.Lo, e.Hi
		widest := math.Min(hi-lo, e.natural())
		if e.Sigma > 0 {
			num := e.Num.extremes()
			lo = math.Max(lo, -9*e.Sigma+math.Min(0, num.least)*e.Sigma*e.Sigma)
			if math.IsInf(hi, 1) {
				hi = 9*e.Sigma + math.Max(0, num.most)*e.Sigma*e.Sigma
			}
			widest = math.Min(1.5*e.Sigma, 4*e.natural())
		} else {
			widest = math.Min(hi-lo, 4*widest)
		}
		widest = math.Max(widest, (hi-lo)/64)
		width := math.Ldexp(widest, -30) // a large tilt looks at the very end
		for x := hi; x > lo; {
			width = math.Min(width, x-lo)
			e.panel(&out, x-width/2, width/2)
			if x-width == x {
				break
			}
			x -= width
			if width *= 8; e.Sigma == 0 {
				width *= 8
			}
			width = math.Min(widest, width)
		}
	}
	return out
}

// Moments are about the mean and the variance of the finite losses under P; they steer.
func (d *Distribution) Moments() (mean, variance float64) {
	var m0, m1, m2 float64
	for _, n := range d.Coarse().Nodes {
		w := math.Exp(n.LogW)
		m0, m1, m2 = m0+w, m1+w*n.Loss, m2+w*n.Loss*n.Loss
	}
	mean = m1 / m0
	variance = m2/m0 - mean*mean
	if lo, hi := d.Span(1e-9); !(variance > 0) || math.IsInf(variance, 1) || !(mean >= lo && mean <= hi) {
		// float64 lost them: almost all mass is on one loss, or the losses are huge
		mean, variance = lo+(hi-lo)/2, (hi-lo)*(hi-lo)/64
	}
	return mean, variance
}

// thinned joins neighbours of a long list.
func thinned(atoms []Atom) []Atom {
	sorted := slices.SortedFunc(slices.Values(atoms), func(a, b Atom) int { return cmp.Compare(a.Loss, b.Loss) })
	n := (len(sorted) + 511) / 512
	far := max(0, len(sorted)-n) // the far end as it is
	var out []Atom
	for group := range slices.Chunk(sorted[:far], n) {
		big := slices.MaxFunc(group, func(a, b Atom) int { return cmp.Compare(a.LogP, b.LogP) }).LogP
		var mass, mean float64
		for _, a := range group {
			w := math.Exp(a.LogP - big)
			mass += w
			mean += w * a.Loss
		}
		if mass > 0 {
			out = append(out, Atom{mean / mass, big + math.Log(mass)})
		}
	}
	return append(out, sorted[far:]...)
}

// Peak is about ln of the largest of what a tilt makes of the atoms, and of the densities at
// the modes of their extreme terms or at their ends. It steers and proves nothing.
func (d *Distribution) Peak(theta float64) float64 {
	most := math.Inf(-1)
	for _, a := range d.Atoms {
		most = math.Max(most, a.LogP+theta*a.Loss)
	}
	for i := range d.Densities {
		e := &d.Densities[i]
		places, width := []float64{e.Lo, e.Hi}, e.Hi-e.Lo
		if e.Sigma > 0 {
			places, width = places[:0], e.Sigma*math.Sqrt(2*math.Pi)
			num, den := e.Num.extremes(), e.Den.extremes()
			for _, a := range []float64{num.least, num.most} {
				for _, b := range []float64{den.least, den.most} {
					x := (e.Slope + (1+theta)*a - theta*b) * e.Sigma * e.Sigma
					places = append(places, math.Max(e.Lo, math.Min(e.Hi, x)))
				}
			}
		}
		for _, x := range places {
			base, _ := e.base(x)
			most = math.Max(most, base+(1+theta)*e.Num.at(x).log-theta*e.Den.at(x).log+math.Log(width))
		}
	}
	return most
}
