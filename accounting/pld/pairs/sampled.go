package pairs

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"epsiloscope/accounting/pld/loss"
	"epsiloscope/accounting/special"
)

// Releases that see a sample only: the sample secret, with a record that leaves or comes in
// or is changed, or public.

// Subsample returns the pair of a release that sees each record independently with
// probability q, under add-remove adjacency (Zhu, Dong, Wang 2022, Theorem 11):
// (1−q)Q + qP against Q for remove, Q against that for add, with (P, Q) the inner
// remove pair.
func Subsample(q float64, inner Pair) Pair {
	inner = inner.orInvalid()
	switch {
	case !(q > 0): // a rate of 0 is a forgotten one
		return invalidPair()
	case q >= 1:
		return inner
	}
	return Pair{
		Remove: mapEstimates(func(l ...*Estimate) *Estimate { return sampledRemoveLoss(q, l[0]) }, inner.Remove),
		Add:    mapEstimates(func(l ...*Estimate) *Estimate { return sampledAddLoss(q, l[0]) }, inner.Add),
	}
}

// sampledRemoveLoss returns P′ = (1−q)Q + qP against Q. Its loss is the monotone change
// L′ = ln(1 − q + q·e^L), and P′(S) − e^y·Q(S) = q·(P(S) − e^x·Q(S)) with y = ln(1 − q + q·e^x).
func sampledRemoveLoss(q float64, inner *Estimate) *Estimate {
	l := newEstimate("sampled-remove("+number(q)+","+inner.key+")",
		func() loss.Distribution { return loss.Subsample(q, inner.of()) },
		func(y float64) float64 {
			x := special.LogUnmix(q, y)
			if math.IsInf(x, -1) {
				return special.Log1mExp(math.Min(0, y))
			}
			return special.Log(q) + inner.LogDelta(x)
		})
	l.top = q * inner.top
	l.form = inner.form.sample(Mixed, q)
	l.unresolvable, l.orders = inner.unresolvable, inner.orders
	// The Rényi divergence is quasi-convex, so mixing with Q only lowers it (van Erven &
	// Harremoës 2014, Theorem 13). And with r = P/Q, ‖1−q+q·r‖_α ≤ 1−q+q·‖r‖_α under Q (Minkowski).
	l.bound = func(alpha float64) float64 {
		plain := inner.Renyi(alpha)
		if share := (alpha - 1) / alpha; share > 0 {
			return math.Min(plain, special.LogMix(q, share*plain)/share*(1+1e-14))
		}
		return plain
	}
	return l
}

// sampledAddLoss returns the reverse, Q against (1−q)Q + qP, from the loss M of Q against P:
// Q(S) − e^y·P′(S) = (1 − (1−q)e^y)·(Q(S) − e^m·P(S)) with e^m = q·e^y/(1 − (1−q)e^y).
func sampledAddLoss(q float64, inner *Estimate) *Estimate {
	l := newEstimate("sampled-add("+number(q)+","+inner.key+")",
		func() loss.Distribution { return loss.SampledAdd(q, inner.of()) },
		func(y float64) float64 {
			m := -special.LogUnmix(q, -y)
			if math.IsInf(m, 1) {
				return math.Inf(-1)
			}
			return special.Log1mExp(math.Min(0, math.Log1p(-q)+y)) + inner.LogDelta(m)
		})
	l.form, l.added = inner.form.sample(Mixed, q), true
	l.unresolvable, l.orders = inner.unresolvable, inner.orders
	l.bound = inner.Renyi
	return l
}

// SampledReplace returns the pair under replace of a release that samples each record with probability q, if
// the inner pair holds both under replace and under add-remove: δ(ε) = q·δ_inner(ln(1+(e^ε−1)/q)) for ε ≥ 0,
// mirrored below (Balle, Barthe, Gaboardi 2018, Theorem 2).
//
// The loss is symmetric: above 0 it is that of the sampled release under removal, below 0 its mirror image,
// and the remaining mass is at 0. It serves both directions. Composing only one of its halves would give too
// small a bound, because an analyst may swap the roles of the two records from release to release. The pair
// is attained at each ε separately, by a record that counts against one that does not, but not at all ε at
// once; that record is the lower end.
func SampledReplace(q float64, inner Pair) Pair {
	inner = inner.orInvalid()
	switch {
	case !(q > 0):
		return invalidPair()
	case q >= 1 || !inner.Symmetric(): // sampling never costs more
		return inner
	}
	upper, lower := sampledReplaceLoss(q, inner.Remove.upper), sampledRemoveLoss(q, inner.Remove.lower)
	return SymmetricPair(&Loss{upper.key + "|" + lower.key, upper, lower, cmp.Or(inner.Remove.note, changedNote)})
}

