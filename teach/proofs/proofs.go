// Package proofs holds the proofs of the lecture decks step by step, with the numbers of a
// scenario in each step.
//
// Start with [All]. [Proof.WithNumbers] looks for an entry of the scenario that the proof
// applies to; if there is none it uses the deck's own example and says so. A step
// with the constants of a slide is included, and does not hold if the slide is wrong.
package proofs

import (
	"fmt"
	"math"

	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

// Proof is a proof of a deck.
type Proof struct {
	Name  string // "exponential-privacy"
	Title string
	Deck  string // key of the lecture
	steps func(*scenarios.Scenario) NumberedProof
}

// NumberedProof is a proof with numbers in it.
type NumberedProof struct {
	Subject string // what the numbers belong to: "entry 2", or the deck's example
	Steps   []Step
}

// Step claims that Left stands in Relation to Right.
type Step struct {
	Says     string // the step in words
	Left     Term
	Relation Relation
	Right    Term
	Slide    bool // printed so on a slide; it need not hold
	Costs    bool // of an ε, which is rounded up here as everywhere
}

// Values returns the values of the two sides for people.
func (s Step) Values() (left, right string) {
	write := numeral.Nearest
	if s.Costs {
		write = numeral.Upper
	}
	return write(s.Left.Value), write(s.Right.Value)
}

// Claim returns the step with its formulas and values.
func (s Step) Claim() string {
	left, right := s.Values()
	return fmt.Sprintf("%s = %s  %s  %s = %s", s.Left.Formula, left, s.Relation, s.Right.Formula, right)
}

// Term is a side of a step: a formula and its value.
type Term struct {
	Formula string
	Value   float64
}

// Relation compares the two sides of a step.
type Relation string

const (
	Equals  Relation = "="
	AtMost  Relation = "≤"
	AtLeast Relation = "≥"
)

// roundingMargin is the relative round-off allowed when two computed sides are compared.
const roundingMargin = 1e-9

// Holds reports whether the two sides compare as the step claims.
func (s Step) Holds() bool {
	l, r := s.Left.Value, s.Right.Value
	if math.IsNaN(l) || math.IsNaN(r) {
		return false
	}
	within := roundingMargin * math.Max(math.Abs(l), math.Abs(r))
	switch s.Relation {
	case Equals:
		return math.Abs(l-r) <= within
	case AtLeast:
		return l >= r-within
	}
	return l <= r+within
}

// All lists the proofs in the order of a course.
func All() []Proof {
	return []Proof{
		laplacePrivacy, randomizedResponse, uniformNoise, postProcessing, exponentialPrivacy,
		exponentialUtility, laplaceExponential,
		adaptiveComposition, advancedComposition, privacyLoss, moments, gaussianZCDP, aboveThreshold, generalization,
		maxInformation, chosenQuery, outputPerturbation,
	}
}

// Lookup finds a proof by name.
func Lookup(name string) (Proof, bool) {
	for _, p := range All() {
		if p.Name == name {
			return p, true
		}
	}
	return Proof{}, false
}

// WithNumbers puts the numbers of the scenario into the proof. A nil scenario takes the
// deck's example.
func (p Proof) WithNumbers(s *scenarios.Scenario) NumberedProof { return p.steps(s) }

// findEntry returns the first enabled entry whose mechanism is an M, with its place from 1; ok is
// false if there is none.
func findEntry[M mechanisms.Mechanism](s *scenarios.Scenario, usable func(M) bool) (m M, entry int, ok bool) {
	if s == nil {
		return m, 0, false
	}
	for i, e := range s.Stack {
		if e.Disabled || e.Parallel != nil {
			continue
		}
		built, err := s.Mechanism(&e)
		if err != nil {
			continue
		}
		if m, ok := built.(M); ok && usable(m) {
			return m, i + 1, true
		}
	}
	return m, 0, false
}

// entryOrExample returns the mechanism that the proof is about and its name: an entry of the scenario, or the example.
func entryOrExample[M mechanisms.Mechanism](s *scenarios.Scenario,
	usable func(M) bool, example M, says string) (M, string) {
	if m, entry, ok := findEntry(s, usable); ok {
		return m, fmt.Sprintf("entry %d", entry)
	}
	return example, "the deck's example: " + says
}

// acceptAny accepts any mechanism of the kind.
func acceptAny[M mechanisms.Mechanism](M) bool { return true }
