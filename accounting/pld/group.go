package pld

import (
	"math"
	"slices"
	"strconv"
)

// Several steps between two data sets: a record replaced by another, several records of one
// person.

// notTight is what intervals say of pairs built by chaining.
const notTight = "the upper end chains two neighbouring steps; the lower end knows one step only, so the interval is not tight"

// chainFineness is the number of mesh points per standard deviation of a chained
// stand-in.
const chainFineness = 80

// Replace is the pair of a release under replace-one adjacency, given its add-remove
// pair: the record is removed, then another added. For additive noise and for
// generic promises the two steps add in closed form; in general the result is a
// dominating pair, not a tight one.
func Replace(p Pair) Pair {
	if q, ok := scaled(p, 2); ok {
		return q
	}
	return symmetric(chained("replace("+p.Key()+")", []*Loss{p.Remove, p.Add}))
}

// Group is the pair of a release when one person may contribute k records.
func Group(p Pair, k int) Pair {
	if k <= 1 {
		return p
	}
	if q, ok := scaled(p, float64(k)); ok {
		return q
	}
	if k > maxSteps {
		return manyOf(p, k)
	}
	return eachWay("", []Pair{p}, func(_ string, l []*Loss) *Loss {
		return chained("group("+strconv.Itoa(k)+","+l[0].key+")", slices.Repeat(l, k))
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

// maxSteps bounds the number of steps that are chained one by one.
const maxSteps = 1000

// manyOf is a group too large to be chained step by step: from above so many steps of
// what the largest losses promise, from below one step.
func manyOf(p Pair, k int) Pair {
	key := "group(" + strconv.Itoa(k) + "," + p.Key() + ")"
	epsilon, delta := 0.0, 0.0
	for _, l := range []*Loss{p.Remove, p.Add} {
		epsilon, delta = math.Max(epsilon, l.upper.hi), math.Max(delta, l.upper.top)
	}
	upper := everything()
	if !math.IsInf(epsilon, 1) {
		upper = promised(epsilon, delta, float64(k))
	}
	return between(key, upper, p, notTight)
}

// chained is the bracket of several steps: above their chain, below one step, which
// a person realises whose other records contribute nothing.
func chained(key string, steps []*Loss) *Loss {
	up := finite(steps[0].upper, chainFineness)
	for _, next := range steps[1:] {
		up = chain(key, finite(up, chainFineness), finite(next.upper, chainFineness))
	}
	return &Loss{key, up, steps[0].lower, notTight}
}
