package pairs

import (
	"math"
	"math/bits"
	"slices"
	"strconv"
)

// Several steps between two data sets: a record replaced by another, several records of one
// person.

// notTight is the note of intervals of pairs built by chaining.
const notTight = "the upper end chains two neighbouring steps; the lower end knows one step only, so the interval is not tight"

// chainFineness is the number of cells per deviation of a list that is to be chained.
const chainFineness = 80

// Replace returns the pair of a release under replace-one adjacency, given its add-remove
// pair: the record is removed, then another added. For additive noise and for
// stated guarantees the two steps add in closed form; in general the result is a
// dominating pair, not a tight one.
func Replace(p Pair) Pair {
	p = p.orInvalid()
	if q, ok := scaleInFamily(p, 2); ok {
		return q
	}
	key := "replace(" + p.Key() + ")"
	up := chain(key, finite(p.Remove.upper, chainFineness), finite(p.Add.upper, chainFineness))
	return SymmetricPair(&Loss{key, up, p.Remove.lower, notTight})
}

// Group returns the pair of a release when one person may contribute k records.
func Group(p Pair, k int) Pair {
	p = p.orInvalid()
	switch {
	case k < 1:
		return invalidPair()
	case k == 1:
		return p
	}
	if q, ok := scaleInFamily(p, float64(k)); ok {
		return q
	}
	return eachWay("group("+strconv.Itoa(k)+","+p.Key()+")", []Pair{p}, func(key string, l []*Loss) *Loss {
		return &Loss{key, chainOf(key, l[0].upper, k, chainFineness), l[0].lower, notTight}
	})
}

// scaleInFamily returns the pair of k steps if it is a pair of the same family, and whether it
// is: k times the shift of additive noise (exact, because the neighbours lie on one line), k
// times the range, and generic (ε, δ) guarantees (Dwork & Roth 2014, Theorem 2.2, in its
// geometric form).
func scaleInFamily(p Pair, k float64) (Pair, bool) {
	if !p.Symmetric() {
		return Pair{}, false
	}
	if l, ok := p.Remove.upper, p.Remove.Exact(); ok && l.steps != nil {
		return l.steps(k), true
	}
	return Pair{}, false
}

// chainOf returns the chain of k equal steps, by doubling: two chains of m steps, one after the other,
// are one of 2m.
func chainOf(key string, one *Estimate, k int, fineness float64) *Estimate {
	one = finite(one, fineness)
	all := one
	for bit := bits.Len(uint(k)) - 2; bit >= 0; bit-- {
		half := finite(all, fineness)
		if all = chain(key, half, half); k>>bit&1 == 1 {
			all = chain(key, finite(all, fineness), one)
		}
	}
	return all
}

// chain returns a loss that dominates P against Q when the two steps P against R and R
// against Q are dominated by first and second.
//
// If T(P, R) ≥ f and T(R, Q) ≥ g as trade-off functions then T(P, Q) ≥ g(1 − f)
// (Dong, Roth, Su 2022, Lemma A.5, the argument behind group privacy). That function is attained
// by the pair in which both steps order the outcomes alike: at the same quantile of
// R both losses add. For finitely many losses it is a merge of two
// sorted lists by R-mass. It is a trade-off function itself, so the result dominates
// and composes.
func chain(key string, first, second *Estimate) *Estimate {
	// R-mass of the first list is its Q-mass, of the second its P-mass, both from the
	// largest loss down; the second starts with its mass at +∞.
	over := []atom{{loss: math.Inf(1), p: second.top}}
	for _, b := range slices.Backward(second.list) {
		over = append(over, b)
	}
	top := first.top
	var points []atom
	// All masses are rounded: that covers more of R, and every P-mass is larger, by pad.
	const pad = 8 * ulp
	j, right := 0, second.top // R-mass left of over[j]
	for _, a := range slices.Backward(first.list) {
		for left := a.q; ; { // R-mass of a that is not yet placed
			for right <= 0 && j < len(over) {
				if j++; j < len(over) {
					right = over[j].p * (1 + pad)
				}
			}
			if j == len(over) {
				// What the second list does not cover can only be round-off; its lowest loss
				// already stands below.
				if n := len(points); n > 0 && a.q > 0 {
					points[n-1].p += a.p * (left / a.q)
				} else if n > 0 {
					points[n-1].p += a.p
				}
				break
			}
			r, p := math.Min(left, right), a.p
			if a.q > 0 { // without R-mass it takes no room in the second list
				p *= r / a.q
			}
			if b := over[j]; j == 0 {
				top += p
			} else {
				points = append(points, atom{a.loss + b.loss, p, b.q * (r / b.p)})
				if n := &points[len(points)-1]; p > 1e-290 && n.loss > -600 { // products would drift from step to step
					n.q = p * math.Exp(-n.loss)
				}
			}
			left -= r
			right -= r
			if left <= 0 {
				break
			}
		}
	}
	return estimate(key, points, math.Min(1, top), pad)
}
