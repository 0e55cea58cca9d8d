package proofs

import (
	"fmt"
	"math"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
)

// hairColour is Bellet's example, with the two counts he leaves open set to 400.
var hairColour = mechanisms.Exponential{Epsilon: 0.1, Sensitivity: 1, Candidates: []param.Item{
	{Name: "dark", Value: 500}, {Name: "brown", Value: 400}, {Name: "blond", Value: 400}, {Name: "red", Value: 400},
}}

// nationalities is Machanavajjhala's example; the counts are ours.
var nationalities = mechanisms.Exponential{Epsilon: 1, Sensitivity: 1, Candidates: []param.Item{
	{Name: "Chinese", Value: 40}, {Name: "Indian", Value: 34}, {Name: "American", Value: 28}, {Name: "Greek", Value: 12},
}}

// hasFewCandidates reports whether the candidates of an exponential mechanism are given and few
// enough to enumerate.
func hasFewCandidates(e mechanisms.Exponential) bool {
	return len(e.Candidates) > 1 && len(e.Candidates) <= 10_000
}

// exponent returns ε/2Δ, or ε/Δ where scores are monotone.
func exponent(e mechanisms.Exponential) (rate float64, formula string) {
	if e.Monotone {
		return e.Epsilon / e.Sensitivity, "ε/Δ"
	}
	return e.Epsilon / (2 * e.Sensitivity), "ε/2Δ"
}

// exponentialPrivacy: Bellet, the privacy proof. On D′ the best candidate has lost Δ
// and every other has won it, the most that neighbours can differ (monotone scores all
// move one way: then only the best has lost).
var exponentialPrivacy = Proof{Name: "exponential-privacy", Title: "The exponential mechanism is ε-DP", Deck: "bellet",
	steps: func(s *scenarios.Scenario) NumberedProof {
		m, on := entryOrExample(s, hasFewCandidates, hairColour, "the most common hair colour")
		rate, formula := exponent(m)
		best, gain := 0, m.Sensitivity
		for i, c := range m.Candidates {
			if c.Value > m.Candidates[best].Value {
				best = i
			}
		}
		if m.Monotone {
			gain = 0
		}
		here, there := 0.0, 0.0 // normalisers, relative to the best score on D
		top := m.Candidates[best].Value
		for i, c := range m.Candidates {
			moved := c.Value + gain
			if i == best {
				moved = c.Value - m.Sensitivity
			}
			here += math.Exp(rate * (c.Value - top))
			there += math.Exp(rate * (moved - top))
		}
		scores, sums := math.Exp(rate*m.Sensitivity), there/here
		half := Term{"e^{ε/2}", math.Exp(m.Epsilon / 2)}
		scoreBound, sumBound := half, half
		if m.Monotone {
			scoreBound, sumBound = Term{"e^ε", math.Exp(m.Epsilon)}, Term{"1", 1}
		}
		normaliser := "So does every score in the normaliser."
		if m.Monotone {
			normaliser = "D′ has a record less: no score rises, so neither does the normaliser. The other way round the score costs nothing and the normaliser at most e^ε."
		}
		return NumberedProof{on, []Step{
			{Says: "The score of the chosen output changes by at most Δ.", Left: Term{"exp((s(D,o) − s(D′,o))·" + formula + ")", scores}, Relation: AtMost, Right: scoreBound},
			{Says: normaliser, Left: Term{"Σ exp(s(D′,o′)·" + formula + ") / Σ exp(s(D,o′)·" + formula + ")", sums}, Relation: AtMost, Right: sumBound},
			{Says: "The ratio of the two probabilities is the product.", Left: Term{"P[A(D) = o] / P[A(D′) = o]", scores * sums}, Relation: AtMost, Right: Term{"e^ε", math.Exp(m.Epsilon)}},
		}}
	}}

// exponentialUtility: Bellet, the utility proof; the last step is
// Machanavajjhala's 6.8.
var exponentialUtility = Proof{Name: "exponential-utility", Title: "The exponential mechanism is accurate", Deck: "machanavajjhala",
	steps: func(s *scenarios.Scenario) NumberedProof {
		m, on := entryOrExample(s, hasFewCandidates, nationalities, "the most common of four nationalities")
		sel, err := m.Selection()
		if err != nil {
			return NumberedProof{Subject: on + ": " + err.Error()}
		}
		const t = 3.0
		rate, formula := exponent(m)
		gap := sel.Gap(t)
		bad, ties := 0.0, 0.0
		for _, c := range m.Candidates {
			if c.Value <= sel.Best-gap {
				bad += math.Exp(rate * (c.Value - sel.Best))
			}
			if c.Value == sel.Best {
				ties++
			}
		}
		n := float64(len(m.Candidates))
		all := n * math.Exp(-rate*gap)
		steps := []Step{
			{Says: fmt.Sprintf("Call an output bad if its score is %.4g or more below the best: c = s* − (ln(|O|/|O*|) + t)/(%s), t = 3.", gap, formula),
				Left: Term{"Σ over bad o of exp((s(D,o) − s*)·" + formula + ")", bad}, Relation: AtMost, Right: Term{"|O|·exp((c − s*)·" + formula + ")", all}},
			{Says: "The best outputs weigh at least |O*|.", Left: Term{"|O|·exp((c − s*)·" + formula + ") / |O*|", all / ties}, Relation: Equals, Right: Term{"e^{−t}", math.Exp(-t)}},
			{Says: "So a bad output is rare.", Left: Term{"P[s(A(D)) ≤ c], exactly", sel.Tail(gap)}, Relation: AtMost, Right: Term{"e^{−t}", math.Exp(-t)}},
		}
		if n == 4 && ties == 1 && !m.Monotone && m.Sensitivity == 1 {
			steps = append(steps, Step{Says: "Machanavajjhala prints 6.8/ε for four outputs and t = 3; that is t = 2.", Slide: true,
				Left: Term{"2(ln 4 + 3)/ε", 2 * (math.Log(4) + t) / m.Epsilon}, Relation: AtMost, Right: Term{"6.8/ε", 6.8 / m.Epsilon}})
		}
		return NumberedProof{on, steps}
	}}