const changedNote = "the lower end knows a record that counts against one that does not; over several releases the interval is not tight"

// sampledReplaceLoss returns the loss under replace of a release sampled with rate q: the sampled loss of
// removal, made symmetric by [loss.Distribution.Symmetrize].
func sampledReplaceLoss(q float64, inner *Estimate) *Estimate {
	half := sampledRemoveLoss(q, inner)
	l := newEstimate("sampled-replace("+number(q)+","+inner.key+")", func() loss.Distribution { return half.of().Symmetrize() }, nil)
	l.curve = func(epsilon float64) float64 {
		if epsilon < 0 { // δ(ε) = 1 − e^ε + e^ε·δ(−ε)
			return special.LogAdd(special.Log1mExp(epsilon), epsilon+half.LogDelta(-epsilon))
		}
		return half.LogDelta(epsilon)
	}
	l.top, l.unresolvable, l.orders = half.top, inner.unresolvable, inner.orders
	l.form = inner.form.sample(Mirrored, q)
	l.bound = func(alpha float64) float64 { // of a sample that is revealed
		return special.MixedRenyi([]float64{1 - q, q}, []float64{0, inner.Renyi(alpha)}, alpha)
	}
	return l
}

// RevealedMixture returns the pair of a release that is the i-th of the given ones with
// probability weights[i] and reveals which: δ(ε) = Σ wᵢ·δᵢ(ε) for every real ε. It dominates the
// release that keeps the choice secret too, because the hockey-stick divergence is jointly
// convex.
//
// So a record that is sampled with probability q into a release whose stated guarantee is for a
// replaced record costs RevealedMixture({1−q, q}, {identical pair, release}): data sets in which
// the numbers of the sampled rows are released attain it.
//
// The weights are at least 0, and their sum is 1 or more up to rounding.
func RevealedMixture(weights []float64, pairs []Pair) Pair {
	sum := 0.0
	for _, w := range weights {
		if !(w >= 0) {
			return invalidPair()
		}
		sum += w
	}
	// a sum that is short by less is not charged for it; lower ends of groups leave out 1e-12
	if len(weights) != len(pairs) || !(sum >= 1-1e-11) {
		return invalidPair()
	}
	weights = slices.Clone(weights)
	return eachWay("", pairs, func(_ string, losses []*Loss) *Loss {
		return mapEstimates(func(l ...*Estimate) *Estimate { return mixKnownLosses(weights, l) }, losses...)
	})
}

// mixKnownLosses returns a loss that is one of several, and it is known which.
func mixKnownLosses(weights []float64, inner []*Estimate) *Estimate {
	names := make([]string, len(inner))
	for i, in := range inner {
		names[i] = number(weights[i]) + "×" + in.key
	}
	l := newEstimate("revealed("+strings.Join(names, ",")+")", func() loss.Distribution {
		parts := make([]loss.Distribution, len(inner))
		for i, in := range inner {
			parts[i] = in.of()
		}
		return loss.RevealedMixture(weights, parts)
	}, func(epsilon float64) float64 {
		sum := math.Inf(-1)
		for i, in := range inner {
			sum = special.LogAdd(sum, special.Log(weights[i])+in.LogDelta(epsilon))
		}
		return math.Min(0, sum)
	})
	// ln(Σ wᵢ·e^{(α−1)Dᵢ})/(α−1), exact as the lot is part of the release.
	l.bound = func(alpha float64) float64 {
		values := make([]float64, len(inner))
		for i, in := range inner {
			values[i] = in.Renyi(alpha)
		}
		return special.MixedRenyi(weights, values, alpha)
	}
	l.boundIsExact = true
	l.form = Form{Reason: byLot}
	if len(inner) == 2 && inner[0].key == "nothing" && inner[1].form.Kind == "pure" && inner[1].form.Scheme == "" {
		l.form = Form{Kind: "response", Size: inner[1].form.Size, Share: weights[1]}
	}
	for i, in := range inner {
		l.top += weights[i] * in.top
		l.unresolvable, l.orders = l.unresolvable || in.unresolvable, math.Min(l.orders, in.orders)
	}
	return l
}
