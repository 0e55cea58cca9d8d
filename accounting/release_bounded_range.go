package accounting

import (
	"math"

	"epsiloscope/accounting/pld"
	"epsiloscope/accounting/special"
)

// BoundedRangeDP is a release with ε-bounded range (Durfee & Rogers 2019): for each
// neighbouring pair the privacy loss lies in [t−ε, t] for some t. The exponential
// mechanism and report noisy max with Gumbel noise have it; noisy max with Laplace
// or exponential noise does not.
//
// It is ε-DP, with a Rényi curve and a ρ about four times smaller than those of a
// generic pure release. Those hold adaptively, as the worst t may be taken per
// release and per order. The dominating pair of one takes it per ε of the profile and is
// looser: over many such releases RDP and zCDP can beat it. The numerical column composes
// those of one ε together; see [ledger.adapt].
func BoundedRangeDP(epsilon float64) Release { return rangeDP(epsilon, false) }

// FixedRangeDP is the same where this release and all its copies in a stack are fixed
// before the first answer is seen. Only the numerical column gains by it, a little.
func FixedRangeDP(epsilon float64) Release { return rangeDP(epsilon, true) }

func rangeDP(epsilon float64, fixed bool) Release {
	if !finite(epsilon) {
		return Refused("bounded range", "ε must be a finite number of at least 0")
	}
	return boundedRange{pure{about("bounded range", "bounded-range", epsilon, fixed), epsilon}, fixed}
}

// FixedInAdvance reports whether the price of a release holds only where it is settled
// before any answer is seen.
func FixedInAdvance(r Release) bool { b, ok := behind[boundedRange](r); return ok && b.fixed }

type boundedRange struct {
	pure
	fixed bool // in advance
}

func (b boundedRange) Renyi(alpha float64) (float64, error) {
	return boundedRangeRenyi(b.epsilon, alpha), nil
}

func (b boundedRange) Concentrated() (rho float64, err error) {
	return boundedRangeRho(b.epsilon), nil
}

// Profile is the largest over t of the two-point curves.
func (b boundedRange) Profile(epsilon float64) (delta float64, err error) {
	return pld.BoundedRange(b.epsilon).Delta(epsilon), nil
}

func (b boundedRange) Pair() (pld.Pair, error) { return pld.BoundedRange(b.epsilon), nil }

// adapt puts one pair in the place of equal releases of bounded range, for whose worst
// choices, each made by looking at the past, there is a recursion. An attacker may leave one
// kind of them to the last, to aim by what all others gave: that is taken to be the dearest.
// What is sampled has no bounded range that would still hold. It reports whether there are any.
func (l *ledger) adapt(parts []pld.Part) bool {
	const beyond = 1e-30 // below which the grid of the recursion ends
	ranges := map[int]boundedRange{}
	dearest, most, all := -1, 0.0, 0.0
	for i, e := range l.entries {
		if rho, err := e.Release.Concentrated(); err == nil {
			all += e.Count * rho
		}
		if b, ok := behind[boundedRange](e.Release); ok && b.epsilon > 0 {
			ranges[i] = b
			if cost := e.Count * b.epsilon * b.epsilon; cost > most && !b.fixed {
				dearest, most = i, cost
			}
		}
	}
	width := l.width()
	order := 1 + math.Sqrt(special.Log(1/math.Max(l.target.Delta, beyond))/all) // about the best Rényi order
	for i, b := range ranges {
		count := l.entries[i].Count
		var pair pld.Pair
		ok := false
		if b.fixed && width < 1e-2 {
			pair, ok = pld.FixedRange(b.epsilon, count)
		}
		switch {
		case ok:
		case i == dearest:
			pair, ok = pld.AdaptiveRange(b.epsilon, count, width)
		default: // what may be chosen by looking bounds what may not
			t := b.epsilon - math.Min(b.epsilon, math.Max(0, boundedRangeGap(b.epsilon, order)))
			if pair, ok = pld.AdaptiveRangeAt(t, b.epsilon, count, width); ok && b.fixed && count > pld.MostFixed {
				pair = pld.Between(pair, pair, "there are too many selections for the bound of fixed ones: they are composed as if each were chosen by looking")
			}
		}
		if ok && !(l.target.Delta > 0 && l.target.Delta < beyond) {
			parts[i] = pld.Part{Pair: pair, Count: 1}
		} else {
			parts[i].Pair = pld.RangeApart(b.epsilon)
		}
	}
	return len(ranges) > 0
}

// aimOnce takes one selection at most for what an attacker aims by all other answers, the
// last. Those that are sampled, or in a block, have the pair of one that is aimed anew at every
// loss: several of them are dominated by it and do not attain it.
func (l *ledger) aimOnce(parts []pld.Part, aimed bool) []pld.Part {
	for i, e := range l.entries {
		response, some := responding(e.Release)
		if _, plain := behind[boundedRange](e.Release); plain || !some {
			continue
		}
		one := parts[i]
		if !aimed {
			aimed = true
			if one.Count == 1 {
				continue
			}
			parts = append(parts, pld.Part{Pair: one.Pair, Count: 1})
			one.Count--
		}
		if lower, err := pairOf(response); err == nil {
			parts[i] = pld.Part{Count: one.Count, Pair: pld.Between(one.Pair, lower,
				"of selections that are sampled or in blocks each is taken by itself; the lower end is that of randomized response")}
		}
	}
	return parts
}

