package scenarios

import (
	"fmt"
	"strings"
	"testing"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
)

// free says why a field of a mechanism leaves its cost alone; "sampling" is that of the entry.
var free = map[string]string{
	"exponential.outputs":     "only the error depends on it",
	"above-threshold.queries": "only the error depends on it", "sparse-vector.queries": "only the error depends on it",
	"above-threshold.threshold": "any threshold costs the same", "sparse-vector.threshold": "any threshold costs the same",
	"thresholdout.threshold": "any threshold costs the same",
	"output-perturbation.n":  "ε is given: it sets the noise", "output-perturbation.regularization": "ε is given: it sets the noise",
	"output-perturbation.dimension": "ε is given: it sets the noise",
	"objective-perturbation.n":      "ε is given: it sets the noise", "objective-perturbation.regularization": "ε is given: it sets the noise",
	"objective-perturbation.dimension": "ε is given: it sets the noise", "objective-perturbation.smoothness": "ε is given: it sets the noise",
	"sparse-vector.delta": "of one positive, which is pure", "matrix.bands": "only a banded root has bands, and a note says so",
	"dp-sgd.records": "the rate is given", "dp-sgd.max_batch": "only truncated batches are cut, and a note says so",
	"dp-sgd.sampling":  "it samples itself, and a note says so",
	"frequency.domain": "oue tells two values apart as often in every domain", "frequency.people": "only the error depends on it",
	"matrix.batch": "only cyclic Poisson batches have one, and a note says so", "matrix.records": "only cyclic Poisson batches count them, and a note says so",
	"frequency.sampling":              "where records come and go: everybody answers",
	"randomized-response.sampling":    "where records come and go: everybody answers",
	"thresholdout.sampling":           "its number is for a replaced record",
	"output-perturbation.sampling":    "its number is for a replaced record",
	"objective-perturbation.sampling": "its number is for a replaced record",
}

// What a user changes is counted: in the stack, in a branch, in a block of a branch and in a run of
// a selection, every number has a part in the releases that are priced, or there is a reason why
// not. A number that is read and then left out would make a cost too small.
func TestEveryNumberCounts(t *testing.T) {
	used := map[string]bool{}
	for _, spec := range mechanisms.Catalogue() {
		if spec.Varies != "" {
			continue
		}
		e, err := NewEntry(spec.Name)
		if err != nil {
			t.Fatal(err)
		}
		numbersCount(t, spec.Name, e, spec.Name, used)
		run, err := NewEntry("select")
		if err == nil {
			err = run.put("of.mechanism", param.ChoiceValue(spec.Name))
		}
		if err != nil {
			t.Fatal(err)
		}
		numbersCount(t, "select of "+spec.Name, run, spec.Name, used)
	}
	for field, why := range free {
		if !used[field] {
			t.Errorf("%s counts: there is no need to say %q", field, why)
		}
	}
}

// setsTheNoise reports whether a field scales the noise of a given ε alone: the sensitivity beside an ε.
func setsTheNoise(field string, v param.Values) bool {
	return strings.HasSuffix(field, ".sensitivity") && (v.Has("epsilon") || v.Has("of.epsilon"))
}

func numbersCount(t *testing.T, label string, e Entry, kind string, used map[string]bool) {
	edits := map[string]func(*Scenario, *Entry) error{
		"count":    func(_ *Scenario, e *Entry) error { e.Count *= 2; return nil },
		"sampling": func(_ *Scenario, e *Entry) error { e.Sampling /= 2; return nil },
		"rounds":   func(s *Scenario, _ *Entry) error { s.Rounds *= 2; return nil },
		"group":    func(s *Scenario, _ *Entry) error { s.Group *= 2; return nil },
		"block":    func(s *Scenario, _ *Entry) error { s.Stack[0].Count *= 2; return nil },
	}
	for _, p := range e.Spec().Params {
		if p.Type.Numeric() {
			edits[p.Name] = func(_ *Scenario, e *Entry) error { return e.SetNumber(p.Name, another(p, e.Values)) }
		}
	}
	for _, depth := range []int{0, 1, 2} {
		for _, adjacency := range []mechanisms.Adjacency{mechanisms.AddRemove, mechanisms.ZeroOut, mechanisms.Replace} {
			priced := func(edit func(*Scenario, *Entry) error) (string, error) {
				s, at := nested(e, depth, adjacency)
				if err := edit(s, at); err != nil {
					return "", err
				}
				stack, err := Stack(s)
				var b strings.Builder
				for _, x := range stack {
					fmt.Fprintf(&b, "%g × %s\n", x.Count, x.Release.Key())
				}
				return b.String(), err
			}
			before, err := priced(func(*Scenario, *Entry) error { return nil })
			if err != nil {
				continue // no such release is priced
			}
			for name, edit := range edits {
				after, err := priced(edit)
				if err != nil || after != before {
					continue
				}
				field := kind + "." + strings.Replace(strings.TrimPrefix(name, "of."), "sampling.rate", "sampling", 1)
				if used[field] = true; free[field] == "" && !setsTheNoise(field, e.Values) {
					t.Errorf("%s: %s changes nothing, at depth %d under %s", label, name, depth, adjacency)
				}
			}
		}
	}
}

// another returns a number that a parameter may have and does not.
func another(p param.Param, values param.Values) float64 {
	x := p.Initial.Number
	if v, ok := values[p.Name]; ok {
		x = v.Number
	}
	if p.CheckNumber(2*x) != "" {
		return x / 2
	}
	return 2 * x
}

// nested returns a scenario with an entry so many blocks deep, beside branches that cost next to
// nothing.
func nested(e Entry, depth int, adjacency mechanisms.Adjacency) (*Scenario, *Entry) {
	s := New()
	s.Adjacency, s.Records, s.Budget.Delta = adjacency, 4e6, 1e-6
	e.Also.AddRemove = adjacency == mechanisms.Replace
	stack := []Entry{e}
	at := &stack[0]
	for range depth {
		other, _ := NewEntry("pure")
		other.Values = param.Values{"epsilon": param.NumberValue(1e-9)}
		other.Also = e.Also
		stack = []Entry{{Count: 1, Sampling: 1, Parallel: [][]Entry{stack, {other}}}}
	}
	s.Stack = stack
	return s, at
}
