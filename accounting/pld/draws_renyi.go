package pld

import (
	"math"

	"epsiloscope/accounting/special"
)

// farthest are the largest shifts of either side.
func (d draws) farthest() (a, b float64) {
	return float64(len(d.a)-1) * d.mu, float64(len(d.b)-1) * d.mu
}

// mostNodes is up to how many nodes a divergence is summed over.
const mostNodes = 1 << 14

// rule is where the nodes of order α lie: from Q's lowest noise up to where the tilt
// moves the mass, in steps of the trapezoidal rule. Both sides are polynomials in e^{μx}
// with real roots (the binomial's own, and the factors e^{−j²μ²/2} keep them so), so
// the loss is analytic for |Im x| < π/μ. There the k roots make Q^{1−α} grow like
// e^{kα(μy)²/8}, which the last term makes up for.
func (d draws) rule(alpha float64) (from, to, step float64) {
	a, b := d.farthest()
	const reach = 13.0 // e^{−13²/2} = 2e-37
	from, to = -b-reach, alpha*a+(alpha-1)*b+reach
	roots := float64(max(len(d.a), len(d.b)) - 1)
	return from, to, math.Min(0.125, math.Min(0.2/d.mu, 1/(d.mu*math.Sqrt(roots*alpha))))
}

// reach is the largest order whose rule is not too long.
func (d draws) reach() float64 {
	longest := func(alpha float64) bool {
		from, to, step := d.rule(alpha)
		return (to-from)/step > mostNodes
	}
	if longest(1) {
		return 0
	}
	alpha := 1.0
	for alpha < 1e12 && !longest(2*alpha) {
		alpha *= 2
	}
	return alpha
}

func (d draws) nodes(alpha float64) []node {
	add := func(out []node, x, step float64) []node {
		u, _ := d.side(d.a, x)
		v, _ := d.side(d.b, -x)
		return append(out, node{u - v, u - x*x/2 - 0.5*math.Log(2*math.Pi) + math.Log(step)})
	}
	var out []node
	from, to, step := d.rule(alpha)
	if (to-from)/step > mostNodes { // only the mass under P counts, which lies around the shifts
		for j, p := range d.a {
			for t := -8.0; t <= 8 && p > 0; t += 0.25 {
				x := float64(j)*d.mu + t
				loss, _ := d.loss(x)
				out = append(out, node{loss, math.Log(p) - t*t/2 - 0.5*math.Log(2*math.Pi) + math.Log(0.25)})
			}
		}
		return out
	}
	for x := from; x <= to; x += step {
		out = add(out, x, step)
	}
	return out
}

// Renyi is e^{sD} − 1 = s·E_Q[φ] + E_P[e^{sL}−1−sL], φ = r·ln r − r + 1 at the ratio r = P/Q:
// no term is negative. Beyond reach it is that of equal numbers drawn on both sides,
// which the joint convexity of e^{sD} allows.
func (d draws) Renyi(alpha float64) float64 {
	alpha = math.Max(1, alpha)
	if d.rest > beyondFloat {
		return math.Inf(1)
	}
	if _, hi := d.span(); math.IsInf(alpha, 1) {
		return hi
	}
	bound := d.coupled(alpha)
	if alpha > d.reach() {
		return bound
	}
	s := alpha - 1
	kl, rest := math.Inf(-1), math.Inf(-1)
	for _, n := range d.nodes(alpha) {
		kl = special.LogAdd(kl, n.logP-n.loss+special.LogEntropyRemainder(n.loss))
		if s > 0 && n.loss != 0 {
			rest = special.LogAdd(rest, n.logP+special.LogExpRemainder(s*n.loss))
		}
	}
	if s == 0 {
		return math.Min(bound, math.Exp(kl)*(1+quadratureError))
	}
	return math.Min(bound, special.Softplus(special.LogAdd(math.Log(s)+kl, rest)+quadratureError)/s)
}

// coupled is the divergence if the analyst saw how many records were drawn.
func (d draws) coupled(alpha float64) float64 {
	weights := d.a
	if len(d.a) == 1 {
		weights = d.b
	}
	shift := d.mu
	if len(d.a) == len(d.b) {
		shift *= 2
	}
	values := make([]float64, len(weights))
	for j := range values {
		values[j] = alpha * float64(j) * shift * float64(j) * shift / 2
	}
	return special.MixedRenyi(weights, values, alpha)
}
