package bins

import (
	"math"

	"epsiloscope/accounting/numeral"
	"epsiloscope/accounting/special"
)

// The mesh of one X, and what lies in its cells.

// lowest is the G below which values are merged: Q-mass 8e-24.
const lowest = -10

// lognormal returns X on a mesh. The ends of a cell in G are a logarithm of those in X, right to a few
// hundred units of round-off. An error of G is 1/z times as large in X, and |G| times in its density.
func (w *work) lognormal(z, cut float64) *list {
	value := func(g float64) float64 { return math.Exp(g/z - 1/(2*z*z)) }
	var xs, widths []float64
	w.unit = math.Inf(1)
	for g := float64(lowest); g < cut; g += 0.02 {
		x := value(g)
		under, over := special.NormalCDF(g), special.NormalCDF(-g)
		put := x*under - special.NormalCDF(g-1/z)
		call := special.NormalCDF(1/z-g) - x*over
		width := w.width(x, 1, under, put, over, call)
		xs, widths = append(xs, x), append(widths, width)
		w.unit = math.Min(w.unit, width)
	}
	h := w.newHulls(0, 0, append(xs, value(cut)), append(widths, math.Inf(1)))
	l := &list{copies: 1, tiers: make([]tier, len(h.lo)), err: 8000 * ulp, off: 800 * ulp}
	for i := range l.tiers {
		spacing := w.spacing(i)
		first, last := int(math.Floor(h.lo[i]/spacing)), int(math.Ceil(h.hi[i]/spacing))
		if i == len(l.tiers)-1 {
			first = 0
		}
		if i > 0 { // around the finer tier
			first, last = min(first, l.tiers[i-1].first>>1), max(last, l.tiers[i-1].end()>>1)
		}
		l.tiers[i] = w.newTier(first, last-first+1)
	}
	w.fill(l, z)
	return l
}

// mesh lists the points of a list, from the least to the largest: those of a tier lie on either
// side of the finer tiers.
func (l *list) mesh() (tiers, indices []int) {
	add := func(i, from, to int) {
		r := l.tiers[i]
		for index := max(from, r.first); index < min(to, r.end()); index++ {
			tiers, indices = append(tiers, i), append(indices, index)
		}
	}
	for i := len(l.tiers) - 1; i > 0; i-- {
		add(i, l.tiers[i].first, (l.tiers[i-1].first+1)>>1)
	}
	add(0, l.tiers[0].first, l.tiers[0].end())
	for i, finer := range l.tiers[:len(l.tiers)-1] {
		add(i+1, (finer.end()+1)>>1, l.tiers[i+1].end())
	}
	return tiers, indices
}

// fill puts X on the points of an empty list. A cell of an upper estimate lies between two
// points and is spread onto them, keeping its mean. A cell of a lower one is what is nearest
// to a point.
func (w *work) fill(l *list, z float64) {
	tiers, indices := l.mesh()
	x := func(i int) float64 { return w.spacing(tiers[i]) * float64(indices[i]) }
	put := func(i int, mass, moment float64) {
		r := l.tiers[tiers[i]]
		r.mass[indices[i]-r.first] += math.Max(0, mass)
		if w.side == numeral.Down {
			r.moment[indices[i]-r.first] += moment
		}
	}
	last := len(tiers) - 1
	g := func(x float64) float64 { return z*math.Log(x) + 1/(2*z) }
	if w.side == numeral.Up {
		at := g(x(1)) // the cell next to 0 has a closed form, and 0 gets all of it besides
		put(0, special.NormalCDF(at), 0)
		put(1, special.NormalCDF(at-1/z)/x(1), 0)
		for i := 1; i < last; i++ {
			from, to := x(i), x(i+1)
			mass, rise := cell(g(from), g(to), z)
			right := rise * from / (to - from)
			put(i, mass-right, 0)
			put(i+1, right, 0)
		}
		end := g(x(last))
		l.beyond = Tails{Q: special.NormalCDF(-end), P: special.NormalCDF(1/z - end)}
		return
	}
	from := x(1) / 2
	put(0, special.NormalCDF(g(from)), special.NormalCDF(g(from)-1/z))
	for i := 1; i < last; i++ {
		to := (x(i) + x(i+1)) / 2
		mass, rise := cell(g(from), g(to), z)
		put(i, mass, from*(mass+rise))
		from = to
	}
	put(last, special.NormalCDF(-g(from)), special.NormalCDF(1/z-g(from)))
}

// cell returns the mass of G between a and b, and the mean there of exp((G−a)/z) − 1 times that mass.
// Both are sums of positive terms, by Gauss's rule of six points. The rule is off by at most
// w¹³·(6!)⁴/(13·(12!)³)·max|f⁗⁗⁗|, and the n-th derivative of e^{−(g−m)²/2} is at most
// (|g−m| + ‖N‖ₙ)ⁿ times it, ‖N‖₁₂ = 2.17 being a norm of a normal variable. On pieces so short
// that this, with m = 0 and m = 1/z, times their width is at most ½ the error is far below
// round-off. Beyond 39 deviations the density is 0 in float64, which [underflow] charges.
func cell(a, b, z float64) (mass, rise float64) {
	if a > 39 || b < -39 {
		return 0, 0
	}
	steep := math.Max(math.Abs(a), math.Abs(b)) + 1/z + 2.2
	n := math.Ceil((b - a) * steep / 0.5)
	half := (b - a) / n / 2
	for k := 0.0; k < n; k++ {
		for _, node := range gauss {
			for _, y := range [...]float64{-node.x, node.x} {
				off := half * (2*k + 1 + y)
				q := node.weight * half * special.NormalPDF(a+off)
				mass += q
				rise += q * math.Expm1(off/z)
			}
		}
	}
	return mass, rise
}

// gauss is the rule of six points on [−1, 1]: the roots of the sixth Legendre polynomial.
var gauss = [...]struct{ x, weight float64 }{
	{0.2386191860831969086305017, 0.4679139345726910473898703},
	{0.6612093864662645136613996, 0.3607615730481386075698335},
	{0.9324695142031520278123016, 0.1713244923791703450402961},
}
