package loss

import (
	"math"
	"slices"
)

// Patch is a part of a tilted law that is at least evenly spread: the mass of an even
// density over an interval of losses of the given width.
type Patch struct{ LogMass, Width float64 }

// Spread lists patches on disjoint intervals of losses, of the law tilted by θ but not
// normalised: LogMass is ln of the mass of P·e^{θL}.
//
// In a cell [u, v] of the coordinate the density of the loss is
// base·num^{1+θ}·den^{−θ}/L′. ln base and −θ·ln den are concave, ln num lies above its tangent
// at the middle: the sum of these is concave, so least at an end of the cell. And
// L′ = (ln num)′ − (ln den)′, both increasing, is at most that of num at v minus that of den
// at u.
func (d *Distribution) Spread(theta float64) []Patch {
	var out []Patch
	for i := range d.Densities {
		out = d.Densities[i].spread(theta, out)
	}
	return out
}

// cells is into how many parts a density is cut.
const cells = 96

func (d *Density) spread(theta float64, out []Patch) []Patch {
	lo, hi := d.Lo, d.Hi
	if d.Sigma > 0 {
		// The tilted law lies between the modes of its extreme terms.
		num, den := d.Num.extremes(), d.Den.extremes()
		square := d.Sigma * d.Sigma
		lo = math.Max(lo, (d.Slope+math.Min(0, (1+theta)*num.least-theta*den.most))*square-8*d.Sigma)
		hi = math.Min(hi, (d.Slope+math.Max(0, (1+theta)*num.most-theta*den.least))*square+8*d.Sigma)
	}
	n := cells
	if d.Sigma > 0 {
		n = int(math.Min(2048, math.Max(cells, math.Ceil((hi-lo)/(0.2*d.Sigma)))))
	}
	if !(hi > lo) {
		return out
	}
	out = slices.Grow(out, n)
	left := lo
	numL, denL := d.Num.at(left), d.Den.at(left)
	for i := 1; i <= n; i++ {
		right := lo + (hi-lo)*float64(i)/float64(n)
		numR, denR := d.Num.at(right), d.Den.at(right)
		mid := (left + right) / 2
		numM := d.Num.at(mid)
		end := func(x float64, den point) float64 {
			base, _ := d.base(x)
			return base + (1+theta)*(numM.log+numM.slope*(x-mid)) - theta*den.log
		}
		least := math.Min(end(left, denL), end(right, denR))
		width := (numR.log - denR.log) - (numL.log - denL.log)
		steep := numR.slope - denL.slope
		if width > 0 && steep > 0 {
			out = append(out, Patch{least + math.Log(width/steep) - 1e-6, width * (1 - 1e-6)})
		}
		left, numL, denL = right, numR, denR
	}
	return out
}

// Sinc bounds |sin u/u| for every u ≥ t: sin u/u itself falls to its first minimum's size
// 0.21724 well before t = 2.5, where it is 0.2394; beyond, 1/u bounds it.
func Sinc(t float64) float64 {
	switch {
	case t < 1e-3:
		return 1 - t*t/6.001
	case t < 2.5:
		return math.Max(0.2173, math.Sin(t)/t)
	}
	return math.Min(0.2394, 1/t)
}
