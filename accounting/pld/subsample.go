package pld

import (
	"math"

	"epsiloscope/accounting/special"
)

// sampled is the loss of a Poisson-subsampled release against the same release
// without the record: P' = (1−q)Q + qP against Q. Its loss is the monotone change
// L' = ln(1 − q + q·e^L), its masses the mix of those of the inner pair.
type sampled struct {
	q     float64
	inner law     // P against Q
	lost  float64 // Q-mass where P has none: there L' = ln(1−q)
}

// sampledAdd is the reverse: Q against (1−q)Q + qP, seen from the inner pair in the
// add direction (loss M = −L).
type sampledAdd struct {
	q     float64
	inner law // Q against P
}

// Subsample is the pair of a release that sees each record independently with
// probability q, under add-remove adjacency (Zhu, Dong, Wang 2022, Theorem 11):
// (1−q)Q + qP against Q for remove, Q against that for add, with (P, Q) the inner
// remove pair.
func Subsample(q float64, inner Pair) Pair {
	switch {
	case !(q > 0):
		return nothing()
	case q >= 1:
		return inner
	}
	if f, ok := facesOf(inner); ok {
		return twoFaced("subsample("+number(q)+","+inner.Key()+")",
			Subsample(q, f.upper), Subsample(q, f.lower), f.note)
	}
	remove, okR := inner.Remove.(law)
	add, okA := inner.Add.(law)
	if !okR || !okA {
		return inner // sampling never costs more
	}
	_, lost := remove.ends()
	return Pair{Remove: sampled{q, remove, lost}, Add: sampledAdd{q, add}}
}

func (s sampled) Key() string {
	return "sampled-remove(" + number(s.q) + "," + s.inner.Key() + ")"
}

func (s sampledAdd) Key() string {
	return "sampled-add(" + number(s.q) + "," + s.inner.Key() + ")"
}

// loss is ln(1 − q + q·e^x), and unloss its inverse; −Inf below its range.
func (s sampled) loss(x float64) float64   { return special.LogMix(s.q, x) }
func (s sampled) unloss(y float64) float64 { return special.LogUnmix(s.q, y) }

// LogDelta: P'(S) − e^y Q(S) = q·(P(S) − e^x Q(S)) with y = loss(x).
func (s sampled) LogDelta(y float64) float64 {
	x := s.unloss(y)
	if math.IsInf(x, -1) {
		return special.Log1mExp(math.Min(0, y))
	}
	return math.Log(s.q) + s.inner.LogDelta(x)
}

// LogDelta: Q(S) − e^y P'(S) = (1 − (1−q)e^y)·(Q(S) − e^m P(S)), with
// e^m = q·e^y/(1 − (1−q)e^y), that is y = −loss(−m).
func (s sampledAdd) LogDelta(y float64) float64 {
	m := -sampled{q: s.q}.unloss(-y)
	if math.IsInf(m, 1) {
		return math.Inf(-1)
	}
	return special.Log1mExp(math.Min(0, math.Log1p(-s.q)+y)) + s.inner.LogDelta(m)
}

func (s sampled) Renyi(alpha float64) float64 {
	return sampledRenyi(s, s.inner, alpha)
}

func (s sampledAdd) Renyi(alpha float64) float64 {
	return sampledRenyi(s, s.inner, alpha)
}

// sampledRenyi falls back on the inner divergence where the masses leave float64:
// the Rényi divergence is quasi-convex, so mixing with Q only lowers it
// (van Erven & Harremoës 2014, Theorem 13).
func sampledRenyi(l, inner law, alpha float64) float64 {
	alpha = math.Max(1, alpha)
	bound := inner.Renyi(alpha)
	if alpha > inner.reach() {
		return bound
	}
	return math.Min(bound, renyi(l, alpha))
}

func (s sampled) span() (lo, hi float64) {
	lo, hi = s.inner.span()
	lo, hi = s.loss(lo), s.loss(hi)
	if s.lost > 0 {
		lo = math.Log1p(-s.q)
	}
	return lo, hi
}

func (s sampledAdd) span() (lo, hi float64) {
	t := sampled{q: s.q}
	lo, hi = s.inner.span()
	lo, hi = -t.loss(-lo), -t.loss(-hi)
	if top, _ := s.inner.ends(); top > 0 {
		hi = -math.Log1p(-s.q)
	}
	return lo, hi
}

func (s sampled) atoms() []atom {
	var out []atom
	if s.lost > 0 {
		out = append(out, atom{math.Log1p(-s.q), (1 - s.q) * s.lost, s.lost})
	}
	for _, a := range s.inner.atoms() {
		out = append(out, atom{s.loss(a.loss), (1-s.q)*a.q + s.q*a.p, a.q})
	}
	return out
}

func (s sampledAdd) atoms() []atom {
	var out []atom
	for _, a := range s.inner.atoms() {
		out = append(out, atom{-sampled{q: s.q}.loss(-a.loss), a.p, (1-s.q)*a.p + s.q*a.q})
	}
	if top, _ := s.inner.ends(); top > 0 {
		out = append(out, atom{-math.Log1p(-s.q), top, (1 - s.q) * top})
	}
	return out
}

func (s sampled) thinned() law {
	if d, ok := s.inner.(*discrete); ok {
		s.inner = d.thinned()
	}
	return s
}

func (s sampledAdd) thinned() law {
	if d, ok := s.inner.(*discrete); ok {
		s.inner = d.thinned()
	}
	return s
}

func (s sampled) continuous() bool    { return s.inner.continuous() }
func (s sampledAdd) continuous() bool { return s.inner.continuous() }

func (s sampled) tails(y float64) tails {
	t := s.inner.tails(s.unloss(y))
	return tails{
		upP: (1-s.q)*t.upQ + s.q*t.upP, loP: (1-s.q)*t.loQ + s.q*t.loP,
		upQ: t.upQ, loQ: t.loQ,
	}
}

func (s sampledAdd) tails(y float64) tails {
	t := s.inner.tails(-sampled{q: s.q}.unloss(-y))
	return tails{
		upP: t.upP, loP: t.loP,
		upQ: (1-s.q)*t.upP + s.q*t.upQ, loQ: (1-s.q)*t.loP + s.q*t.loQ,
	}
}

func (s sampled) ends() (top, bottom float64) {
	top, _ = s.inner.ends()
	return s.q * top, 0
}

func (s sampledAdd) ends() (top, bottom float64) {
	_, bottom = s.inner.ends()
	return 0, s.q * bottom
}

func (s sampled) reach() float64    { return s.inner.reach() }
func (s sampledAdd) reach() float64 { return s.inner.reach() }

// slope is the derivative of loss.
func (s sampled) slope(x float64) float64 { return s.q / (s.q + (1-s.q)*math.Exp(-x)) }

func (s sampled) nodes(alpha float64) []node {
	out := sampledNodes(s.inner, alpha, s.loss, s.slope)
	for i, n := range out {
		// P'-weight = (1−q)·Q + q·P = P·(q + (1−q)e^{−L})
		mix := special.LogAdd(math.Log(s.q), math.Log1p(-s.q)-n.loss)
		out[i] = node{s.loss(n.loss), n.logP + mix}
	}
	return out
}

func (s sampledAdd) nodes(alpha float64) []node {
	t := sampled{q: s.q}
	out := sampledNodes(s.inner, alpha, func(x float64) float64 { return -t.loss(-x) }, func(x float64) float64 { return t.slope(-x) })
	for i, n := range out {
		out[i].loss = -t.loss(-n.loss)
	}
	return out
}
