package pairs

import (
	"math"
	"slices"

	"epsiloscope/accounting/special"
)

// Group privacy for a mechanism of which only (ε, δ) is known.

// The largest groups for which every loss is listed; larger ones are estimated on a mesh.
const (
	maxListedSteps          = 1 << 12
	maxListedStepsWithDelta = 1 << 10 // if δ > 0
)

// approximateGroup returns the dominating pair for k records of a mechanism that is known to be (ε, δ)-DP for one:
// the k-fold chain of the trade-off function of one record. Some mechanism attains it, so both ends are tight.
//
// If δ = 0 the chain is two-sided geometric noise shifted by k. Each step has the losses ±ε with the masses of
// randomized response, and all steps order the outcomes alike, as [chain] requires. So the loss has k + 1 values: kε,
// (k−2)ε, …, −kε. The closed group bound (Dwork & Roth 2014, Theorem 2.2) is randomized response with kε, which has
// only the first and the last of them.
//
// If k is too large to list every loss, the upper estimate is on a mesh, and the lower estimate is Laplace noise
// shifted by kε, each step of which is ε-DP.
func approximateGroup(epsilon, delta, k float64) Pair {
	k = math.Ceil(k)
	switch {
	case !(epsilon > 1e-290) || !(k*epsilon < 1e15) || k > 1<<62: // beyond what 1/ε, the losses and k can be
		together := Approximate(k*epsilon, special.GroupDelta(epsilon, delta, k))
		if k*epsilon < 1e-150 { // as good as 0, where a group fails with the sum of what its records fail with
			return together
		}
		return Bracket(together, Laplace(k*epsilon), tooManySteps)
	case delta == 0 && k <= maxListedSteps:
		return DiscreteLaplace(1/epsilon, int(k))
	case delta >= 1:
		return disclosingPair()
	}
	key := "approximate-group(" + number(epsilon) + "," + number(delta) + "," + number(k) + ")"
	const fineness = 6 * chainFineness
	all := finite(chainOf(key, Approximate(epsilon, delta).Remove.upper, int(k), fineness), fineness)
	if delta == 0 || k > maxListedStepsWithDelta {
		return bracketPair(key, SymmetricPair(exactLoss(all)), Laplace(k*epsilon), manySteps)
	}
	points := slices.Clone(all.list)
	for i, a := range points { // sums of ±ε, each in its own order: equal ones may differ by an ulp
		points[i].loss = math.Round(a.loss/epsilon) * epsilon
	}
	top := math.Min(1, all.top*(1+4*ulp*k)) // every step rounds every mass a few times
	return SymmetricPair(exactLoss(newList(key, points, top, top, 16*ulp*k)))
}

// tooManySteps is the note on intervals of groups beyond the numbers of a mesh.
const tooManySteps = "the group is too large for a mesh: the upper end has its total guarantee, and the lower end is that of Laplace noise"

// manySteps is the note on intervals of groups too large to list every loss.
const manySteps = "the group is too large to list every loss: the upper end is computed on a mesh, and the lower end is that of Laplace noise"
