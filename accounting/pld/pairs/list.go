package pairs

import (
	"math"
	"slices"
	"sort"
	"sync"

	"epsiloscope/accounting/pld/exact"
	"epsiloscope/accounting/pld/loss"
	"epsiloscope/accounting/pld/spectrum"
	"epsiloscope/accounting/special"
)

// Losses with finitely many values, and estimates that have them.

// atom is a point mass: P-mass p and Q-mass q = p·e^{−loss}, both kept, since either may
// underflow alone.
type atom struct{ loss, p, q float64 }

// newList returns a loss with finitely many values: randomized response, lattices, and every
// estimate that a chain of pairs or a maximum of curves leads to. Off is how much of its mass
// may lie elsewhere, at least ulp if the masses were computed one from another; 0 is a closed
// form, whose masses add up to 1 but for the rounding of each.
func newList(key string, points []atom, top, bottom, off float64) *Estimate {
	points = mergeAtoms(points)
	curve := sync.OnceValue(func() func(float64) float64 { return curveOf(points, top) })
	l := newEstimate(key, func() loss.Distribution { return distributionOf(points, top, bottom, off) },
		func(epsilon float64) float64 { return math.Min(0, math.Log(curve()(epsilon))) })
	hi := 0.0
	if n := len(points); n > 0 {
		hi = points[n-1].loss
	}
	l.top, l.list, l.hi = top, points, func() float64 { return hi }
	return l
}

