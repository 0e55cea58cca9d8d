package pairs

import (
	"math"
	"slices"

	"epsiloscope/accounting/pld/spectrum"
	"epsiloscope/accounting/special"
)

// Which groups of a data set are shown, by the number of people in each: a group that a person is the
// first in is shown with a small probability τ and gives her away, and the decision about a group
// that exists without her changes a little.

const shownNote = "the lower end is the better of two attacks: the person is the first in her groups, or joins groups that exist without her"

// OptimalDecision returns the pair of the decision whether one group is shown. The upper end is that of any
// (ε, δ)-DP decision. The lower end is the better of two attacks: on a group that is shown with probability
// `with` if the person is in it and `without` if not, and on a group in which the person is alone, which is
// shown with probability δ.
func OptimalDecision(epsilon, delta, with, without float64) Pair {
	return shownPair(Approximate(epsilon, delta).Remove.upper, decision(with, without), decision(without, with), delta)
}

// decision returns an optimistic estimate of a yes with probability p against one with probability q,
// of which both may be off by shownError of themselves and eight roundings of 1. P-masses are lowered,
// and Q-masses raised: losses are smaller than they are.
func decision(p, q float64) *Estimate {
	const rounded = 8 * ulp
	list := []atom{
		{p: p*(1-shownError) - rounded, q: q*(1+shownError) + rounded},
		{p: 1 - p - shownError*p - rounded, q: 1 - q + shownError*q + rounded},
	}
	list = slices.DeleteFunc(list, func(a atom) bool { return !(a.p > 0) })
	for i, a := range list {
		loss := math.Log(a.p/a.q) - 4*ulp
		list[i] = atom{loss, a.p, a.p * math.Exp(-loss)}
	}
	if len(list) == 0 {
		return identicalPair().Remove.lower
	}
	return estimate("shown("+number(p)+","+number(q)+")", list, 0, -ulp)
}

// shownError bounds the relative error of a computed probability that a group is shown. A lower end takes such a
// probability for smaller by the share thresholdMargin, as thresholds are a hair stricter than stated.
const (
	shownError      = 1e-11
	thresholdMargin = 4e-9
)

// NoisyThreshold returns the pair of one group whose noisy number of people is released if it reaches a
// threshold. The count of a single person reaches it with probability τ, and then reveals the person;
// otherwise the pair is that of the noise, which must be symmetric. The lower end attacks a group of many
// people.
func NoisyThreshold(noise Pair, tau float64) Pair {
	noise = noise.orInvalid()
	upper := RevealedMixture([]float64{tau, 1 - tau}, []Pair{disclosingPair(), noise}).Remove.upper
	switch f := noise.Remove.upper.form; f.Kind {
	case "pure":
		upper = Approximate(f.Size, tau).Remove.upper
	case "laplace": // a pair with a name dominates it
		named := *upper
		named.form = Form{Kind: "approximate", Size: f.Size, Delta: tau}
		upper = &named
	}
	return shownPair(upper, noise.Remove.lower, noise.Add.lower, tau)
}

// GaussianThreshold returns the pair of all k groups of a person whose numbers of people are released
// with Gaussian noise of deviation σ if they reach a threshold, which that of a single person does
// with probability τ. All of it is known to be (ε, δ)-DP.
//
// If j of the k groups are new, none of them is shown with probability c = (1−τ)^j, and k−j
// counts move by one: δ(x) is the larger of 1−c+c·δ_{k−j}(x−ln c) and, in the other order,
// δ_{k−j}(x+ln c) (Wilkins et al. 2024), and the largest of these over j. Of very many groups a range
// of j is bounded by its least c and its largest k−j.
func GaussianThreshold(sigma, tau, k, epsilon, delta float64) Pair {
	if !(sigma > 0 && tau > 0 && tau < 1 && k >= 1) {
		return invalidPair()
	}
	stated, mu := Approximate(epsilon, delta).Remove.upper, math.Sqrt(k)/sigma
	if !(mu < widest) {
		return UpperOnly(SymmetricPair(exactLoss(stated)), shownNote)
	}
	key := "shown-gaussian(" + number(sigma) + "," + number(tau) + "," + number(k) + "," + number(epsilon) + "," + number(delta) + ")"
	return slowPairs.get(key, func() Pair {
		mesh, value := gaussianThresholdCurve(sigma, tau, k, stated, epsilon)
		upper := symmetricDots(key, mesh, value, 4*ulp)
		upper.form = stated.form
		attack := gaussian(mu * (1 - 4*ulp))
		return shownPair(upper, attack, attack, -math.Expm1(k*math.Log1p(-tau)))
	})
}

