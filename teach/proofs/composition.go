package proofs

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mathext"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
)

// guarantees returns the enabled entries with their (ε, δ) and counts; ok is false if an entry has no (ε, δ).
func guarantees(s *scenarios.Scenario) (list []accounting.Entry, ok bool) {
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

// firstFew returns at most n releases of the stack, one entry each.
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

// equalPure returns the ε and the number of releases of a stack of equal pure releases.
func equalPure(s *scenarios.Scenario) (epsilon, count, delta float64, ok bool) {
	stack, known := guarantees(s)
	if !known || len(stack) != 1 || s.Budget.Delta <= 0 {
		return 0, 0, 0, false
	}
	epsilon, failed, _ := stack[0].Release.Approximate()
	return epsilon, stack[0].Count, s.Budget.Delta, failed == 0 && epsilon > 0 && stack[0].Count > 1
}

// advancedComposition: the argument of Bellet, Bassi and Gaboardi; the last steps are
// Bassi’s Bob.
var advancedComposition = Proof{Name: "advanced-composition", Title: "Losses partly cancel: advanced composition", Deck: "bassi",
	steps: func(s *scenarios.Scenario) NumberedProof {
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
			{Says: "Azuma: a sum of k such losses exceeds its mean by t = √(2k ln(1/δ′))·ε with probability at most δ′.",
				Left: Term{"P[Σ L > k·E[L] + t], exactly", lossSumTail(epsilon, k, k*mean+deviation)}, Relation: AtMost, Right: Term{"δ′", delta}},
			{Says: "Mean and deviation together are the theorem; the exact optimum is below it.", Costs: true, Left: Term{"the optimum of Kairouz, Oh and Viswanath", exact.Epsilon}, Relation: AtMost,
				Right: Term{"√(2k ln(1/δ′))·ε + kε(e^ε − 1)", total}},
			{Says: "Bassi keeps the first term alone (a footnote warns): then the theorem does not reach that total.", Slide: true, Costs: true,
				Left: Term{"√(2k ln(1/δ′))·ε + kε(e^ε − 1)", total}, Relation: AtMost, Right: Term{"√(2k ln(1/δ′))·ε", deviation}},
		}
		return NumberedProof{on, steps}
	}}

// lossSumTail returns the probability that k losses of ε-DP randomized response add up to more than a level: each is ε
// with probability e^ε/(1 + e^ε), else −ε.
func lossSumTail(epsilon, k, level float64) float64 {
	positive := math.Floor((level/epsilon+k)/2) + 1 // the least number of losses +ε whose sum is above the level
	if positive > k {
		return 0
	}
	return mathext.RegIncBeta(positive, k-positive+1, 1/(1+math.Exp(-epsilon)))
}
