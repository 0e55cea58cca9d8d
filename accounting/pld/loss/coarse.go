package loss

// Rough pictures of a distribution. They steer and prove nothing.

import "math"

// Coarse returns a rule of a few hundred nodes for densities, and one for every atom.
func (d *Distribution) Coarse() Rule {
	out := Rule{Top: d.Top, Bottom: d.Bottom, Nodes: make([]Node, 0, len(d.Atoms)+128*len(d.Densities))}
	for _, a := range d.Atoms {
		out.Nodes = append(out.Nodes, Node{Loss: a.Loss, LogW: a.LogP})
	}
	for i := range d.Densities {
		e := d.Densities[i]
		e.Lattice = false // a coarse rule may have nodes between the points
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

// Moments returns approximately the mean and the variance of the finite losses under P.
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

// Peak returns approximately ln of the largest tilted mass: of the atoms, and of the densities at the modes of
// their extreme terms or at their ends.
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
			most = math.Max(most, base+(1+theta)*e.Num.logAt(x)-theta*e.Den.logAt(x)+math.Log(width))
		}
	}
	return most
}
