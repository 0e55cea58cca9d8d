package loss

import (
	"math"
	"sync/atomic"
)

// Densities on a lattice: masses at the integers of the coordinate. A discrete Gaussian of
// σ = 10⁴ has a million losses; a panel of its integers is summed with 16 nodes all the same.

// DiscreteGaussian returns integer noise of mass ∝ e^{−x²/2σ²}, σ ≥ 2, moved by a whole number
// against itself. By Poisson's sum the masses before norming add up to
// σ√2π(1 + 2e^{−2π²σ²} + …), which is σ√2π to all digits of float64.
func DiscreteGaussian(sigma, shift float64) Distribution {
	return Distribution{Densities: []Density{{
		LogScale: -math.Log(sigma) - 0.5*math.Log(2*math.Pi), Sigma: sigma, Lattice: true,
		Lo: math.Inf(-1), Hi: math.Inf(1),
		Num: Sum{{1, shift / sigma / sigma, -shift / sigma * (shift / sigma) / 2}}, Den: one,
	}}}
}

// maxDirectPoints is the longest panel of a lattice that is summed point by point.
const maxDirectPoints = 64

// snap returns the place halfway between the last integer up to x and the next; x itself where there
// is no lattice. All ends of cells, panels and parts are such places.
func (d *Density) snap(x float64) float64 {
	if !d.Lattice {
		return x
	}
	return math.Floor(x) + 0.5
}

// visitNodes calls do with the nodes and weights of the panel [c−r, c+r].
func (d *Density) visitNodes(c, r float64, do func(x, weight float64)) {
	rule := d.ruleOf(r)
	if rule == nil {
		for x := c - r + 0.5; x < c+r; x++ {
			do(x, 1)
		}
		return
	}
	for i, g := range rule.nodes {
		do(c+r*g, rule.weights[i]*r)
	}
}

// ruleOf returns the rule of a panel of half-width r; nil for a short one of a lattice, of which every point is a node
// of weight 1.
func (d *Density) ruleOf(r float64) *gaussRule {
	switch {
	case !d.Lattice:
		return legendre
	case 2*r <= maxDirectPoints:
		return nil
	}
	return evenly(2 * r)
}

// evenly returns the Gauss rule of n masses. Most panels of a lattice are as long as others, so the last
// rules are kept.
func evenly(n float64) *gaussRule {
	slot := &lastRules[int(n)%len(lastRules)]
	rule := slot.Load()
	if rule == nil || rule.masses != n {
		rule = gauss(n)
		slot.Store(rule)
	}
	return rule
}

var lastRules [64]atomic.Pointer[gaussRule]

// panels calls do with panels of a quarter of σ that cover (a, b].
func (d *Density) panels(a, b float64, do func(c, r float64)) {
	width := math.Max(1, math.Floor(d.Sigma/4))
	for x := a; x < b; x += width {
		r := math.Min(width, b-x) / 2
		do(x+r, r)
	}
}

// clipToBulk returns the part of (a, b] where a normal term around the centre is not e^{−60} of its
// largest value there.
func (d *Density) clipToBulk(centre, a, b float64) (from, to float64) {
	away := math.Max(0, math.Max(a-centre, centre-b)) / d.Sigma
	reach := d.Sigma * math.Sqrt(away*away+120)
	return math.Max(a, d.snap(centre-reach)), math.Min(b, d.snap(centre+reach))
}

// latticeSum returns the sum of e^{log − z²/2} over the integers in (a, b], z being the distance from
// the centre in deviations. On a panel of a quarter of σ the integrand e^{−z²/2} grows, up to
// |z| = 40, by less than e^{42} over the ellipse ρ = 16, and 8·16^{−32} of that is far below round-off.
func (d *Density) latticeSum(log, centre, a, b float64) (total float64) {
	a, b = d.clipToBulk(centre, d.snap(a), d.snap(b))
	d.panels(a, b, func(c, r float64) {
		d.visitNodes(c, r, func(x, weight float64) {
			z := (x - centre) / d.Sigma
			total += weight * math.Exp(log-z*z/2)
		})
	})
	return total
}

// LogDelta returns ln of the hockey-stick curve Σ P·(1 − e^{ε−L})₊ of [DiscreteGaussian]: positive
// summands only, on the panels of [Density.latticeSum]. Places are counted from the middle of P, where
// the loss is μ²/2 + yμ/σ: nothing cancels, however far the shift is.
func (d *Density) LogDelta(epsilon float64) float64 {
	mu := d.Num[0].Rate * d.Sigma
	from, to := d.clipToBulk(0, d.snap((epsilon/mu-mu/2)*d.Sigma), d.Hi)
	big, sum := math.Inf(-1), 0.0
	d.panels(from, to, func(c, r float64) {
		d.visitNodes(c, r, func(y, weight float64) {
			z := y / d.Sigma
			log := math.Log(weight) - z*z/2
			if log > big {
				sum, big = sum*math.Exp(big-log), log
			}
			sum -= math.Exp(log-big) * math.Expm1(math.Min(0, epsilon-mu*(mu/2+z)))
		})
	})
	return math.Min(0, d.LogScale+big+math.Log(sum))
}