// gaussianThresholdCurve returns upper ends of δ of a [GaussianThreshold] at losses from 0 up, falling. It is stated to
// be (ε, δ)-DP.
func gaussianThresholdCurve(sigma, tau, k float64, stated *Estimate, epsilon float64) (mesh, value []float64) {
	mu := math.Sqrt(k) / sigma
	end := mu*mu/2 + 14*mu - k*math.Log1p(-tau)
	step := mu / 24
	for x := 0.0; x < end; x += step {
		if before := x - step; before < epsilon && epsilon*(1+1e-6) < x { // where it is close to what is stated
			mesh = append(mesh, epsilon, epsilon*(1+1e-7))
		}
		mesh = append(mesh, x)
	}
	value = make([]float64, len(mesh))
	for i, x := range mesh {
		most := GaussianThresholdDelta(sigma, tau, k, x, 64) * (1 + 1e-11) // of a Gaussian's curve, generously
		value[i] = math.Min(1, math.Min(math.Exp(stated.LogDelta(x))*(1+4*ulp), most))
	}
	for i := len(mesh) - 2; i >= 0; i-- {
		value[i] = math.Max(value[i], value[i+1])
	}
	return mesh, value
}

// maxNamedGroups is the largest number of groups per person whose names are composed.
const maxNamedGroups = 4096

// GaussianNames returns the pair of all k groups of a person if only the names are released of those whose number of
// people reaches the threshold of [GaussianThreshold], by a rule for each. From above it is the smaller of that of k
// bits, and that of the noisy numbers; from below all k groups are attacked alike.
func GaussianNames(rule Names, sigma, tau, k, epsilon, delta float64) Pair {
	counts := GaussianThreshold(sigma, tau, k, epsilon, delta)
	one := NamesPair(rule)
	mu := math.Sqrt(k) / sigma
	if !(mu < widest) || k > maxNamedGroups || k < 1 { // what one group tells is told
		return Bracket(counts, one, namesNote)
	}
	key := "names-gaussian(" + one.Key() + "," + counts.Key() + ")"
	return slowPairs.get(key, func() Pair {
		all := compact([]Part{{one, k}})
		stated := Approximate(epsilon, delta).Remove.upper
		mesh, value := gaussianThresholdCurve(sigma, tau, k, stated, epsilon)
		if k == 1 {
			mesh = dropNearby(slices.Sorted(
				slices.Values(append(mesh, newBits(rule).mesh(mesh[len(mesh)-1], false)...))))
			value = nil
			for _, x := range mesh {
				value = append(value, math.Exp(counts.Remove.LogDelta(x))*(1+1e-11))
			}
		}
		smaller := func(l *Loss) []float64 {
			least := slices.Clone(value)
			for i, x := range mesh {
				least[i] = math.Min(value[i], math.Exp(l.LogDelta(x))*(1+1e-11))
			}
			return least
		}
		with, without := smaller(all.Remove), smaller(all.Add)
		remove, add := directedDots(key, mesh, with, without, 4*ulp), directedDots(key+"′", mesh, without, with, 4*ulp)
		remove.form, add.form = stated.form, stated.form
		below := *composeAttacks(key+"-", one.Remove.lower, k)
		below.elsewhere = -math.Expm1(k*math.Log1p(-tau)) * (1 - thresholdMargin)
		return Pair{Remove: &Loss{key, remove, &below, namesNote},
			Add: &Loss{key + "′", add, composeAttacks(key+"′-", one.Add.lower, k), namesNote}}
	})
}

// composeAttacks returns a lower estimate with its attacks, each made k times.
func composeAttacks(key string, lower *Estimate, k float64) *Estimate {
	if k == 1 {
		return lower
	}
	var all []*Estimate
	for _, a := range lower.Attacks() {
		if list, ok := composeToLowerList(key+a.key, []spectrum.Line{{Loss: a.of(), Count: k}}, blockFineness); ok {
			all = append(all, list)
		}
	}
	if len(all) == 0 {
		return lower
	}
	first := *all[0]
	first.attacks, first.alone = all[1:], func(epsilon float64) (most float64) {
		most = lower.LogDeltaAlone(epsilon)
		for _, a := range all {
			most = math.Max(most, a.LogDelta(epsilon))
		}
		return most
	}
	return &first
}

// GaussianThresholdDelta returns an upper bound on δ at ε of the groups of [GaussianThreshold]. The number j
// of new groups is tried in at most about `tried` ranges, each bounded by its worst j: more ranges give a
// smaller bound.
func GaussianThresholdDelta(sigma, tau, k, epsilon, tried float64) (most float64) {
	noise := func(groups, x float64) float64 {
		if groups <= 0 {
			return math.Max(0, -math.Expm1(x))
		}
		return math.Exp(special.LogGaussianProfile(math.Sqrt(groups)/sigma, x))
	}
	step := math.Max(1, math.Ceil(k/tried))
	for j := 0.0; j <= k; j += step {
		log, moved := math.Min(j+step-1, k)*math.Log1p(-tau), k-j
		most = math.Max(most, -math.Expm1(log)+math.Exp(log)*noise(moved, epsilon-log))
		most = math.Max(most, noise(moved, epsilon+log))
	}
	return most
}

// shownPair joins an upper end with attacks on groups that exist, and with one on new groups, which
// gives a person who is there away with probability at least about τ.
func shownPair(upper, remove, add *Estimate, tau float64) Pair {
	with := *remove
	with.elsewhere = tau * (1 - thresholdMargin)
	key := "between(" + upper.key + "," + with.key + "," + number(tau) + ")"
	return Pair{Remove: &Loss{key, upper, &with, shownNote}, Add: &Loss{key + "′", upper, add, shownNote}}
}
