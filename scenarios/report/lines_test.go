package report

import (
	"context"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
)

// The reason why there is no bound comes first, names stand once per paragraph, and no line is blank.
func TestExplanationLines(t *testing.T) {
	s, err := scenarios.LoadBundled("welcome")
	if err != nil {
		t.Fatal(err)
	}
	r, err := scenarios.Evaluate(context.Background(), s, scenarios.Options{Closed: true})
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for _, e := range Explain(r) {
		lines, names := e.Lines(), map[string]bool{}
		for _, l := range lines {
			if l.Text == "" || l.Name != "" && names[l.Name] {
				t.Errorf("%s: %+v is blank, or its name is there twice", e.Bound.Method, l)
			}
			names[l.Name] = true
		}
		if e.Bound.Status == accounting.NotApplicable {
			if refused++; lines[0].Role != Note || lines[0].Text != e.Bound.Note {
				t.Errorf("%s begins with %+v, want the reason %q", e.Bound.Method, lines[0], e.Bound.Note)
			}
		}
		if epsilon, rest := BoundClaim(e.Bound); (rest != "") != e.Bound.Finite() || epsilon == "" {
			t.Errorf("%s claims %q %q", e.Bound.Method, epsilon, rest)
		}
	}
	if refused == 0 {
		t.Error("every theorem applies: the reason was not tested")
	}
}
