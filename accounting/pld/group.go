package pld

import (
	"math/bits"
	"strconv"
)

// Several steps between two data sets: a record replaced by another, several records of one
// person.

// notTight is what intervals say of pairs built by chaining.
const notTight = "the upper end chains two neighbouring steps; the lower end knows one step only, so the interval is not tight"

// chainFineness is how many cells to a deviation a list has that is to be chained.
const chainFineness = 80

// Replace is the pair of a release under replace-one adjacency, given its add-remove
// pair: the record is removed, then another added. For additive noise and for
// generic promises the two steps add in closed form; in general the result is a
// dominating pair, not a tight one.
func Replace(p Pair) Pair {
	if q, ok := scaled(p, 2); ok {
		return q
	}
	key := "replace(" + p.Key() + ")"
	up := chain(key, finite(p.Remove.upper, chainFineness), finite(p.Add.upper, chainFineness))
	return symmetric(&Loss{key, up, p.Remove.lower, notTight})
}

// Group is the pair of a release when one person may contribute k records.
func Group(p Pair, k int) Pair {
	if k <= 1 {
		return p
	}
	if q, ok := scaled(p, float64(k)); ok {
		return q
	}
	return eachWay("group("+strconv.Itoa(k)+","+p.Key()+")", []Pair{p}, func(key string, l []*Loss) *Loss {
		return &Loss{key, chainOf(key, l[0].upper, k, chainFineness), l[0].lower, notTight}
	})
}

// scaled covers the pairs for which k steps are a pair of the same family: k times
// the shift of additive noise (exact, as the neighbours lie on one line), k times the
// range, and generic promises (Dwork & Roth 2014, Theorem 2.2, in its geometric form).
func scaled(p Pair, k float64) (Pair, bool) {
	if !p.Symmetric() {
		return Pair{}, false
	}
	if l, ok := p.Remove.upper, p.Remove.exact(); ok && l.steps != nil {
		return l.steps(k), true
	}
	return Pair{}, false
}

// chainOf is the chain of k equal steps, by doubling: two chains of m steps, one after the other,
// are one of 2m.
func chainOf(key string, one *law, k int, fineness float64) *law {
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
