package proofs

import (
	"context"
	"fmt"
	"math"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
)

// promises are the (ε, δ) of the enabled entries with how often each is released; ok is
// false where one has none.
func promises(s *scenarios.Scenario) (list []accounting.Entry, ok bool) {
	if s == nil {
		return nil, false
	}
	stack, err := scenarios.Stack(s)
	if err != nil || len(stack) == 0 {
		return nil, false
	}
	for _, e := range stack {
		if _, _, err := e.Release.Approximate(); err != nil {
			return nil, false
		}
	}
	return stack, true
}

// firstFew is at most n releases of the stack, one entry each.
func firstFew(stack []accounting.Entry, n int) (few []accounting.Entry, taken int, cut bool) {
	for _, e := range stack {
		for range int(math.Min(e.Count, float64(n)+1)) {
			if len(few) == n {
				return few, n, true
			}
			few = append(few, accounting.Entry{Release: e.Release, Count: 1})
		}
	}
	return few, len(few), false
}

// adaptiveComposition: Bellet, the proof in four slides. The promises are composed as
// the two-point outcomes that attain them; the slide's misplaced bracket is one step.
var adaptiveComposition = Proof{Name: "adaptive-composition", Title: "ε’s and δ’s add up, adaptively too", Deck: "bellet",
	steps: func(s *scenarios.Scenario) Walk {
		stack, ok := promises(s)
		on := "the whole stack"
		if !ok {
			on = "an example: three releases of (0.5, 10⁻³)"
			stack = []accounting.Entry{{Release: accounting.ApproximateDP(0.5, 1e-3), Count: 3}}
		}
		stack, releases, cut := firstFew(stack, 6)
		if cut {
			on = fmt.Sprintf("the first %d releases", releases)
		}
		epsilons, deltas := 0.0, 0.0
		for _, e := range stack {
			epsilon, delta, _ := e.Release.Approximate()
			epsilons, deltas = epsilons+epsilon, deltas+delta
		}
		// s_k is what release k makes most of: of its worst pair, the outcome at +ε and
		// the one that D′ cannot give.
		here, there, bounded, terms, bracket := 1.0, 1.0, 1.0, 1.0, 1.0
		for _, e := range stack {
			epsilon, delta, _ := e.Release.Approximate()
			p, q := delta+(1-delta)/(1+math.Exp(-epsilon)), (1-delta)/(1+math.Exp(epsilon))
			factor := math.Min(1, math.Exp(epsilon)*q)
			here, there, bounded = here*p, there*q, bounded*factor
			terms, bracket = terms*(factor+delta), bracket*(factor+deltas)
		}
		steps := []Step{
			{Says: "Chain rule; given the past each factor is (ε_k, δ_k)-DP.",
				Left: Term{"Π P[A_k(D) = s_k]", here}, Relation: AtMost, Right: Term{"Π (min(e^{ε_k}·P[A_k(D′) = s_k], 1) + δ_k)", terms}},
			{Says: "Taking the δ’s out one by one: every factor that stays is at most 1.",
				Left: Term{"Π P[A_k(D) = s_k]", here}, Relation: AtMost, Right: Term{"Π min(e^{ε_k}·P[A_k(D′) = s_k], 1) + Σδ_k", bounded + deltas}},
			{Says: "Collect the exponents.", Left: Term{"Π min(e^{ε_k}·P[A_k(D′) = s_k], 1)", bounded}, Relation: AtMost,
				Right: Term{"e^{Σε_k}·P[S′ = s]", math.Exp(epsilons) * there}},
		}
		if deltas > 0 && releases > 1 {
			steps = append(steps, Step{Says: "The slide’s bracket puts Σδ_k inside the product; its next line does not follow.", Slide: true,
				Left: Term{"Π (min(e^{ε_k}·P[A_k(D′) = s_k], 1) + Σδ_k)", bracket}, Relation: AtMost, Right: Term{"e^{Σε_k}·P[S′ = s] + Σδ_k", math.Exp(epsilons)*there + deltas}})
		}
		return Walk{on, steps}
	}}

// equalPure is the ε and the number of releases of a stack of equal pure releases.
func equalPure(s *scenarios.Scenario) (epsilon, count, delta float64, ok bool) {
	stack, known := promises(s)
	if !known || len(stack) != 1 || s.Budget.Delta <= 0 {
		return 0, 0, 0, false
	}
	epsilon, failed, _ := stack[0].Release.Approximate()
	return epsilon, stack[0].Count, s.Budget.Delta, failed == 0 && epsilon > 0 && stack[0].Count > 1
}

// advancedComposition: the argument of Bellet, Bassi and Gaboardi; the last steps are
// Bassi’s Bob.
var advancedComposition = Proof{Name: "advanced-composition", Title: "Losses partly cancel: advanced composition", Deck: "bassi",
	steps: func(s *scenarios.Scenario) Walk {
		epsilon, k, delta, ok := equalPure(s)
		on := "the stack"
		if !ok {
			epsilon, k, delta = 1.0/800, 10_000, math.Exp(-32)
			on = "the deck's example: Bob in 10,000 databases at ε = 1/800"
		}
		mean := epsilon * math.Tanh(epsilon/2)
		coarse := epsilon * math.Expm1(epsilon)
		deviation := math.Sqrt(2*k*math.Log(1/delta)) * epsilon
		total := deviation + k*coarse
		exact := accounting.Evaluate(context.Background(), accounting.Optimal,
			[]accounting.Entry{{Release: accounting.PureDP(epsilon), Count: k}}, accounting.Target{Delta: delta})
		steps := []Step{
			{Says: "A loss lies within ±ε. Its mean is far smaller, as both signs occur.", Left: Term{"E[L] of the worst pair, ε·tanh(ε/2)", mean}, Relation: AtMost, Right: Term{"ε(e^ε − 1)", coarse}},
			{Says: "Azuma: a sum of k such losses exceeds its mean by √(2k ln(1/δ′))·ε with probability at most δ′.",
				Left: Term{"exp(−t²/(2kε²)) at that t", math.Exp(-deviation * deviation / (2 * k * epsilon * epsilon))}, Relation: Equals, Right: Term{"δ′", delta}},
			{Says: "Mean and deviation together are the theorem; the exact optimum is below it.", Costs: true, Left: Term{"the optimum of Kairouz, Oh and Viswanath", exact.Epsilon}, Relation: AtMost,
				Right: Term{"√(2k ln(1/δ′))·ε + kε(e^ε − 1)", total}},
			{Says: "Bassi keeps the first term alone (a footnote warns): then the theorem does not reach that total.", Slide: true, Costs: true,
				Left: Term{"√(2k ln(1/δ′))·ε + kε(e^ε − 1)", total}, Relation: AtMost, Right: Term{"√(2k ln(1/δ′))·ε", deviation}},
		}
		return Walk{on, steps}
	}}
