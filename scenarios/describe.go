package scenarios

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strings"

	"epsiloscope/accounting/numeral"
	"epsiloscope/internal/format"
	"epsiloscope/mechanisms"
)

// Describe returns an entry in a few words: "20 × Laplace (ε 0.1, Δ 1)". Parameters at their default are left out,
// except a sensitivity.
func (e Entry) Describe() string {
	times := ""
	if e.Count != 1 {
		times = numeral.Format(e.Count) + " × "
	}
	if e.Parallel != nil {
		parts := make([]string, 0, len(e.Parallel))
		for i, branch := range e.Parallel {
			if i == 3 && len(e.Parallel) > 4 {
				parts = append(parts, fmt.Sprintf("%d more", len(e.Parallel)-i))
				break
			}
			parts = append(parts, describeBranch(branch))
		}
		how := "in parallel: "
		if e.Moves != "" {
			how = "in parallel, moves " + e.Moves + ": "
		}
		if e.Branches > 1 {
			how = strings.TrimSuffix(how, ": ") + ", a person in up to " + numeral.Format(e.Branches) + ": "
		}
		return times + how + strings.Join(parts, " | ")
	}
	spec, ok := mechanisms.SpecOf(e.Mechanism, e.Values)
	if !ok {
		return times + e.Mechanism
	}
	var fields []string
	for _, p := range spec.Params {
		v, given := e.Values[p.Name]
		if !given && (p.Name != "sensitivity" || e.Query.IsSet()) {
			continue
		}
		if !given {
			v = p.Default
		}
		fields = append(fields, strings.TrimSpace(cmp.Or(p.Symbol, p.Name)+" "+format.ValueText(p, v)))
	}
	if e.Query.IsSet() {
		fields = append(fields, e.Query.String())
	}
	if e.Sampling != 1 {
		fields = append(fields, "sampled at q "+numeral.Format(e.Sampling))
	}
	if claim := (*format.Also)(&e.Also).String(); claim != "" {
		fields = append(fields, "also "+claim)
	}
	if len(fields) == 0 {
		return times + spec.Title
	}
	return times + spec.Title + " (" + strings.Join(fields, ", ") + ")"
}

func describeBranch(branch []Entry) string {
	var parts []string
	for _, e := range branch {
		if !e.Disabled {
			parts = append(parts, e.Describe())
		}
	}
	return cmp.Or(strings.Join(parts, " + "), "nothing")
}

// Releases reports whether any entry of the stack is enabled.
func (s *Scenario) Releases() bool { return len(EnabledEntries(s.Stack)) > 0 }

// Confidence is the confidence level of every error this program states.
const Confidence = 0.95

// Accuracy returns the error of an entry's answers at 95 % confidence, over all its
// copies in the given number of rounds. The error says why there is none.
func (e *Entry) Accuracy(rounds float64) (mechanisms.Accuracy, error) {
	if e.Parallel != nil {
		return mechanisms.Accuracy{}, errors.New("a parallel block has no error of its own; its branches have")
	}
	m, err := mechanisms.New(e.Mechanism, e.Values)
	if err != nil {
		return mechanisms.Accuracy{}, err
	}
	return mechanisms.ErrorOf(m, 1-Confidence, math.Max(1, e.Count*rounds))
}
