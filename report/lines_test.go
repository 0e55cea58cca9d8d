package report

import (
	"context"
	"slices"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
)

// The reason why there is no bound comes first, names stand once per paragraph, and no line is blank.
func TestExplanationLines(t *testing.T) {
	s, err := scenarios.LoadBundled("welcome")
	if err != nil {
		t.Fatal(err)
	}
	r, err := scenarios.Evaluate(context.Background(), s, scenarios.Options{ClosedFormsOnly: true})
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

// Changes are listed by entry: what is about the whole scenario first, without a heading; no control character of a
// name reaches a terminal.
func TestChangeLines(t *testing.T) {
	training := scenarios.Entry{Mechanism: "dp-sgd", Count: 1, Sampling: 1, Values: param.Values{
		"sampling_rate": {Type: param.Number, Number: 256. / 60000}}}
	got := ChangeLines([]scenarios.Change{
		{Kind: scenarios.Changed, Field: "budget.delta", From: "1e-6", To: "0.00001"},
		{Kind: scenarios.Changed, Entry: "1", What: "Laplace", Field: "epsilon", From: "0.1", To: "0.11"},
		{Kind: scenarios.Changed, Entry: "1", What: "Laplace", Field: "records", From: "0", To: "7"},
		{Kind: scenarios.Removed, Entry: "2", What: "Gaussian", From: "Gaussian (σ 4)\x1b[31m"},
		{Kind: scenarios.Added, Entry: "3", What: "pure", To: "pure (ε 1)"},
		{Kind: scenarios.Changed, Entry: "4", What: "pure", From: "4", To: "5"},
		{Kind: scenarios.Added, Entry: "5", What: "DP-SGD", To: training.Describe(), Whole: &training},
	})
	want := []Line{
		{Role: Field, Name: "budget.delta", Was: "1e-6", Text: "1e-5"},
		{Role: Subheading, Text: "entry 1 Laplace"}, {Role: Field, Name: "epsilon", Was: "0.1", Text: "0.11"}, {Role: Field, Name: "records", Was: "none", Text: "7"},
		{Role: Subheading, Text: "entry 2 Gaussian"}, {Role: Removed, Text: Plain("Gaussian (σ 4)\x1b[31m")},
		{Role: Subheading, Text: "entry 3 pure"}, {Role: Added, Text: "pure (ε 1)"},
		{Role: Subheading, Text: "entry 4 pure"}, {Role: Field, Name: "changed", Was: "4", Text: "5"},
		{Role: Subheading, Text: "entry 5 DP-SGD"}, {Role: Added, Text: "DP-SGD (q 0.004267)"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}
