package report

import (
	"slices"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

// Explanation is a bound with everything a reader needs to check it by hand.
type Explanation struct {
	Bound     accounting.Bound
	Theorem   accounting.Theorem
	Steps     []string              // the formula with this scenario's numbers put in
	Questions []accounting.Question // what students ask about it, answered with these numbers
}

// Explain explains the bounds of a result, or only those of the methods named.
func Explain(r *scenarios.Result, only ...accounting.Method) []Explanation {
	var list []Explanation
	for _, b := range r.Bounds {
		if len(only) > 0 && !slices.Contains(only, b.Method) {
			continue
		}
		t, _ := accounting.TheoremOf(b.Method)
		list = append(list, Explanation{Bound: b, Theorem: t, Steps: b.Steps(), Questions: b.Questions()})
	}
	return list
}

// MechanismNotes returns the catalogue's notes on the mechanisms of a stack, each mechanism once, and for
// every training whose batches are cut the note on that.
func MechanismNotes(s *scenarios.Scenario, r *scenarios.Result) []string {
	notes := s.Reasons()
	if len(notes) > 0 {
		notes = append(notes, queriesAssume+".")
	}
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
				if cut := truncationNote(s, &e, r.BestBound().Epsilon); cut != "" {
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
