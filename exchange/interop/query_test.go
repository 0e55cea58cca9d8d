package interop

import (
	"strings"
	"testing"

	"epsiloscope/scenarios"
)

// An export states the sensitivity that follows from a query: a tool that knows no queries would otherwise take it for
// 1.
func TestExportOfAQuery(t *testing.T) {
	s, err := scenarios.Parse("f.yaml", []byte(`
version: 1
adjacency: replace
budget: {epsilon: 9, delta: 1e-6}
stack:
  - {mechanism: laplace, scale: 300, query: {kind: histogram, max_groups: 3, per_group: 5}}
  - {mechanism: gaussian, sigma: 400, query: {kind: vector, clip: 2}}
  - {mechanism: discrete-gaussian, sigma: 10, query: {kind: histogram, max_groups: 3, per_group: 5}}
`))
	if err != nil {
		t.Fatal(err)
	}
	text, remarks, err := Export("dp-accounting", s)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"LaplaceDpEvent(10)", "GaussianDpEvent(100)", "SelfComposedDpEvent(dpa.DiscreteGaussianDpEvent(sigma=10, sensitivity=5, dimension=1), 6)"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s is not in\n%s", want, text)
		}
	}
	if !strings.Contains(strings.Join(remarks, "\n"), "queries are written as the sensitivities") {
		t.Errorf("the remarks are %q", remarks)
	}
	// Several cells of one sample have no equivalent elsewhere.
	s.Adjacency, s.Stack[2].Sampling = "add-remove", 0.1
	if _, _, err := Export("dp-accounting", s); err == nil || !strings.Contains(err.Error(), "no equivalent") {
		t.Errorf("sampled cells: %v", err)
	}
	// The bounds of other tools come in by their names.
	rec, err := Import("csv", []byte("mechanism,scale,query.kind,query.clip,max_partitions_contributed,max_contributions_per_partition\nlaplace,30,sums,\"[0, 2]\",3,5\n"))
	if err != nil {
		t.Fatal(err)
	}
	if d, err := rec.Scenario.Sensitivity(&rec.Scenario.Stack[0]); err != nil || d.Value != 30 {
		t.Errorf("%+v, %v", d, err)
	}
}
