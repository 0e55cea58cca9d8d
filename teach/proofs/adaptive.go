package proofs

import (
	"fmt"
	"math"
	"slices"

	"epsiloscope/scenarios"
)

// maxExponent bounds Σε of the releases whose outcomes are enumerated: e^{Σε} must be a number.
const maxExponent = 300.0

// outcome is an output of a release with its probabilities on D and D′.
type outcome struct{ here, there float64 }

// outcomesOf returns the four outputs that attain an (ε, δ) guarantee: one that only D gives, one that only D′ gives,
// and randomized response between them.
func outcomesOf(epsilon, delta float64) []outcome {
	more, less := (1-delta)/(1+math.Exp(-epsilon)), (1-delta)/(1+math.Exp(epsilon))
	return []outcome{{delta, 0}, {more, less}, {less, more}, {0, delta}}
}

// session is a sequence of releases, of which each is chosen by the outputs before it.
type session struct{ epsilons, deltas []float64 }

// nextRelease returns the release that the analyst picks after some outputs. After an output that only D gives it is
// one with half the ε and no δ, else the one that attains the whole guarantee.
func (s session) nextRelease(past []int) []outcome {
	k := len(past)
	if k > 0 && past[k-1] == 0 {
		return outcomesOf(s.epsilons[k]/2, 0)
	}
	return outcomesOf(s.epsilons[k], s.deltas[k])
}

// visit calls do for every sequence of outputs with its probabilities on D and D′.
func (s session) visit(do func(outputs []int, here, there float64)) {
	var walk func(past []int, here, there float64)
	walk = func(past []int, here, there float64) {
		if len(past) == len(s.epsilons) {
			do(past, here, there)
			return
		}
		for i, o := range s.nextRelease(past) {
			walk(append(slices.Clone(past), i), here*o.here, there*o.there)
		}
	}
	walk(nil, 1, 1)
}

// inSet reports whether a sequence belongs to the set S of the proof: all of its outputs speak for D.
func inSet(outputs []int) bool {
	return !slices.ContainsFunc(outputs, func(i int) bool { return i > 1 })
}

// section returns the probability on D that the outputs end in S, given the first of them.
func (s session) section(past []int) (sum float64) {
	if len(past) == len(s.epsilons) {
		if inSet(past) {
			return 1
		}
		return 0
	}
	for i, o := range s.nextRelease(past) {
		sum += o.here * s.section(append(slices.Clone(past), i))
	}
	return sum
}

// cappedProbability returns g(past): 1 or 0 at the end, before that min(1, e^{ε_k}·E′[g]) over the next output on D′.
// The probability of the section on D exceeds it by at most the sum of the δ_k of the releases that follow.
func (s session) cappedProbability(past []int) float64 {
	k := len(past)
	if k == len(s.epsilons) {
		return s.section(past)
	}
	sum := 0.0
	for i, o := range s.nextRelease(past) {
		sum += o.there * s.cappedProbability(append(slices.Clone(past), i))
	}
	return math.Min(1, math.Exp(s.epsilons[k])*sum)
}

// layers returns ∫ P[g > t] dt over [0, 1] for a function of the first output on D.
func layers(outcomes []outcome, g []float64) (sum float64) {
	levels := slices.Sorted(slices.Values(append([]float64{0, 1}, g...)))
	for j := 1; j < len(levels); j++ {
		above := 0.0
		for i, o := range outcomes {
			if g[i] >= levels[j] {
				above += o.here
			}
		}
		sum += (levels[j] - levels[j-1]) * above
	}
	return sum
}

// sessionOf returns the guarantees of at most five releases of the scenario, or the deck's example.
func sessionOf(s *scenarios.Scenario) (out session, on string) {
	stack, ok := guarantees(s)
	on = "the whole stack"
	if ok {
		few, releases, cut := firstFew(stack, 5)
		if cut {
			on = fmt.Sprintf("the first %d releases", releases)
		}
		sum := 0.0
		for _, e := range few {
			epsilon, delta, _ := e.Release.Approximate()
			out.epsilons, out.deltas = append(out.epsilons, epsilon), append(out.deltas, delta)
			sum += epsilon
		}
		if ok = sum < maxExponent; ok {
			return out, on
		}
	}
	return session{[]float64{0.5, 0.5, 0.5}, []float64{1e-3, 1e-3, 1e-3}}, "an example: three releases of (0.5, 10⁻³)"
}

