package pld

import "math"

// hook is a strip prepared for reading Σ p·(1 − e^{ε−S})·e^{−κ(S−ε)} over S > ε, with κ
// the decay: for κ = 0 the hockey-stick curve.
//
// With v the sum of p·e^{−(κ+1)(S−S_i)} over S ≥ S_i and d that of
// p·(1 − e^{S_i−S})e^{−κ(S−S_i)}, it is e^{−κu}(d + (1 − e^{−u})·v) at ε = S_i − u, u less than
// a step: sums of positive terms, nothing cancels.
type hook struct {
	start, step, decay float64
	d, v               []float64
}

func newHook(p []float64, start, step, decay float64) hook {
	h := hook{start: start, step: step, decay: decay, d: make([]float64, len(p)), v: make([]float64, len(p))}
	r1, r2, fall := math.Exp(-decay*step), math.Exp(-(decay+1)*step), -math.Expm1(-step)
	var d, v float64
	for i := len(p) - 1; i >= 0; i-- {
		d, v = r1*(d+fall*v), p[i]+r2*v
		h.d[i], h.v[i] = d, v
	}
	return h
}

func (h hook) at(epsilon float64) float64 {
	i := math.Max(0, math.Floor((epsilon-h.start)/h.step)+1) // first point above ε
	if !(i < float64(len(h.d))) {
		return 0
	}
	u := math.Max(0, h.start+i*h.step-epsilon)
	return math.Exp(-h.decay*u) * (h.d[int(i)] - math.Expm1(-u)*h.v[int(i)])
}

// plain is a composition from above, multiplied out.
type plain struct {
	hook
	slack float64
}

func newPlain(s strip, g lattice) plain {
	return plain{newHook(s.p, g.at(s.first), g.step, 0), s.slack()}
}

// slack is the relative error of a sum over the strip.
func (s strip) slack() float64 { return s.relative + 1e-11 + 8*ulp*float64(len(s.p)) }

func (c plain) curve(_, epsilon float64, _ bool) float64     { return c.at(epsilon)*(1+c.slack) + leftOut }
func (c plain) root(_, _, _ float64, _ bool) (float64, bool) { return math.Inf(1), false }
func (c plain) errors(_, _ float64) (wrap, roundoff float64) { return 0, 0 }
func (c plain) logWeight(float64) float64                    { return math.Inf(1) }

// leftOut is what products below the range of float64 come to at most.
const leftOut = 1e-290

// local is a composition from below that is not a stand-in: what raising a stack to a
// lattice adds to its curve at ε is bounded where it matters, next to ε.
//
// Let X be the loss of a release and X′ what it becomes on the lattice, each mass split
// between the two ends of its cell so that P-mass and Q-mass are kept. Read as a joint
// law, with P′ = e^{X′}·Q: given X, the mean of e^{X′} under Q is e^X. With S and S′ the sums
// over all releases, independent of each other, it is e^S all the same; hence, A being the
// event S > ε, which X decides,
//
//	δ(ε) = E_Q[(e^S − e^ε)·1_A] = E_Q[(e^{S′} − e^ε)·1_A],
//	δ′(ε) − δ(ε) = E_Q[(e^{S′} − e^ε)₊] − E_Q[(e^{S′} − e^ε)·1_A]
//	             = E_P′[(1 − e^{ε−S′})₊·1{S ≤ ε}] + E_P′[(e^{ε−S′} − 1)₊·1{S > ε}].
//
// Only sums that were moved past ε count. With J = S′ − S, in the first term J ≥ S′ − ε > 0
// and 1{…} ≤ e^{λ(J−(S′−ε))}; in the second −J > ε − S′ > 0 and 1{…} ≤ e^{μ(−J−(ε−S′))}. E[e^{λJ}; S′ = s]
// is the composition of the masses of the single releases, each times its e^{λJ}: two more
// strips, and the terms are the hooks of the one, with decay λ, and of the other, turned
// around, with decay μ − 1, as e^{v} − 1 = e^{v}(1 − e^{−v}). For J normal of variance V and λ = √(2/V)
// that comes to about 2.7·V times the density at ε, where V/2 is the truth: of second order
// in the step, for atoms off the lattice too, which any stand-in on the lattice can only
// round down.
//
// Every mass of δ′ is rounded down and left out where it is thin, every mass of the terms
// rounded up; what is left out there weighs at most max_u (1 − e^{−u})e^{−κu} ≤ 1/(1+κ). P-mass
// at +∞ is counted apart: all of this is about the finite losses, or a part of them.
type local struct {
	raised      hook
	past, short hook
	low, high   float64 // relative errors
	charge      float64
}

func newLocal(raised, past, short strip, g lattice, lambda float64) local {
	turned := make([]float64, len(short.p))
	for i, p := range short.p {
		turned[len(turned)-1-i] = p
	}
	return local{
		raised: newHook(raised.p, g.at(raised.first), g.step, 0),
		past:   newHook(past.p, g.at(past.first), g.step, lambda),
		short:  newHook(turned, -g.at(short.first+len(turned)-1), g.step, lambda),
		low:    raised.slack(), high: past.slack() + short.slack(),
		charge: (past.lost+short.lost)/(1+lambda) + leftOut,
	}
}

func (c local) curve(_, epsilon float64, _ bool) float64 {
	added := (c.past.at(epsilon)+c.short.at(-epsilon))*(1+c.high) + c.charge
	return math.Max(0, c.raised.at(epsilon)*(1-c.low)-added)
}

func (c local) root(_, _, _ float64, _ bool) (float64, bool) { return 0, false }
func (c local) errors(_, _ float64) (wrap, roundoff float64) { return 0, 0 }
func (c local) logWeight(float64) float64                    { return math.Inf(1) }
