package pld

import (
	"math"
	"slices"

	"epsiloscope/accounting/special"
)

// mirrored is the loss of a release sampled at rate q of which one number bounds a
// changed record and an absent one: at losses above 0 that of the sampled release
// against its absence, at losses below 0 its mirror image, and at 0 what is left.
type mirrored struct {
	half   sampled // (1−q)Q + qP against Q; only its losses above 0 count
	points []atom
}

// SampledReplace is the pair, where a record is changed, of a release that sees each
// record with probability q and whose inner pair bounds a changed record and presence
// against absence alike: δ(ε) = q·δ_inner(ln(1+(e^ε−1)/q)) for ε ≥ 0, mirrored
// (Balle, Barthe, Gaboardi 2018, Theorem 2). The same loss serves both orders of the
// two data sets. To compose one of its halves alone would be too little: an analyst may
// swap the roles of the two records from release to release.
func SampledReplace(q float64, inner Pair) Pair {
	switch {
	case !(q > 0):
		return nothing()
	case q >= 1:
		return inner
	}
	if f, ok := facesOf(inner); ok {
		return twoFaced("sampled-replace("+number(q)+","+inner.Key()+")",
			SampledReplace(q, f.upper), SampledReplace(q, f.lower), f.note)
	}
	l, ok := inner.Remove.(law)
	if !ok || !inner.Symmetric() {
		return inner // sampling never costs more
	}
	m := mirrored{half: sampled{q: q, inner: l}}
	zero := (1 - q) * math.Exp(l.LogDelta(0))
	var above []atom
	for _, a := range l.atoms() {
		switch {
		case a.loss == 0:
			zero += a.p
		case a.loss > 0:
			above = append(above, atom{m.half.loss(a.loss), (1-q)*a.q + q*a.p, a.q})
		}
	}
	for _, a := range slices.Backward(above) {
		m.points = append(m.points, atom{-a.loss, a.q, a.p})
	}
	m.points = append(append(m.points, atom{0, zero, zero}), above...)
	return symmetric(m)
}

func (m mirrored) Key() string {
	return "sampled-replace(" + number(m.half.q) + "," + m.half.inner.Key() + ")"
}

func (m mirrored) LogDelta(epsilon float64) float64 {
	if epsilon < 0 { // δ(ε) = 1 − e^ε + e^ε·δ(−ε)
		return special.LogAdd(special.Log1mExp(epsilon), epsilon+m.LogDelta(-epsilon))
	}
	return m.half.LogDelta(epsilon)
}

// Renyi is the divergence of both halves and the atom; where the masses leave float64,
// that of a sample that is revealed.
func (m mirrored) Renyi(alpha float64) float64 {
	alpha = math.Max(1, alpha)
	inner := m.half.inner
	bound := special.MixedRenyi([]float64{1 - m.half.q, m.half.q}, []float64{0, inner.Renyi(alpha)}, alpha)
	if alpha > inner.reach() || len(m.points) > mostSummed {
		return bound
	}
	return math.Min(bound, renyi(m, alpha))
}

// mostSummed is the longest list of losses that a Rényi sum runs over.
const mostSummed = 1 << 17

func (m mirrored) span() (lo, hi float64) {
	_, hi = m.half.span()
	return -hi, hi
}

func (m mirrored) atoms() []atom    { return m.points }
func (m mirrored) continuous() bool { return m.half.continuous() }
func (m mirrored) reach() float64   { return m.half.reach() }

func (m mirrored) ends() (top, bottom float64) {
	top, _ = m.half.ends()
	return top, top
}

func (m mirrored) tails(x float64) tails {
	if x < 0 {
		t := m.tails(-x)
		return tails{upP: t.loQ, loP: t.upQ, upQ: t.loP, loQ: t.upP}
	}
	zero, t := m.half.tails(0), m.half.tails(x)
	between := between(zero, t)
	return tails{upP: t.upP, loP: zero.upQ + between.p, upQ: t.upQ, loQ: zero.upP + between.q}
}

// nodes are those of the losses above 0, and their mirror images: the mass under P of
// −L is that under Q of L.
func (m mirrored) nodes(alpha float64) []node {
	above := sampledNodes(upperHalf(m.half.inner), alpha, m.half.loss, m.half.slope)
	out := make([]node, 0, 2*len(above))
	for _, n := range above {
		mix := special.LogAdd(math.Log(m.half.q), math.Log1p(-m.half.q)-n.loss)
		loss, logP := m.half.loss(n.loss), n.logP+mix
		out = append(out, node{loss, logP}, node{-loss, logP - loss})
	}
	return out
}
