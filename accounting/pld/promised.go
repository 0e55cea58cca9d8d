package pld

import (
	"math"
	"slices"

	"epsiloscope/accounting/special"
)

// Several steps, each known only by its (ε, δ).

// Up to finePromises steps of a guarantee every loss is listed.
const (
	finePromises   = 1 << 12
	finePromisesAt = 1 << 10 // with a δ
)

// approximateGroup returns the pair of k steps of which each is known to be (ε, δ)-DP only: the chain
// of the trade-off function of one step. It is attained, so both ends are tight.
//
// Without δ the chain is two-sided geometric noise shifted by k. There every step has
// the losses ±ε with the masses of randomized response, and all steps order the
// outcomes alike, which is what [chain] asks for. So the loss has k + 1 values, from kε
// by 2ε down; randomized response with kε, which knows the two outermost only, is what
// the closed group bound gives (Dwork & Roth 2014, Theorem 2.2).
//
// Longer chains are put in cells, from above; a lower estimate is Laplace noise shifted by kε,
// all steps of which are ε-DP.
func approximateGroup(epsilon, delta, k float64) Pair {
	k = math.Ceil(k)
	switch {
	case !(epsilon > 1e-290) || !(k*epsilon < 1e15) || k > 1<<62: // beyond what 1/ε, the losses and k can be
		return Approximate(k*epsilon, special.GroupDelta(epsilon, delta, k)) // taken together
	case delta == 0 && k <= finePromises:
		return DiscreteLaplace(1/epsilon, int(k))
	case delta >= 1:
		return disclosingPair()
	}
	key := "promised(" + number(epsilon) + "," + number(delta) + "," + number(k) + ")"
	const fineness = 6 * chainFineness
	all := finite(chainOf(key, Approximate(epsilon, delta).Remove.upper, int(k), fineness), fineness)
	if delta == 0 || k > finePromisesAt {
		return bracketPair(key, symmetric(exactLoss(all)), Laplace(k*epsilon), manySteps)
	}
	points := slices.Clone(all.list)
	for i, a := range points { // sums of ±ε, each in its own order: equal ones may differ by an ulp
		points[i].loss = math.Round(a.loss/epsilon) * epsilon
	}
	top := math.Min(1, all.top*(1+4*ulp*k)) // every step rounds every mass a few times
	return symmetric(exactLoss(newList(key, points, top, top, 16*ulp*k)))
}

// manySteps is the note of intervals of chains too long to be listed.
const manySteps = "losses that lie very close together are put in cells for the upper end; the lower end is that of Laplace noise"