// mergeAtoms sorts atoms by loss and merges those of equal loss, in place.
func mergeAtoms(points []atom) []atom {
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

// distributionOf returns the list as it stands: its P-masses count, and the Q-mass that belongs to
// them. How far they are from adding up to 1 is charged, in closed form unless it is round-off.
// A share of 1e-16 is much of a release that is one of 10¹² with hardly any loss.
func distributionOf(points []atom, top, bottom, off float64) loss.Distribution {
	out := loss.Distribution{Atoms: make([]loss.Atom, 0, len(points)), Top: top, Bottom: bottom}
	if !(top > beyondFloat) {
		out.Feared = top
	}
	var p, q special.Adder
	p.Add(top)
	q.Add(bottom)
	rounded := 0.0 // of the terms of these sums
	for _, a := range points {
		log := math.Log(a.p)
		if a.p < 1e-290 { // below the range of full precision
			if log = math.Log(a.q) + a.loss; a.q < 1e-290 {
				out.Top += 1e-290
				out.Feared += 1e-290
				continue
			}
		}
		out.Atoms = append(out.Atoms, loss.Atom{Loss: a.loss, LogP: log})
		mass := math.Exp(log - a.loss)
		p.Add(a.p)
		q.Add(mass)
		rounded += 2 * ulp * mass * (1 + math.Abs(log) + math.Abs(a.loss))
	}
	lack, lackQ := 1-p.Sum(), 1-q.Sum()
	if off > 0 || math.Max(math.Abs(lack), math.Abs(lackQ)) > 8*ulp*float64(len(points)+8) {
		out.Bottom += lackQ
		out.Slack = off + math.Abs(lack) + rounded + 4*ulp
	}
	return out
}

// ulp is the spacing of float64 at 1, the unit of every round-off bound here.
const ulp = 2.220446049250313e-16

// curveOf returns δ(ε) of a list of atoms; one evaluation takes O(log n). A discrete Gaussian may have a million
// atoms and is asked for thousands of ε.
//
// Between two losses δ falls in proportion to e^ε: with W_j = Σ_{i≥j} p_i·e^{ℓ_j−ℓ_i} it is
// δ(ε) = δ(ℓ_j) + (1 − e^{ε−ℓ_j})·W_j just below ℓ_j. All terms are positive, so small values
// keep their digits.
func curveOf(points []atom, top float64) func(epsilon float64) float64 {
	n := len(points)
	at, weight := make([]float64, n), make([]float64, n) // δ(ℓ_j) and W_j
	delta, sum := top, 0.0
	for j := n - 1; j >= 0; j-- {
		if j < n-1 {
			step := points[j].loss - points[j+1].loss // negative
			delta -= sum * math.Expm1(step)
			sum *= math.Exp(step)
		}
		sum += points[j].p
		at[j], weight[j] = delta, sum
	}
	return func(epsilon float64) float64 {
		j := sort.Search(n, func(i int) bool { return points[i].loss > epsilon })
		if j == n {
			return top
		}
		return at[j] - weight[j]*math.Expm1(epsilon-points[j].loss)
	}
}

// estimate returns a loss with finitely many values: a list with every P-mass raised (a pessimistic
// estimate, pad ≥ 0) or lowered (an optimistic one) by a relative pad, and then brought to a total of one with those
// at +∞: what is too much is taken from the smallest losses, what is missing is put there.
// With every P-mass a bound, so is the P-mass above any loss; and δ(ε) = E_P[(1 − e^{ε−L})₊],
// alone or composed, grows with the losses. The Q-mass of a pessimistic estimate is then
// at most 1. That of an optimistic one grows by e^{−loss} times what is missing, which at a loss of
// −60 would be all: there the smallest losses are taken for one outcome, see [uniteSmallest].
func estimate(key string, list []atom, top, pad float64) *Estimate {
	sort.Slice(list, func(i, j int) bool { return list[i].loss < list[j].loss })
	var sum, sumQ special.Adder
	sum.Add(top)
	sum.Add(-1)
	for i := range list {
		list[i].p *= 1 + pad
		list[i].q *= 1 + pad
		sum.Add(list[i].p)
		sumQ.Add(list[i].q)
	}
	excess := sum.Sum()
	for i := range list {
		if excess <= 0 {
			break
		}
		if list[i].p == 0 {
			continue
		}
		taken := math.Min(excess, list[i].p)
		left := (list[i].p - taken) / list[i].p
		sumQ.Add(-list[i].q * (1 - left))
		list[i].p *= left
		list[i].q *= left
		excess -= taken
	}
	if excess < 0 && pad < 0 {
		var added float64
		list, added = uniteSmallest(list, -excess)
		sumQ.Add(added)
	}
	if excess < 0 && len(list) > 0 {
		q := -excess * math.Exp(-list[0].loss)
		list[0].p -= excess
		list[0].q += q
		sumQ.Add(q)
	}
	list = slices.DeleteFunc(list, func(a atom) bool { return !(a.p > 0) })
	return newList(key, list, top, math.Max(0, 1-sumQ.Sum()), ulp)
}

// The missing P-mass of a lower estimate, put on its smallest loss, may raise the Q-mass, which is at
// most 1, by this much or by this many times what is missing.
const (
	maxQAdded      = 1e-8
	maxQPerMissing = 4
)

// uniteSmallest takes the smallest losses of a sorted list for one outcome, until the missing P-mass
// at the loss of that outcome adds little Q-mass, and returns the list and the Q-mass added. That is
// post-processing: the loss of the outcome is that of its masses together. The missing mass is what
// rounding took from every mass, at most twice its share of the whole from each. As it may have been
// taken from the smallest of the united losses, their loss together is lowered by more than that.
func uniteSmallest(list []atom, missing float64) (united []atom, added float64) {
	most := math.Max(maxQAdded, maxQPerMissing*missing)
	var one atom
	n := 0
	for n < len(list) && (n == 0 || missing*one.q > most*one.p) {
		one.p += list[n].p
		one.q += list[n].q
		n++
	}
	if n < 2 || !(one.p > 0) {
		return list, 0
	}
	one.loss = math.Log(one.p/one.q) - 4*missing
	added = one.q * math.Expm1(4*missing)
	one.q += added
	list[n-1] = one
	return list[n-1:], added
}

// finite returns a loss as a list: itself if it has few losses, else an upper estimate with
// `fineness` cells per deviation.
func finite(l *Estimate, fineness float64) *Estimate {
	if l.list != nil && len(l.list) <= exact.MaxListed {
		return l
	}
	d := l.of()
	if len(d.Densities) == 0 && len(d.Atoms) <= exact.MaxListed {
		points := make([]atom, len(d.Atoms))
		for i, a := range d.Atoms {
			points[i] = atom{a.Loss, math.Exp(a.LogP), math.Exp(a.LogP - a.Loss)}
		}
		return newList(l.key, points, l.top, d.Bottom, ulp)
	}
	if flat, ok := composeToList(l.key, []spectrum.Line{{Loss: d, Count: 1}}, fineness); ok {
		return flat
	}
	return disclosingPair().Remove.upper
}

// composeToLowerList returns a composition as a list, from below.
func composeToLowerList(key string, lines []spectrum.Line, fineness float64) (*Estimate, bool) {
	losses, masses, top, ok := exact.Optimistic(lines, fineness)
	if !ok {
		return nil, false
	}
	return estimate(key, atomsOf(losses, masses), top, -ulp), true
}

// composeToList returns a composition as a list, from above.
func composeToList(key string, lines []spectrum.Line, fineness float64) (*Estimate, bool) {
	losses, masses, top, ok := exact.Pessimistic(lines, fineness)
	if !ok {
		return nil, false
	}
	return estimate(key, atomsOf(losses, masses), top, 0), true
}

// atomsOf returns the atoms at some losses, given their P-masses.
func atomsOf(losses, masses []float64) []atom {
	points := make([]atom, len(losses))
	for i, x := range losses {
		points[i] = atom{x, masses[i], masses[i] * math.Exp(-x)}
	}
	return points
}