// adaptiveComposition: Bellet, the proof in four slides, on sets of outputs. δ may be spent once for a set, not once
// for each of its outputs, so the induction goes over the sections of a set.
var adaptiveComposition = Proof{Name: "adaptive-composition", Title: "ε’s and δ’s add up, adaptively too", Deck: "bellet",
	steps: func(scenario *scenarios.Scenario) NumberedProof {
		s, on := sessionOf(scenario)
		epsilons, deltas := 0.0, 0.0
		for k := range s.epsilons {
			epsilons, deltas = epsilons+s.epsilons[k], deltas+s.deltas[k]
		}
		here, there, size := 0.0, 0.0, 0.0
		final := len(s.deltas) - 1
		var last, bound float64 // P[section] and g of the past where they differ most
		likelihoodRatio := 0.0  // of the sequence in which every output is the likely one on D
		s.visit(func(outputs []int, p, q float64) {
			if !slices.ContainsFunc(outputs, func(i int) bool { return i != 1 }) {
				likelihoodRatio = p / q
			}
			if inSet(outputs) {
				here, there = here+p, there+q
				if p+q > 0 {
					size++
				}
			}
			if k := len(outputs) - 1; outputs[k] == 0 { // once for every past of the last release
				if p, g := s.section(outputs[:k]), s.cappedProbability(outputs[:k]); p-g > last-bound || bound == 0 {
					last, bound = p, g
				}
			}
		})
		first := s.nextRelease(nil)
		g, onD, onD2 := make([]float64, len(first)), 0.0, 0.0
		for i, o := range first {
			g[i] = s.cappedProbability([]int{i})
			onD, onD2 = onD+o.here*g[i], onD2+o.there*g[i]
		}
		steps := []Step{
			{Says: "Of one sequence of outputs the probabilities are products, so the ratios multiply: here all outputs speak for D and none is one that only D gives.",
				Left: Term{"P[s]/P′[s]", likelihoodRatio}, Relation: Equals, Right: Term{"e^{Σε_k}", math.Exp(epsilons)}},
			{Says: "S is any set of output sequences; here, those of which all outputs speak for D. Chain rule: the next release depends on the outputs before it alone, so P[S] is the average over the first output s₁ of the probability of the section S(s₁).",
				Left: Term{"P[S], all sequences added up", here}, Relation: Equals, Right: Term{"E[P[S(s₁)]], section by section", s.section(nil)}},
			{Says: "Given the past, the last release is fixed and (ε_K, δ_K)-DP, and a section is a set of its outputs: its probability is at most g = min(1, e^{ε_K}·P′[section]) and δ_K more.",
				Left: Term{"P[section] of the past where they differ most", last}, Relation: AtMost, Right: Term{"g + δ_K", bound + s.deltas[final]}},
			{Says: "g lies in [0, 1], so its average is that of the sets {g > t}: E[g] = integral of P[g > t] over t.",
				Left: Term{"E[g(s₁)] on D", onD}, Relation: Equals, Right: Term{"integral of P[g(s₁) > t] over t", layers(first, g)}},
			{Says: "Each {g > t} is a set of outputs of the release before, which is (ε_k, δ_k)-DP: its δ_k is charged once, for the whole of g.",
				Left: Term{"E[g(s₁)] on D", onD}, Relation: AtMost, Right: Term{"e^{ε₁}·E[g(s₁)] on D′ + δ₁", math.Exp(s.epsilons[0])*onD2 + s.deltas[0]}},
			{Says: "From the last release to the first the δ_k come out one by one, each once.",
				Left: Term{"P[S]", here}, Relation: AtMost, Right: Term{"g before the first release + Σδ_k", s.cappedProbability(nil) + deltas}},
			{Says: "Collect the exponents: without the caps at 1 the factors e^{ε_k} multiply.", Left: Term{"g before the first release", s.cappedProbability(nil)}, Relation: AtMost,
				Right: Term{"e^{Σε_k}·P′[S]", math.Exp(epsilons) * there}},
		}
		if deltas > 0 && final > 0 {
			steps = append(steps, s.slideSteps(epsilons, deltas, there, size)...)
		}
		return NumberedProof{on, steps}
	}}

// slideSteps returns the two steps of the slides that do not hold for δ > 0.
func (s session) slideSteps(epsilons, deltas, there, size float64) []Step {
	one, bracket := 1.0, 1.0 // of the sequence in which every output speaks for D
	for k := range s.epsilons {
		q := outcomesOf(s.epsilons[k], s.deltas[k])[1].there
		one, bracket = one*q, bracket*(math.Min(1, math.Exp(s.epsilons[k])*q)+deltas)
	}
	return []Step{
		{Says: "The slides bound single outputs, P[S = s] ≤ e^{Σε_k}·P[S′ = s] + Σδ_k. Added up over a set that charges Σδ_k once for each of its outputs.", Slide: true,
			Left: Term{fmt.Sprintf("the bound added up over the %.0f outputs of S", size), math.Exp(epsilons)*there + size*deltas}, Relation: AtMost,
			Right: Term{"e^{Σε_k}·P′[S] + Σδ_k", math.Exp(epsilons)*there + deltas}},
		{Says: "The slide’s bracket puts Σδ_k inside the product; its next line then need not hold.", Slide: true,
			Left: Term{"Π (min(e^{ε_k}·P[A_k(D′) = s_k], 1) + Σδ_k)", bracket}, Relation: AtMost, Right: Term{"e^{Σε_k}·P[S′ = s] + Σδ_k", math.Exp(epsilons)*one + deltas}},
	}
}
