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
		list = append(list, Explanation{Bound: b, Theorem: t, Steps: b.Steps(Writing), Slips: t.Slips})
	}
	return list
}

// MechanismNotes are the remarks of the catalogue on the mechanisms of a stack,
// each mechanism once: what its guarantee asks, and where lectures print something
// else; and of every entry what it means that its batches are cut.
func MechanismNotes(s *scenarios.Scenario, r *scenarios.Result) []string {
	var notes []string
	seen := map[string]bool{}
	var walk func([]scenarios.Entry)
	walk = func(stack []scenarios.Entry) {
		for _, e := range stack {
			for _, branch := range e.Parallel {
				walk(branch)
			}
			if run, selects := e.Run(); selects {
				walk([]scenarios.Entry{run})
			}
			spec, ok := mechanisms.Lookup(e.Mechanism)
			if ok && r.Best >= 0 {
				if cut := cutBatches(s, &e, r.Bounds[r.Best].Epsilon); cut != "" {
					notes = append(notes, spec.Title+": "+cut+".")
				}
			}
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

// Writing is how this package writes the numbers of a formula.
var Writing = accounting.Writing{Figure: Figure, Upper: Upper, Lower: Lower, Short: Short}

// Questions are what students ask about advanced composition, answered with the numbers of
// the scenario. It is empty where the theorem has nothing to say of the stack.
func Questions(r *scenarios.Result) []accounting.Question {
	for _, b := range r.Bounds {
		if list := b.Questions(Writing); len(list) > 0 {
			return list
		}
	}
	return nil
}