// responding is a release with randomized response of ε/2, whose range is ε, in the place of
// what has bounded range; false where there is nothing of it.
func responding(r Release) (out Release, some bool) {
	all := func(entries []Entry) (out []Entry) {
		for _, e := range entries {
			one, is := responding(e.Release)
			out, some = append(out, Entry{one, e.Count}), some || is
		}
		return out
	}
	if b, ok := behind[boundedRange](r); ok {
		return PureDP(b.epsilon / 2), true
	}
	if s, ok := behind[sampled](r); ok {
		inner, some := responding(s.inner)
		absent, too := responding(s.absent)
		if s.changed {
			return SampledAbsent(absent, inner, s.q), some || too
		}
		return Subsample(inner, s.q), some
	}
	if g, ok := behind[group](r); ok {
		inner, some := responding(g.inner)
		return GroupOf(inner, g.k), some
	}
	if c, ok := behind[composite](r); ok {
		return Composite(all(c.entries)), some
	}
	if p, ok := behind[parallel](r); ok {
		branches := make([][]Entry, len(p.branches))
		for i, b := range p.branches {
			branches[i] = all(b)
		}
		return Parallel(branches, p.replace), some
	}
	if m, ok := behind[revealed](r); ok {
		parts := make([]Release, len(m.parts))
		for i, p := range m.parts {
			one, is := responding(p)
			parts[i], some = one, some || is
		}
		if len(parts) > mostRevealed+1 { // the last stands for more than are told apart, from above
			return PureDP(0), some
		}
		return newRevealed(m.Label, m.weights, parts, nil), some
	}
	return r, false
}

// boundedRangeRenyi is the largest two-point divergence over t in [0, ε]
// (Dong, Durfee & Rogers 2020). E_Q[e^{αL}] is A·e^{(α−1)t} − B·e^{αt} up to
// constants, so the worst t has a closed form:
// t = ε + ln[(α−1)(1−e^{−αε}) / (α(1−e^{−(α−1)ε}))].
func boundedRangeRenyi(epsilon, alpha float64) float64 {
	if epsilon == 0 {
		return 0
	}
	if math.IsInf(alpha, 1) {
		return epsilon
	}
	below := boundedRangeGap(epsilon, alpha) // ε − t
	if !(below > 0 && below < epsilon) {
		return epsilon // the order is too large for float64 to tell t from ε
	}
	return math.Min(epsilon, special.DiscreteRenyi(boundedRangePoints(epsilon, below), alpha))
}

// boundedRangeGap is ε − t for the worst t, in a form that does not cancel.
func boundedRangeGap(epsilon, alpha float64) float64 {
	switch x := (alpha - 1) * epsilon; {
	case epsilon < 1e-4: // the difference of two logarithms by the midpoint rule
		return -epsilon * relativeDecaySlope((alpha-0.5)*epsilon)
	case x > 1:
		return math.Log1p(1/(alpha-1)) + math.Log1p(-math.Exp(-x)) - math.Log1p(-math.Exp(-x-epsilon))
	default:
		return logRelativeDecay(x) - logRelativeDecay(x+epsilon)
	}
}

// boundedRangePoints is the worst pair for a given t = ε − below: loss t with
// Q-probability (e^{ε−t}−1)/(e^ε−1), else loss t−ε.
func boundedRangePoints(epsilon, below float64) []special.Outcome {
	t := epsilon - below
	upper := special.Log1mExp(-below) - t - special.Log1mExp(-epsilon)
	lower := special.Log1mExp(-t) - special.Log1mExp(-epsilon)
	return []special.Outcome{{LogQ: upper, Loss: t}, {LogQ: lower, Loss: -below}}
}

// boundedRangeRho is the smallest ρ of ε-bounded range: u − 1 − ln u with
// u = ε/(e^ε − 1) (Cesar & Rogers 2021, Lemma 3.4).
func boundedRangeRho(epsilon float64) float64 {
	if epsilon > 700 { // u underflows: −ln u = ε − ln ε up to e^{−ε}
		return epsilon - 1 - special.Log(epsilon)
	}
	if epsilon == 0 {
		return 0
	}
	w := -special.ExpRemainder(epsilon) / math.Expm1(epsilon) // u − 1
	if w < -0.5 {
		return w - (special.Log(epsilon) - special.Log(math.Expm1(epsilon)))
	}
	return special.LogRemainder(w)
}

// logRelativeDecay is ln((1−e^{−x})/x), 0 at 0.
func logRelativeDecay(x float64) float64 {
	if x == 0 {
		return 0
	}
	return special.Log(-math.Expm1(-x) / x)
}

// relativeDecaySlope is the derivative of logRelativeDecay: 1/(e^x−1) − 1/x.
func relativeDecaySlope(x float64) float64 {
	if x < 0.01 {
		return -0.5 + x/12 - x*x*x/720
	}
	return 1/math.Expm1(x) - 1/x
}
