package pairs

import (
	"math"
	"slices"
)

// Names of groups without their numbers of people: whether a group is shown is one bit, and one person moves its
// probability from that of n people to that of n+1.

// Names is the rule by which the name of one group is shown. Both functions may be off by shownError of their value.
type Names struct {
	Key        string
	Keep, Drop func(n float64) float64 // the probability that a group of n ≥ 1 people is shown, and that it is not
	New        float64                 // an upper bound on Keep(1)
	People     float64                 // Keep(n) is all but 1 from this number of people on
	// of the noisy number of people, which dominates the bit of a group that exists without the person
	Noise Pair
}

const namesNote = "only the names are released: the upper end takes the worst number of people anew in every copy and at every ε, the lower end is the best of a few attacks"

// maxListedSizes is the largest number of people up to which every number is tried. Beyond, the noise is so wide
// that the bit of the best group tells nearly what its noisy number would.
const maxListedSizes = 4096

// Names are attacked in groups of several sizes: two are taken with each of these probabilities, or one alone.
var attackShares = []float64{0.5, 0.85}

// NamesPair returns the pair of one group whose name is released and whose number of people is not. With π(n) the
// probability that a group of n people is shown, π(0) = 0, the curve is the largest over n of that of one bit,
//
//	δ(ε) = max over n of π(n+1) − e^ε·π(n),   and 1−π(n) − e^ε·(1−π(n+1)) in the other order, for ε ≥ 0.
//
// A maximum of curves is the curve of a pair, and dominates releases with another n each. The bit of a group that
// exists without the person is computed from its noisy number, so that its curve is at most that of the noise as well.
func NamesPair(rule Names) Pair {
	noise := rule.Noise.orInvalid()
	if !(rule.People >= 1 && rule.New > 0 && rule.New < 1) || rule.Key == "" {
		return invalidPair()
	}
	return slowPairs.get("names("+rule.Key+")", func() Pair {
		b := newBits(rule)
		end := noise.Remove.upper.hi()
		mu, gaussian := noise.Remove.upper.Gaussian()
		if gaussian {
			end = mu*mu/2 + 14*mu
		}
		mesh := b.mesh(end, gaussian || b.rest == 1)
		with, without := make([]float64, len(mesh)), make([]float64, len(mesh))
		for i, x := range mesh {
			most := math.Exp(noise.Remove.LogDelta(x)) * (1 + 1e-11)
			with[i], without[i] = b.upperCurves(x, most)
		}
		for i := len(mesh) - 2; i >= 0; i-- {
			with[i], without[i] = math.Max(with[i], with[i+1]), math.Max(without[i], without[i+1])
		}
		key := "names(" + rule.Key + ")"
		remove, add := directedDots(key, mesh, with, without, 4*ulp), directedDots(key+"′", mesh, without, with, 4*ulp)
		if f := noise.Remove.upper.form; f.Kind == "laplace" || f.Kind == "pure" { // a pair with a name dominates it
			remove.form = Form{Kind: "approximate", Size: f.Size, Delta: b.atMost}
			add.form = remove.form
		}
		return Pair{Remove: &Loss{key, remove, b.lowerEstimate(key+"-", false), namesNote},
			Add: &Loss{key + "′", add, b.lowerEstimate(key+"′-", true), namesNote}}
	})
}

// bit is the decision about one group: shown with probability with if the person is in it, and without if not.
type bit struct{ with, without, dropWith, dropWithout float64 }

// worstEvent returns the probabilities of the event by which the bit is told from its neighbour, P and then Q: that the
// group is shown or, with reverse, that it is not.
func (v bit) worstEvent(reverse bool) (p, q float64) {
	if reverse {
		return v.dropWithout, v.dropWith
	}
	return v.with, v.without
}

// groupBits are the decisions about groups of every number of people that exist without the person.
type groupBits struct {
	tau, atMost float64 // of a group in which the person is the first, and an upper bound on it
	rest        float64 // an upper bound on δ(0) of the groups that are not listed
	list        []bit
	hull        []int // those of list that are the best at some ε, by falling ε
}

func newBits(rule Names) *groupBits {
	b := &groupBits{tau: rule.Keep(1), atMost: rule.New, rest: 1}
	n, step := 1.0, math.Ceil(rule.People/maxListedSizes)
	for ; n <= rule.People; n += step {
		b.list = append(b.list, bit{rule.Keep(n + 1), rule.Keep(n), rule.Drop(n + 1), rule.Drop(n)})
	}
	if step == 1 {
		b.rest = rule.Drop(n) * (1 + shownError)
	}
	b.hull = b.upperHull()
	return b
}

// difference returns a − b of two probabilities whose complements are given too, with the digits of the smaller ones.
func difference(a, b, notA, notB float64) float64 {
	if a > 0.5 && b > 0.5 {
		return notB - notA
	}
	return a - b
}

// upperHull returns the corners of the concave hull of the points (without, with), from left to right: a bit that is no
// corner is never the best.
func (b *groupBits) upperHull() (hull []int) {
	for i := range b.list {
		for n := len(hull); n >= 2 && b.slope(hull[n-2], hull[n-1]) <= b.slope(hull[n-1], i); n = len(hull) {
			hull = hull[:n-1]
		}
		hull = append(hull, i)
	}
	return hull
}

