package pld

import (
	"math"
	"slices"

	"epsiloscope/accounting/special"
)

// SampledAbsent returns the pair under replace of a release that samples each record with
// probability q, where `absent` bounds one present against one absent record and `changed` one
// replaced record.
//
// Three bounds hold at every ε ≥ 0, and mirrored below: the record leaves and the other comes
// in, a chain of the sampled absent pair; with t = ln(1+(e^ε−1)/q) and β = e^{ε−t},
// q·[(1−β)·δ_absent(t) + β·δ_changed(t)], by convexity; and q·δ_changed(ε), as if the sample
// were public. None is always the smallest. The true curve is convex in e^ε and lies below all
// three, so it lies below the greatest convex function that does, which is the curve of a pair
// and composes.
func SampledAbsent(q float64, absent, changed Pair) Pair {
	absent, changed = absent.orInvalid(), changed.orInvalid()
	switch {
	case absent.Key() == changed.Key() || !(q > 0):
		return SampledReplace(q, changed)
	case q >= 1:
		return changed
	}
	key := "sampled-absent(" + number(q) + "," + absent.Key() + "," + changed.Key() + ")"
	if !absent.Symmetric() || !changed.Symmetric() {
		return RevealedMixture([]float64{1 - q, q}, []Pair{identicalPair(), changed}) // what holds whatever is said of absence
	}
	a, b := absent.Remove.upper, changed.Remove.upper
	chained := Replace(Subsample(q, absent)).Remove.upper
	curve := func(epsilon float64) float64 {
		t := special.LogUnmix(q, epsilon)
		beta := math.Exp(epsilon - t)
		mixed := q * ((1-beta)*math.Exp(a.LogDelta(t)) + beta*math.Exp(b.LogDelta(t)))
		return math.Min(math.Min(mixed, q*math.Exp(b.LogDelta(epsilon))), math.Exp(chained.LogDelta(epsilon)))
	}
	mesh := []float64{0}
	for _, l := range []*knownLoss{sampledReplaceLoss(q, a), sampledReplaceLoss(q, b), b, chained} {
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
	return symmetric(&Loss{key, symmetricDots(key, mesh, value, 0), smallerSample(q, absent, changed), absentNote})
}

const absentNote = "the upper end combines three bounds for a replaced record; the lower end is only that of a record that contributes against one that does not, so the interval is not tight"

// smallerSample returns a lower estimate that is attained: the sampled pair of a record that
// contributes the smaller of the two sensitivities against one that contributes nothing.
func smallerSample(q float64, absent, changed Pair) *knownLoss {
	name, size := Family(absent)
	other, more := Family(changed)
	if name != other {
		return identicalPair().Remove.lower
	}
	smaller := absent
	if more < size {
		smaller = changed
	}
	return Subsample(q, smaller).Remove.lower
}
