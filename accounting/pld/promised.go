package pld

import (
	"math"
	"slices"

	"epsiloscope/accounting/special"
)

// Several steps of which each is known by a promise only.

// Of so many steps of a promise every one is chained by itself; of more, several make
// one coarser step. A chain with a δ takes time the square of its length.
const (
	finePromises   = 1 << 12
	finePromisesAt = 1 << 10 // with a δ
)

// promised is the pair of k steps of which each is known to be (ε, δ)-DP only: the chain
// of the trade-off function of one step. It is attained, so both ends are tight.
//
// Without δ the chain is two-sided geometric noise shifted by k. There every step has
// the losses ±ε with the masses of randomized response, and all steps order the
// outcomes alike, which is what [chain] asks for. So the loss has k + 1 values, from kε
// by 2ε down; randomized response with kε, which knows the two outermost only, is what
// the closed group bound gives (Dwork & Roth 2014, Theorem 2.2).
//
// More steps than are chained one by one are taken m at a time: m steps promise
// (mε, δ(e^{mε}−1)/(e^ε−1)), which is an upper face; a lower one is Laplace noise shifted by
// kε, all steps of which are ε-DP.
func promised(epsilon, delta, k float64) Pair {
	k = math.Ceil(k)
	if !(epsilon > 1e-290) || !(k*epsilon < 1e15) { // beyond what 1/ε and the losses can be
		return Approximate(k*epsilon, special.GroupDelta(epsilon, delta, k)) // taken together
	}
	steps, each := coarser(k, finePromises)
	if delta > 0 {
		steps, each = coarser(k, finePromisesAt)
	}
	upper := promisedSteps(each*epsilon, special.GroupDelta(epsilon, delta, each), int(steps))
	if each == 1 {
		return upper
	}
	key := "promised(" + number(epsilon) + "," + number(delta) + "," + number(k) + ")"
	return between(key, upper, Laplace(k*epsilon), manySteps)
}

// manySteps is what intervals say of chains too long to be listed.
const manySteps = "losses that lie very close together are taken several at a time for the upper end; the lower end is that of Laplace noise"

// coarser divides k steps into at most so many, all of the same number: of the longer half
// of the choices that which makes fewest steps too many.
func coarser(k, most float64) (steps, each float64) {
	if k <= most {
		return k, 1
	}
	for n := most; n > most/2; n-- {
		if m := math.Ceil(k / n); steps == 0 || m*n < steps*each {
			steps, each = n, m
		}
	}
	return steps, each
}

// promisedSteps chains steps of an (ε, δ) promise.
func promisedSteps(epsilon, delta float64, steps int) Pair {
	if delta == 0 {
		return DiscreteLaplace(1/epsilon, steps)
	}
	one := Approximate(epsilon, delta).Remove.upper
	if one.top >= 1 {
		return everything()
	}
	key := "promised(" + number(epsilon) + "," + number(delta) + "," + number(float64(steps)) + ")"
	all := one
	for i := 1; i < steps; i++ {
		all = chain(key, all, one)
	}
	points := slices.Clone(all.list)
	for i, a := range points { // sums of ±ε, each in its own order: equal ones may differ by an ulp
		points[i].loss = math.Round(a.loss/epsilon) * epsilon
	}
	top := math.Min(1, all.top*(1+4*ulp*float64(steps))) // every step rounds every mass a few times
	return symmetric(known(newList(key, points, top, top)))
}
