package proofs

import (
	"cmp"
	"fmt"
	"math"
	"slices"

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

// minProbability is the least probability of which a ratio is taken: smaller ones lose their digits.
const minProbability = 1e-290

// neighbourScores returns the scores of the candidates on a neighbour D′, and says which neighbour it is. In the deck's
// example one dark-haired person leaves. The scores of an entry may be those of any query, so all of them move by Δ as
// far as they can: the best falls and the others rise, or stay where scores are monotone.
func neighbourScores(m mechanisms.Exponential, best int, example bool) (scores []param.Item, says string) {
	scores = slices.Clone(m.Candidates)
	scores[best].Value -= m.Sensitivity
	if example {
		return scores, "on D′ one dark-haired person is missing"
	}
	if m.Monotone {
		return scores, "on D′ the best score is lower by Δ and the others are the same"
	}
	for i := range scores {
		if i != best {
			scores[i].Value += m.Sensitivity
		}
	}
	return scores, "on D′ the best score is lower by Δ and every other is higher by Δ"
}

// exponentialPrivacy: Bellet, the privacy proof, output by output on two neighbours.
var exponentialPrivacy = Proof{Name: "exponential-privacy", Title: "The exponential mechanism is ε-DP", Deck: "bellet",
	steps: func(s *scenarios.Scenario) NumberedProof {
		m, on := entryOrExample(s, hasFewCandidates, hairColour, "the most common hair colour")
		rate, formula := exponent(m)
		best := 0
		for i, c := range m.Candidates {
			if c.Value > m.Candidates[best].Value {
				best = i
			}
		}
		_, _, isEntry := findEntry(s, hasFewCandidates)
		moved, says := neighbourScores(m, best, !isEntry)
		onD2 := m
		onD2.Candidates = moved
		p, err := m.Selection()
		q, err2 := onD2.Selection()
		if err = cmp.Or(err, err2); err != nil {
			return NumberedProof{Subject: on + ": " + err.Error()}
		}
		// the largest factor of a score; normalisers, relative to the best score on D
		score, here, there := 0.0, 0.0, 0.0
		top, largest := m.Candidates[best].Value, 0.0
		for i, c := range m.Candidates {
			score = math.Max(score, math.Exp(rate*math.Abs(c.Value-moved[i].Value)))
			here += math.Exp(rate * (c.Value - top))
			there += math.Exp(rate * (moved[i].Value - top))
			if a, b := p.Probabilities[i], q.Probabilities[i]; a > minProbability && b > minProbability {
				largest = math.Max(largest, math.Abs(math.Log(a/b)))
			}
		}
		bound := Term{"e^{ε/2}", math.Exp(m.Epsilon / 2)}
		normaliser := "So does every score in the normaliser, which changes by at most the same factor, up or down."
		if m.Monotone {
			bound = Term{"e^ε", math.Exp(m.Epsilon)}
			normaliser = "No score rises from D to D′, so the normaliser only falls: it cancels a part of the first factor for the best output, and is the whole change for the others."
		}
		return NumberedProof{on + "; " + says, []Step{
			{Says: "The score of an output changes by at most Δ: its weight changes by at most this factor.",
				Left: Term{"largest exp(|s(D,o) − s(D′,o)|·" + formula + ")", score}, Relation: AtMost, Right: bound},
			{Says: normaliser, Left: Term{"Σ exp(s·" + formula + ") on one of D, D′ over that on the other", math.Max(there/here, here/there)},
				Relation: AtMost, Right: bound},
			{Says: "The ratio of the probabilities of the best output is the product of the two changes.",
				Left: Term{"P[A(D) = o] / P[A(D′) = o]", p.Probabilities[best] / q.Probabilities[best]}, Relation: Equals,
				Right: Term{"exp((s(D,o) − s(D′,o))·" + formula + ")·Σ′/Σ", math.Exp(rate*(top-moved[best].Value)) * there / here}},
			{Says: "So for every output, in both directions.", Left: Term{"largest ratio over the outputs", math.Exp(largest)}, Relation: AtMost,
				Right: Term{"e^ε", math.Exp(m.Epsilon)}},
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
