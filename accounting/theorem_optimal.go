package accounting

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"epsiloscope/accounting/numeral"
	"epsiloscope/accounting/pld"
	"epsiloscope/accounting/pld/pairs"
)

// Optimal is optimal composition of (ε, δ) guarantees.
const Optimal Method = "optimal"

// The worst release that is (ε_i, δ_i)-DP fails with probability δ_i and is randomized
// response otherwise, so the composed loss lives on a lattice and its hockey-stick curve is
// linear in e^t between lattice points: the answer is exact at every δ, not only at the
// values (K−2i)ε that the theorem lists.
//
// The numerical accountant composes the responses, and its certified upper end is the bound. It lists every sum of
// losses while they are few, and that of K equal ε is exact to its round-off for any K. For many different ε the exact
// problem is #P-complete (Murtagh & Vadhan 2016): they are composed to the width asked for.
var optimalTheorem = Theorem{
	Method:    Optimal,
	Label:     "optimal KOV",
	Title:     "Optimal composition of (ε, δ) guarantees",
	Authors:   "Kairouz, Oh, Viswanath; Murtagh, Vadhan",
	Year:      2015,
	Source:    "The Composition Theorem for Differential Privacy (ICML 2015), Theorem 3.3; Murtagh & Vadhan 2016 (TCC), Theorem 1.5",
	Formula:   "δ = 1 − Π(1−δᵢ)^Kᵢ · (1 − Σ P(ℓ)·(1 − e^(ε−ℓ))₊),   ℓ = Σ ±εᵢ,  P(+εᵢ) = e^εᵢ/(1+e^εᵢ)",
	Looseness: "None for releases of which only ε and δ are known. Noise such as Laplace leaks less than its ε says.",
	Adaptive:  Adaptive{AdaptiveNotValid, "the true δ can be 1.38 times as large", "Use the plan filter or the zCDP filter."},
	CiteKey:   "KairouzOV15",
	evaluate:  evaluateOptimal,
	steps:     optimalSteps,
}

func evaluateOptimal(ctx context.Context, l *preparedStack) Bound {
	c := l.entryCosts()
	known := Condition{"every release is pure or (ε, δ)", c.err == nil && len(c.profileOnly) == 0}
	if c.err != nil {
		return refuse(Optimal, c.err.Error(), known)
	}
	if len(c.profileOnly) > 0 {
		_, _, err := c.profileOnly[0].Release.Approximate()
		reason := c.profileOnly[0].Release.Name() + " states no (ε, δ)"
		if err != nil {
			reason = err.Error()
		}
		return refuse(Optimal, reason, known)
	}
	sum, _ := c.sums()
	left, b, ok := deductStatedDelta(l, c.stated, known)
	if !ok {
		if exhaustsDelta(c.stated, l.target.Delta) {
			return Bound{Status: Valid, Epsilon: sum, Delta: l.target.Delta, Conditions: []Condition{known},
				Note:   "The stated δ's are just as large as δ: the largest possible loss is left, the plain sum.",
				Inputs: []Quantity{quantity("K", l.total(), "releases"), quantity("Σε", sum, "sum of ε: the largest possible loss")}}
		}
		return b
	}
	levels := levelsOf(c)
	h := hazard(c.stated)
	b.Note = ""
	if h > 0 {
		b.Note = fmt.Sprintf("The stated δ's take %s of δ and leave %s.", proseUp(-math.Expm1(-h)), proseDown(left))
	}
	b.Status, b.Delta = Valid, l.target.Delta
	b.Inputs = []Quantity{
		quantity("K", l.total(), "releases"),
		quantity("δ̂", left, "what the stated failures leave of δ").as(Remainder),
		quantity("Σε", sum, "sum of ε: the largest possible loss"),
	}
	switch {
	case left == 0 || len(levels) == 0:
		b.Epsilon = sum
		if left == 0 {
			b.Delta, b.Note = 0, join(b.Note, "With δ = 0 nothing beats the plain sum.")
		}
	default:
		interval, err := composeResponses(ctx, levels, left, l.width())
		if fault, internal := refuseInternal(err); internal {
			fault.Method = Optimal
			return fault
		}
		if stop, stopped := refuseIncomplete(Optimal, err); stopped {
			return stop
		}
		if err != nil {
			return refuse(Optimal, err.Error(), b.Conditions...)
		}
		b.Epsilon = math.Min(sum, interval.Upper)
		switch {
		case len(levels) == 1:
			b.Inputs = append(b.Inputs, quantity("ε₀", levels[0].epsilon, "ε of one release"))
		case interval.Form == pld.FormSums:
			b.Note = join(b.Note, fmt.Sprintf("%d different values of ε, every combination summed.", len(levels)))
		default:
			b.Note = join(b.Note, fmt.Sprintf("%d different values of ε, composed numerically.", len(levels)))
		}
	}
	return b
}

// Responses returns the worst releases that state the (ε, δ) of the given ones: each fails with probability δ, and is
// randomized response otherwise. Their profile is that of optimal composition. It is an error if a release states none.
func Responses(stack []Entry) (responses []Entry, err error) {
	for _, e := range stack {
		epsilon, delta, err := e.Release.Approximate()
		if err != nil {
			return nil, err
		}
		responses = append(responses, Entry{ApproximateDP(epsilon, delta), e.Count})
	}
	return responses, nil
}

// levelsOf adds up the counts of equal ε, whatever their δ; ε = 0 adds nothing to the loss.
func levelsOf(c *entryCosts) (levels []statedCost) {
	sorted := slices.Clone(c.stated)
	slices.SortFunc(sorted, func(a, b statedCost) int { return cmp.Compare(a.epsilon, b.epsilon) })
	for _, s := range sorted {
		n := len(levels)
		switch {
		case s.epsilon == 0:
		case n > 0 && levels[n-1].epsilon == s.epsilon:
			levels[n-1].count += s.count
		default:
			levels = append(levels, statedCost{epsilon: s.epsilon, count: s.count})
		}
	}
	return levels
}

// roundoffWidth is a width that the accountant reaches where only its round-off is left.
const roundoffWidth = 1e-9

// composeResponses returns the certified interval of ε at δ for randomized responses.
func composeResponses(
	ctx context.Context, levels []statedCost, delta, width float64,
) (interval pld.Interval, err error) {
	if len(levels) == 1 { // their losses are on a lattice, for which a spectrum needs few frequencies
		width = roundoffWidth
	}
	parts := make([]pairs.Part, len(levels))
	for i, v := range levels {
		parts[i] = pairs.Part{Pair: pairs.Pure(v.epsilon), Count: v.count}
	}
	err = recoverPanic(ctx, func() (err error) {
		interval, err = pld.Epsilon(ctx, parts, delta, pld.Options{Width: width, Sums: true})
		return err
	})
	return interval, err
}

func optimalSteps(b Bound, in inputs) ([]string, float64) {
	switch {
	case !in.has("δ̂", "Σε"):
		return nil, math.NaN()
	case !(in["δ̂"] > 0):
		return []string{fmt.Sprintf("with nothing of δ to spend only the largest possible loss counts: ε = Σε = %s", numeral.Upper(b.Epsilon))}, math.NaN()
	}
	return []string{fmt.Sprintf("the smallest ε at which the sum over all signs of ±εᵢ is at most δ̂ = %s: ε = %s, below Σε = %s",
		numeral.Nearest(in["δ̂"]), numeral.Upper(b.Epsilon), numeral.Upper(in["Σε"]))}, math.NaN()
}