// slope returns the e^ε at which two bits are as good.
func (b *groupBits) slope(i, j int) float64 {
	p, q := b.list[i], b.list[j]
	return difference(q.with, p.with, q.dropWith, p.dropWith) / difference(q.without, p.without,
		q.dropWithout, p.dropWithout)
}

// mesh returns the ε ≥ 0 at which the curve, in either order of the neighbours, may have a corner; with more, evenly
// spaced ones too.
func (b *groupBits) mesh(end float64, more bool) []float64 {
	all := []float64{0, end}
	put := func(x float64) {
		if x = math.Abs(x); x < end {
			all = append(all, x)
		}
	}
	for k := 1; k < len(b.hull); k++ {
		put(math.Log(b.slope(b.hull[k-1], b.hull[k])))
	}
	for _, i := range b.hull { // as good as a group in which the person is the first, and as a bit that says nothing
		v := b.list[i]
		put(math.Log((v.with - b.tau) / v.without))
		put(math.Log(v.with / v.without))
		put(math.Log(v.dropWithout / v.dropWith))
	}
	put(math.Log1p(-b.atMost))
	if more {
		for k := range 200 {
			put(end * float64(k) / 200)
		}
	}
	slices.Sort(all)
	return dropNearby(slices.DeleteFunc(all, math.IsNaN))
}

// upperCurves returns upper ends of δ(ε), ε ≥ 0, of the person's presence against her absence and the reverse, if δ of
// a group that exists without her is at most most.
func (b *groupBits) upperCurves(epsilon, most float64) (with, without float64) {
	a := math.Exp(epsilon)
	with, without = b.rest, b.rest
	const up, down = 1 + shownError, 1 - shownError
	for _, v := range b.list {
		with = math.Max(with, v.with*up-a*v.without*down)
		without = math.Max(without, v.dropWithout*up-a*v.dropWith*down)
	}
	with = math.Max(b.atMost, math.Min(most, with))
	first := b.atMost - math.Expm1(epsilon)*(1-b.atMost)*(1-8*ulp)
	return math.Min(1, with), math.Min(1, math.Max(first, math.Min(most, without)))
}

// lowerCurve returns a lower end of δ(ε) at any real ε, that of the best bit; with reverse, of the person's absence
// against her presence.
func (b *groupBits) lowerCurve(epsilon float64, reverse bool) float64 {
	if epsilon < 0 {
		return -math.Expm1(epsilon) + math.Exp(epsilon)*b.lowerCurve(-epsilon, !reverse)
	}
	a := math.Exp(epsilon)
	const up, down = 1 + shownError, 1 - shownError
	least := 0.0
	if !reverse {
		least = b.tau * (1 - thresholdMargin)
	}
	for _, i := range b.hull {
		p, q := b.list[i].worstEvent(reverse)
		least = math.Max(least, p*down-a*q*up)
	}
	return least
}

// lowerEstimate returns attacks on groups of some sizes, the same in every copy, or of two sizes by lot, where the
// attacker knows which: an average over such choices is attained by one of them. The first is the one that is best at ε
// = 0.
func (b *groupBits) lowerEstimate(key string, reverse bool) *Estimate {
	singles := b.attackedSizes(reverse)
	if len(singles) == 0 {
		return identicalPair().Remove.lower
	}
	of := func(v bit) *Estimate {
		if reverse {
			return decision(v.without, v.with)
		}
		return decision(v.with, v.without)
	}
	var all []*Estimate
	for i, v := range singles {
		all = append(all, of(v))
		if i == 0 {
			continue
		}
		for _, share := range attackShares {
			weights := []float64{1 - share, share}
			all = append(all, mixKnownLosses(weights, []*Estimate{of(singles[i-1]), of(v)}))
		}
	}
	first := *all[0]
	first.attacks, first.alone = all[1:], func(epsilon float64) float64 {
		return math.Min(0, math.Log(b.lowerCurve(epsilon, reverse)))
	}
	if !reverse {
		first.elsewhere = b.tau * (1 - thresholdMargin)
	}
	first.key = key + first.key
	return &first
}

// attackedSizes returns the bits that are best at ε = 0, and at ε closer and closer to the largest loss, at most four.
func (b *groupBits) attackedSizes(reverse bool) (list []bit) {
	last := -1
	for _, share := range []float64{0, 0.4, 0.7, 0.97} {
		best, most := -1, 0.0
		for _, i := range b.hull {
			p, q := b.list[i].worstEvent(reverse)
			if d := p - math.Exp(share*b.largestLoss(reverse))*q; d > most {
				best, most = i, d
			}
		}
		if best >= 0 && best != last {
			list, last = append(list, b.list[best]), best
		}
	}
	return list
}

// largestLoss returns about the largest loss of a bit with a probability that matters.
func (b *groupBits) largestLoss(reverse bool) (most float64) {
	for _, i := range b.hull {
		p, q := b.list[i].worstEvent(reverse)
		if p > 0.02 {
			most = math.Max(most, math.Log(p/q))
		}
	}
	return most
}
