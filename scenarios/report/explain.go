package report

import (
	"slices"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

// Explanation is one bound with everything a reader needs to check it by hand.
type Explanation struct {
	Bound   accounting.Bound
	Theorem accounting.Theorem
	Steps   []string // the formula with this scenario's numbers put in
	Slips   []string // where lectures print something else, and why
}

// Explain explains the bounds of a result, or only those of the methods named.
func Explain(r *scenarios.Result, only ...accounting.Method) []Explanation {
	var list []Explanation
	for _, b := range r.Bounds {
		if len(only) > 0 && !slices.Contains(only, b.Method) {
			continue
		}
		t, _ := accounting.TheoremOf(b.Method)
		list = append(list, Explanation{Bound: b, Theorem: t, Steps: steps(b), Slips: slips[b.Method]})
	}
	return list
}

// MechanismNotes are the remarks of the catalogue on the mechanisms of a stack,
// each mechanism once: what its guarantee asks, and where lectures print something
// else.
func MechanismNotes(s *scenarios.Scenario) []string {
	var notes []string
	seen := map[string]bool{}
	var walk func([]scenarios.Entry)
	walk = func(stack []scenarios.Entry) {
		for _, e := range stack {
			for _, branch := range e.Parallel {
				walk(branch)
			}
			spec, ok := mechanisms.Lookup(e.Mechanism)
			if !ok || seen[e.Mechanism] {
				continue
			}
			seen[e.Mechanism] = true
			for _, n := range spec.Notes {
				notes = append(notes, spec.Title+": "+n)
			}
		}
	}
	walk(s.Stack)
	return notes
}

// slips are what slides print of a theorem, and what holds instead.
var slips = map[accounting.Method][]string{
	accounting.Advanced: {
		"Slides often keep only the first term and solve it for ε = ε′/√(2K ln(1/δ′)); the second term is then missing, and the true cost is above ε′. With K = 10⁴ and δ′ = e⁻³² a query at 1/800 costs 1.0156, not 1.",
		"The shorthand O(√(K ln(1/δ′)))·ε is meant for K < 1/ε²; slides that print K < 1/ε have lost the square.",
	},
	accounting.RDP: {
		"There is no upper limit on the order's divergence or on ρ; slides that ask for 0 ≤ ρ ≤ 1 add a condition the definition lacks.",
		"The divergence is (1/(α−1))·ln E[e^((α−1)L)] with L the logarithm of the ratio; slides sometimes print the ratio itself.",
	},
	accounting.ZCDP: {
		"Gaussian noise has ρ = Δ²/(2σ²): the sensitivity is squared. Slides that print Δ/(2σ²) agree only at Δ = 1.",
		"ρ adds up, ε does not: split ρ over the releases, not ε.",
	},
	accounting.Numerical: {
		"“(ε, δ)-DP means that the loss exceeds ε with probability δ at most” is sufficient, not equivalent; exact is E[(1 − e^(ε−L))₊] ≤ δ.",
	},
}
