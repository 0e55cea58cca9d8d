package proofs

import (
	"fmt"
	"math"
	"math/bits"
	"sort"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

// people is the number of people in the survey whose pairs are all enumerated.
const people = 3

// surveyDistribution returns the joint distribution P[reports][answers] of the true answers of the people, which are
// uniform, and of their reports by randomized response with truth probability p, if each is asked the given number of
// times.
func surveyDistribution(p float64, times int) (joint [][]float64) {
	for y := range 1 << (people * times) {
		row := make([]float64, 1<<people)
		for x := range row {
			wrong := 0
			for t := range times {
				wrong += bits.OnesCount(uint(y>>(people*t)&(1<<people-1) ^ x))
			}
			row[x] = math.Pow(p, float64(people*times-wrong)) * math.Pow(1-p, float64(wrong)) / float64(len(row))
		}
		joint = append(joint, row)
	}
	return joint
}

// probabilityPair holds the joint probability of a report and an answer, and the product of their probabilities.
type probabilityPair struct{ joint, product float64 }

// pairs lists every pair of a joint distribution.
func pairs(joint [][]float64) (list []probabilityPair) {
	columns := make([]float64, len(joint[0]))
	for _, row := range joint {
		for x, p := range row {
			columns[x] += p
		}
	}
	for _, row := range joint {
		sum := 0.0
		for _, p := range row {
			sum += p
		}
		for x, p := range row {
			list = append(list, probabilityPair{p, sum * columns[x]})
		}
	}
	return list
}

// maxInformationBits returns the β-approximate max-information of a joint distribution in bits. The best event
// takes the pairs in the order of their ratios.
func maxInformationBits(joint [][]float64, beta float64) float64 {
	list := pairs(joint)
	sort.Slice(list, func(i, j int) bool { return list[i].joint*list[j].product > list[j].joint*list[i].product })
	best, together, apart := math.Inf(-1), 0.0, 0.0
	for _, p := range list {
		together, apart = together+p.joint, apart+p.product
		if together > beta {
			best = math.Max(best, math.Log2((together-beta)/apart))
		}
	}
	return best
}

// mutualInformation returns the mutual information of a joint distribution in bits.
func mutualInformation(joint [][]float64) (sum float64) {
	for _, p := range pairs(joint) {
		if p.joint > 0 {
			sum += p.joint * math.Log2(p.joint/p.product)
		}
	}
	return sum
}

// transpose exchanges the rows (reports) and columns (answers) of a joint distribution.
func transpose(joint [][]float64) [][]float64 {
	out := make([][]float64, len(joint[0]))
	for x := range out {
		for _, row := range joint {
			out[x] = append(out[x], row[x])
		}
	}
	return out
}

// sumByCount returns the joint distribution of the number of yes reports and the answers.
func sumByCount(joint [][]float64) [][]float64 {
	out := make([][]float64, people+1)
	for y, row := range joint {
		n := bits.OnesCount(uint(y))
		if out[n] == nil {
			out[n] = make([]float64, len(row))
		}
		for x, p := range row {
			out[n][x] += p
		}
	}
	return out
}

// divergence returns the largest max-divergence of the reports over pairs of data sets, in
// bits; if near, over pairs that differ in one record.
func divergence(joint [][]float64, near bool) (most float64) {
	for _, row := range joint {
		for x := range row {
			for z := range row {
				if !near || bits.OnesCount(uint(x^z)) == 1 {
					most = math.Max(most, math.Log2(row[x]/row[z]))
				}
			}
		}
	}
	return most
}

// maxInformation: Bassi, the slides from "Max-divergence" to "Max-information for
// independent records". Three people of a survey are few enough to go through every pair
// of what they hide and what they say.
var maxInformation = Proof{Name: "max-information", Title: "Max-information, pair by pair", Deck: "bassi",
	steps: func(s *scenarios.Scenario) NumberedProof {
		m, on := entryOrExample(s, func(r mechanisms.RandomizedResponse) bool {
			return r.Categories == 2 && r.Epsilon < 20
		},
			mechanisms.RandomizedResponse{Epsilon: math.Log(3), Categories: 2}, "the coin survey")
		on += ", answered by three people who hide yes or no with equal chance"
		const beta = 0.01
		joint, perPerson := surveyDistribution(m.Truth(), 1), m.Epsilon*math.Log2E
		one, both := maxInformationBits(joint, 0), maxInformationBits(surveyDistribution(m.Truth(), 2), 0)
		said := math.Pow(m.Truth(), people)
		approximate := math.Log2E * (m.Epsilon*m.Epsilon*people/2 + m.Epsilon*math.Sqrt(people*math.Log(2/beta)/2))
		smaller := "the pure bound is the smaller of the two"
		if approximate < people*perPerson {
			smaller = "the pure bound holds too, and is the larger of the two"
		}
		return NumberedProof{on, []Step{
			{Says: "Max-divergence: of neighbours, the largest log₂ of a ratio of probabilities is that of one person.",
				Left: Term{"D∞(A(S) ‖ A(S′)) over neighbours", divergence(joint, true)}, Relation: AtMost, Right: Term{"ε·log₂e", perPerson}},
			{Says: "The same but for δ = 0.01: the event that the answer is true weighs least.",
				Left: Term{"D∞^δ = log₂((P − δ)/P′)", math.Log2((m.Truth() - beta) / (1 - m.Truth()))}, Relation: AtMost,
				Right: Term{"ε·log₂e", perPerson}},
			{Says: "Max-information is the largest log₂ of P(x, y)/(P(x)·P(y)) over all pairs of data x and output y.",
				Left: Term{"I∞(S; A(S)), over 64 pairs", one}, Relation: AtMost, Right: Term{"D∞ over all pairs of data sets", divergence(joint, false)}},
			{Says: "Pure DP: two data sets differ in at most n records, one ε each.",
				Left: Term{"D∞ over all pairs of data sets", divergence(joint, false)}, Relation: AtMost, Right: Term{"n·ε·log₂e", people * perPerson}},
			{Says: "It bounds the mutual information, which is an average over the same pairs.",
				Left: Term{"I(S; A(S))", mutualInformation(joint)}, Relation: AtMost, Right: Term{"I∞(S; A(S))", one}},
			{Says: "It is symmetric in data and output.", Left: Term{"I∞(A(S); S)", maxInformationBits(transpose(joint), 0)}, Relation: Equals, Right: Term{"I∞(S; A(S))", one}},
			{Says: "Post-processing: who only counts the yes learns no more.", Left: Term{"I∞(S; number of yes)", maxInformationBits(sumByCount(joint), 0)}, Relation: AtMost, Right: Term{"I∞(S; A(S))", one}},
			{Says: "Composition: the survey a second time adds at most as much again.", Left: Term{"I∞(S; both surveys)", both}, Relation: AtMost, Right: Term{"k₁ + k₂", 2 * one}},
			{Says: "Its use: the event that all three told the truth, against chance.",
				Left: Term{"P[A(S) = S]", said}, Relation: AtMost, Right: Term{"2^k·P[independent copies agree]", math.Exp2(one) * math.Pow(0.5, people)}},
			{Says: "Approximate, β = 0.01: the best event O of pairs for log₂((P(O) − β)/Q(O)). The records are independent, so the bound of order ε√n holds.",
				Left: Term{"I∞^β(S; A(S))", maxInformationBits(joint, beta)}, Relation: AtMost, Right: Term{"log₂e(ε²n/2 + ε√(n ln(2/β)/2))", approximate}},
			{Says: fmt.Sprintf("At n = %d %s.", people, smaller),
				Left: Term{"I∞^β(S; A(S))", maxInformationBits(joint, beta)}, Relation: AtMost, Right: Term{"n·ε·log₂e", people * perPerson}},
		}}
	}}
