package loss

import "math"

// Patch is a part of a tilted distribution with an even density: its mass, and the width of the interval
// of losses over which it is spread.
type Patch struct{ LogMass, Width float64 }

// Spread lists patches of the distribution tilted by θ but not normalised, whose densities add up to
// no more than its own: LogMass is ln of the mass of P·e^{θL}.
//
// In a cell [u, v] of the coordinate the density of the loss is
// base·num^{1+θ}·den^{−θ}/L′. ln base and −θ·ln den are concave, ln num lies above its tangent
// at the middle: the sum of these is concave, so least at an end of the cell. And
// L′ = (ln num)′ − (ln den)′, both increasing, is at most that of num at v minus that of den
// at u. What lies below that staircase is cut into layers as wide as they can be: the wider a
// patch, the sooner its frequencies fade.
func (d *Distribution) Spread(theta float64) []Patch {
	var out []Patch
	for i := range d.Densities {
		if e := &d.Densities[i]; !e.Lattice {
			out = append(out, layers(e.staircase(theta))...)
		}
	}
	return out
}

// cells is the largest number of cells of an exponential density; over each it grows by no more
// than a quarter of an e-fold. A cell of a normal density is a fifth of a deviation.
const cells = 96

// stair is an interval of losses, and ln of a lower bound of the density on it.
type stair struct{ width, logHeight float64 }

func (d *Density) staircase(theta float64) []stair {
	lo, hi := d.Lo, d.Hi
	num, den := d.Num.extremes(), d.Den.extremes()
	if d.Sigma > 0 {
		// The tilted distribution lies between the modes of its extreme terms.
		square := d.Sigma * d.Sigma
		lo = math.Max(lo, (d.Slope+math.Min(0, (1+theta)*num.least-theta*den.most))*square-8*d.Sigma)
		hi = math.Min(hi, (d.Slope+math.Max(0, (1+theta)*num.most-theta*den.least))*square+8*d.Sigma)
	}
	if !(hi > lo) {
		return nil
	}
	steep := math.Abs(d.Slope) + (1+theta)*math.Max(math.Abs(num.least), math.Abs(num.most))
	steep += theta * math.Max(math.Abs(den.least), math.Abs(den.most))
	n := int(math.Min(cells, math.Ceil(4*steep*(hi-lo))))
	if d.Sigma > 0 {
		n = int(math.Min(2048, math.Max(cells, math.Ceil((hi-lo)/(0.2*d.Sigma)))))
	}
	out := make([]stair, 0, n)
	left := lo
	numL, denL := d.Num.pointAt(left), d.Den.pointAt(left)
	for i := 1; i <= n; i++ {
		right := lo + (hi-lo)*float64(i)/float64(n)
		numR, denR := d.Num.pointAt(right), d.Den.pointAt(right)
		mid := (left + right) / 2
		numM := d.Num.pointAt(mid)
		end := func(x float64, den point) float64 {
			base, _ := d.base(x)
			return base + (1+theta)*(numM.log+numM.slope*(x-mid)) - theta*den.log
		}
		least := math.Min(end(left, denL), end(right, denR))
		width := (numR.log - denR.log) - (numL.log - denL.log)
		rise := numR.slope - denL.slope
		if !(width > 0 && rise > 0 && least > math.Inf(-1)) {
			width, least, rise = math.Max(0, width), math.Inf(-1), 1
		}
		out = append(out, stair{width, least - math.Log(rise) - 1e-6})
		left, numL, denL = right, numR, denR
	}
	return out
}

// layers cuts what lies below a staircase into rectangles. Each is as wide as the run of stairs
// that reach its top.
func layers(stairs []stair) []Patch {
	top := math.Inf(-1)
	for _, s := range stairs {
		top = math.Max(top, s.logHeight)
	}
	if math.IsInf(top, -1) {
		return nil
	}
	type step struct{ from, height float64 }
	out := make([]Patch, 0, len(stairs))
	under := make([]step, 0, 32) // rising
	at := 0.0
	for i := range len(stairs) + 1 {
		next := step{from: at}
		if i < len(stairs) {
			next.height = math.Exp(stairs[i].logHeight - top)
		}
		for n := len(under); n > 0 && under[n-1].height > next.height; n-- {
			done, below := under[n-1], next.height
			if n > 1 {
				below = math.Max(below, under[n-2].height)
			}
			width := (at - done.from) * (1 - 1e-6)
			if mass := (done.height - below) * width; mass > 0 {
				out = append(out, Patch{top + math.Log(mass), width})
			}
			next.from, under = done.from, under[:n-1]
		}
		if n := len(under); next.height > 0 && (n == 0 || under[n-1].height < next.height) {
			under = append(under, next)
		}
		if i < len(stairs) {
			at += stairs[i].width
		}
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
