package pairs

import (
	"math"
	"slices"

	"epsiloscope/accounting/special"
)

// SampledReplaceBy returns the pair under replace of a release that samples each record with probability q,
// from two pairs of the release without sampling: addRemove for add-remove and replace for replace.
//
// Three bounds hold at every ε ≥ 0, and mirrored below. First, a removal followed by an addition: the chain
// of the sampled add-remove pair. Second, by convexity, q·[(1−β)·δ_addRemove(t) + β·δ_replace(t)] with t =
// ln(1+(e^ε−1)/q) and β = e^{ε−t}. Third, q·δ_replace(ε), as if the sample were public. None of them is
// always the smallest. The true δ(ε) is convex in e^ε and below all three, so it is below the greatest convex
// function that is below all three, which is the δ(ε) of a pair and composes.
func SampledReplaceBy(q float64, addRemove, replace Pair) Pair {
	addRemove, replace = addRemove.orInvalid(), replace.orInvalid()
	switch {
	case addRemove.Key() == replace.Key() || !(q > 0):
		return SampledReplace(q, replace)
	case q >= 1:
		return replace
	}
	key := "sampled-replace-by(" + number(q) + "," + addRemove.Key() + "," + replace.Key() + ")"
	if !addRemove.Symmetric() || !replace.Symmetric() {
		// what holds whatever is said of absence
		return RevealedMixture([]float64{1 - q, q}, []Pair{identicalPair(), replace})
	}
	a, b := addRemove.Remove.upper, replace.Remove.upper
	chained := Replace(Subsample(q, addRemove)).Remove.upper
	curve := func(epsilon float64) float64 {
		t := special.LogUnmix(q, epsilon)
		beta := math.Exp(epsilon - t)
		mixed := q * ((1-beta)*math.Exp(a.LogDelta(t)) + beta*math.Exp(b.LogDelta(t)))
		return math.Min(math.Min(mixed, q*math.Exp(b.LogDelta(epsilon))), math.Exp(chained.LogDelta(epsilon)))
	}
	mesh := []float64{0}
	for _, l := range []*Estimate{sampledReplaceLoss(q, a), sampledReplaceLoss(q, b), b, chained} {
		for _, p := range finite(l, chainFineness).list {
			if x := math.Abs(p.loss); x < 600 {
				mesh = append(mesh, x)
			}
		}
	}
	slices.Sort(mesh)
	mesh = slices.Compact(mesh)
	value := make([]float64, len(mesh))
	for i, x := range mesh {
		value[i] = math.Min(1, curve(x)*(1+1e-10)) // above what is lost in computing it
	}
	return SymmetricPair(&Loss{key, symmetricDots(key, mesh, value, 0),
		smallerSample(q, addRemove, replace), replaceByNote})
}

const replaceByNote = "the upper end combines three bounds for a replaced record; the lower end is only that of a record that contributes against one that does not, so the interval is not tight"

// smallerSample returns a lower estimate that is attained: the sampled pair of a record that
// contributes the smaller of the two sensitivities against one that contributes nothing.
func smallerSample(q float64, addRemove, replace Pair) *Estimate {
	name, size := Family(addRemove)
	other, more := Family(replace)
	if name != other {
		return identicalPair().Remove.lower
	}
	smaller := addRemove
	if more < size {
		smaller = replace
	}
	return Subsample(q, smaller).Remove.lower
}
