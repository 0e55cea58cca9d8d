package pld

import "math"

// rising is a law whose continuous part has the P-density e^{logScale + L/2} on
// [lo, hi]: Laplace noise and bounded range.
type rising interface {
	rising() (lo, hi, logScale float64)
}

// wholeOrder is up to which order the nodes of a sampled law cover all of its mass.
const wholeOrder = 128

// sampledNodes is a rule for the integral of e^{θ·change(L)} over the continuous part
// of an inner law, θ = α−1, where sampling takes a loss L to change(L), which grows at
// the rate slope(L) ≤ 1. At large orders only the top counts: panels are as short as
// the integrand there needs (it changes by about e³ over one), and end where it has
// fallen to e^{−150} of the top, far below [quadratureError]. What lies below is one
// node at its upper end: where the integral is close to 1 its mass counts.
func sampledNodes(inner law, alpha float64, change, slope func(float64) float64) []node {
	r, ok := inner.(rising)
	if !ok || alpha <= wholeOrder {
		return inner.nodes(alpha)
	}
	lo, hi, logScale := r.rising()
	var out []node
	b := hi
	for b > lo && (alpha-1)*(change(hi)-change(b)) < 150 {
		width := 3 / (alpha*slope(b) + 2)
		width = 3 / (alpha*max(slope(b), slope(b-width)) + 2)
		a := max(lo, b-width)
		out = append(out, risingPanels(a, b, logScale, 1)...)
		if a == b {
			break // shorter than float64 can tell: the atom at the top is all
		}
		b = a
	}
	if b > lo {
		out = append(out, node{b, logScale + b/2 + math.Log(-2*math.Expm1((lo-b)/2))})
	}
	return out
}
