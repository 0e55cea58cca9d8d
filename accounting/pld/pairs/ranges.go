package pairs

import (
	"math"

	"epsiloscope/accounting/pld/ranges"
)

// Runs of releases of bounded range, such as selections (package ranges).

// AdaptiveRange returns the pair of count releases of ε-bounded range, each of which may be
// chosen adaptively, after the earlier answers; false if there are too many of them. The wider
// the interval may be, relative to ε, the less work it is.
//
// W_j(x), the largest δ at loss x that j releases allow ([ranges.Adaptive]), is convex in e^x,
// hence the curve of a pair, which dominates all of them together. Taking the worst t anew at
// every loss, as the pair of one release does, gives a larger ε.
//
// With other releases in the stack, also of bounded range with another ε, it stays valid in
// whatever order they come. Let D_{a,b}(x) = E[W_a(x − B)], where B is the loss of the pair of
// all others, b of them still to come. That no strategy reaches more follows by induction: a
// step of ours is worth at most max over t of E[D_{a−1,b}(x − L_t)] ≤ E[max over t of
// E[W_{a−1}(x − B − L_t)]] = D_{a,b}(x), because choosing t after an average is no better than
// choosing it knowing B; and a step of theirs likewise, D being symmetric in the two.
func AdaptiveRange(epsilon, count, width float64) (Pair, bool) {
	if count == 1 {
		return BoundedRange(epsilon), true
	}
	return adaptiveRangePair(epsilon, count, width, "", outcomes)
}

// AdaptiveRangeAt returns the pair of [AdaptiveRange] for all releases of a stack but the last
// ones: in its lower estimate the attacker plays the given t throughout.
func AdaptiveRangeAt(t, epsilon, count, width float64) (Pair, bool) {
	below := func(string, []ranges.Outcome) *Estimate { return steady(t, epsilon, count) }
	return adaptiveRangePair(epsilon, count, width, "at "+number(t), below)
}

func adaptiveRangePair(
	epsilon, count, width float64, how string, below func(key string, aimed []ranges.Outcome) *Estimate,
) (Pair, bool) {
	g, ok := ranges.NewAdaptive(epsilon, count, width)
	if !ok {
		return Pair{}, false
	}
	key := "adaptive-range" + g.String() + how
	return slowPairs.get(key, func() Pair {
		losses, deltas, aimed := g.Play()
		upper := symmetricDots("range-above"+g.String(), losses, deltas, 16*ulp)
		return SymmetricPair(&Loss{key, upper, below("range-aimed"+g.String(), aimed),
			"selections are composed by the recursion for bounded range; the lower end is that of an attacker who plays it"})
	}), true
}

// MaxFixed is the largest number of releases that FixedRange has a pair for.
const MaxFixed = ranges.MaxFixed

// FixedRange returns the pair of count releases of ε-bounded range that are all fixed before the
// first answer is seen; false where there are too many of them, or one alone.
func FixedRange(epsilon, count float64) (Pair, bool) {
	f, ok := ranges.NewFixed(epsilon, count)
	if !ok {
		return Pair{}, false
	}
	of := "(" + number(epsilon) + "," + number(count) + ")"
	return slowPairs.get("fixed-range"+of, func() Pair {
		losses, deltas, t := f.UpperCurve()
		return SymmetricPair(&Loss{"fixed-range" + of, symmetricDots("fixed-above"+of, losses, deltas, 16*ulp), steady(t, epsilon, count),
			"holds for selections that are all fixed before the first answer is seen; the lower end is that of one attacker"})
	}), true
}

// IndividualRange returns the pair of one release of ε-bounded range among too many for the
// recursion: its own pair as the upper estimate, randomized response with ε/2, whose range is ε,
// as the lower.
func IndividualRange(epsilon float64) Pair {
	return bracketPair("range-apart("+number(epsilon)+")", BoundedRange(epsilon), Pure(epsilon/2),
		"of many selections each is taken by itself; the lower end is that of randomized response")
}

// Event is an event that an attacker looks at, of probability P on a data set and Q on a neighbour, 0 < Q < P < 1.
type Event struct{ P, Q float64 }

// BracketByAttack returns a symmetric pair with another lower estimate: in each of count releases the attacker looks at
// one event. If there is one release, the best of all events that are open to him is what it reveals alone; kind names
// them.
func BracketByAttack(upper Pair, best Event, count float64, kind string, all []Event, note string) Pair {
	lower := attack(best.P, best.Q, count)
	if count == 1 {
		known := *lower
		known.key += " of " + kind
		known.alone = func(epsilon float64) float64 {
			most := 0.0
			for _, e := range all {
				most = math.Max(most, e.P*(1-shownError)-math.Exp(epsilon)*e.Q*(1+shownError))
			}
			return math.Log(most)
		}
		lower = &known
	}
	return Bracket(upper, SymmetricPair(exactLoss(lower)), note)
}

// AttackEpsilon returns about the ε that the attacker of [BracketByAttack] reaches at δ, or least if that is no more.
func AttackEpsilon(p, q, count, delta, least float64) float64 {
	low, high := least, count*math.Log(p/q)
	if high <= least {
		return least
	}
	reached := attackAbove(p, q, count, least) // δ at a loss is a sum over the larger ones
	if reached.LogDelta(least) <= math.Log(delta) {
		return least
	}
	for range 40 {
		if x := (low + high) / 2; reached.LogDelta(x) > math.Log(delta) {
			low = x
		} else {
			high = x
		}
	}
	return low
}

func attack(p, q, count float64) *Estimate { return attackAbove(p, q, count, math.Inf(-1)) }

// attackAbove returns an estimate that is good at losses of least and above: the outcomes of several releases with
// smaller losses are left out.
func attackAbove(p, q, count, least float64) *Estimate {
	up, down := math.Log(p/q), math.Log1p(-p)-math.Log1p(-q)
	if count > 1 {
		return steadyAbove(up, up-down, count, least)
	}
	return newList("event("+number(p)+","+number(q)+")", []atom{{down, 1 - p, 1 - q}, {up, p, q}}, 0, 0, ulp)
}

// steady returns the loss of an attacker who plays t at every one of n steps.
func steady(t, epsilon, n float64) *Estimate { return steadyAbove(t, epsilon, n, math.Inf(-1)) }

func steadyAbove(t, epsilon, n, least float64) *Estimate {
	key := "range-steady(" + number(t) + "," + number(epsilon) + "," + number(n) + ")"
	if !math.IsInf(least, -1) {
		key += "above" + number(least)
	}
	return outcomes(key, ranges.Steady(t, epsilon, n, least))
}

func outcomes(key string, of []ranges.Outcome) *Estimate {
	points := make([]atom, len(of))
	for i, o := range of {
		points[i] = atom{o.Loss, o.P, o.Q}
	}
	return newList(key, points, 0, 0, ulp)
}
