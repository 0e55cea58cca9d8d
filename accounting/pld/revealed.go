package pld

import (
	"math"
	"sort"
	"strings"

	"epsiloscope/accounting/special"
)

// revealed is the loss of a release that is one of several, chosen by a lot that the
// analyst sees too: the mixture of their losses, each with its weight.
type revealed struct {
	key     string
	weights []float64
	inner   []law
	points  []atom
}

// Revealed is the pair of a release that is the i-th of the given ones with
// probability weights[i] and says which: δ(ε) = Σ wᵢ·δᵢ(ε) for every real ε. It
// dominates where the lot stays secret too, as the hockey stick is jointly convex.
//
// So a record that is drawn with probability q into a release whose number bounds a
// changed record costs Revealed({1−q, q}, {nothing, release}): data sets in which the
// numbers of the drawn rows are released attain it.
func Revealed(weights []float64, pairs []Pair) Pair {
	parts := make([]string, len(pairs))
	both, faced := true, false
	for i, p := range pairs {
		parts[i] = number(weights[i]) + "×" + p.Key()
		both = both && p.Symmetric()
		_, is := facesOf(p)
		faced = faced || is
	}
	key := "revealed(" + strings.Join(parts, ",") + ")"
	if faced {
		upper, lower := make([]Pair, len(pairs)), make([]Pair, len(pairs))
		note := ""
		for i, p := range pairs {
			upper[i], lower[i] = p, p
			if f, is := facesOf(p); is {
				upper[i], lower[i], note = f.upper, f.lower, f.note
			}
		}
		return twoFaced(key, Revealed(weights, upper), Revealed(weights, lower), note)
	}
	side := func(key string, loss func(Pair) Loss) Loss {
		r := revealed{key: key, weights: weights}
		for i, p := range pairs {
			l, ok := loss(p).(law)
			if !ok {
				return unlistable(key)
			}
			r.inner = append(r.inner, l)
			for _, a := range l.atoms() {
				r.points = append(r.points, atom{a.loss, weights[i] * a.p, weights[i] * a.q})
			}
		}
		r.points = merged(r.points)
		return r
	}
	remove := side(key, func(p Pair) Loss { return p.Remove })
	if both {
		return symmetric(remove)
	}
	return Pair{Remove: remove, Add: side(key+"′", func(p Pair) Loss { return p.Add })}
}

// RevealedSample is the pair of a release that sees each record with probability q, where
// the inner pair bounds a changed record and nothing is known of an absent one.
func RevealedSample(q float64, inner Pair) Pair {
	switch {
	case !(q > 0):
		return nothing()
	case q >= 1:
		return inner
	}
	return Revealed([]float64{1 - q, q}, []Pair{nothing(), inner})
}

func (r revealed) Key() string   { return r.key }
func (r revealed) atoms() []atom { return r.points }
func (r revealed) each(f func(i int, l law)) {
	for i, l := range r.inner {
		f(i, l)
	}
}

func (r revealed) LogDelta(epsilon float64) float64 {
	sum := math.Inf(-1)
	r.each(func(i int, l law) { sum = special.LogAdd(sum, math.Log(r.weights[i])+l.LogDelta(epsilon)) })
	return math.Min(0, sum)
}

// Renyi is ln(Σ wᵢ·e^{(α−1)Dᵢ})/(α−1), exact as the lot is part of the release.
func (r revealed) Renyi(alpha float64) float64 {
	values := make([]float64, len(r.inner))
	r.each(func(i int, l law) { values[i] = l.Renyi(math.Max(1, alpha)) })
	return special.MixedRenyi(r.weights, values, alpha)
}

func (r revealed) span() (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	r.each(func(_ int, l law) {
		a, b := l.span()
		lo, hi = math.Min(lo, a), math.Max(hi, b)
	})
	return lo, hi
}

func (r revealed) continuous() bool {
	is := false
	r.each(func(_ int, l law) { is = is || l.continuous() })
	return is
}

func (r revealed) tails(x float64) tails {
	var sum tails
	r.each(func(i int, l law) {
		t, w := l.tails(x), r.weights[i]
		sum.upP, sum.loP = sum.upP+w*t.upP, sum.loP+w*t.loP
		sum.upQ, sum.loQ = sum.upQ+w*t.upQ, sum.loQ+w*t.loQ
	})
	return sum
}

func (r revealed) ends() (top, bottom float64) {
	r.each(func(i int, l law) {
		t, b := l.ends()
		top, bottom = top+r.weights[i]*t, bottom+r.weights[i]*b
	})
	return top, bottom
}

func (r revealed) nodes(alpha float64) []node {
	var out []node
	r.each(func(i int, l law) {
		for _, n := range l.nodes(alpha) {
			out = append(out, node{n.loss, n.logP + math.Log(r.weights[i])})
		}
	})
	return out
}

func (r revealed) reach() float64 {
	least := math.Inf(1)
	r.each(func(_ int, l law) { least = math.Min(least, l.reach()) })
	return least
}

// merged sorts atoms and joins those of equal loss.
func merged(points []atom) []atom {
	sort.Slice(points, func(i, j int) bool { return points[i].loss < points[j].loss })
	out := points[:0]
	for _, a := range points {
		if n := len(out); n > 0 && out[n-1].loss == a.loss {
			out[n-1].p += a.p
			out[n-1].q += a.q
			continue
		}
		out = append(out, a)
	}
	return out
}
