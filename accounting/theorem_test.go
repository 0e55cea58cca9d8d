package accounting

import (
	"strings"
	"testing"
)

func TestEveryTheoremCanBeExplainedAndCited(t *testing.T) {
	order := []Method{Basic, Advanced, AdvancedKOV, Optimal, RDP, RDPPinned, RDPClassic, ZCDP, ZCDPClassic, GDP, Numerical}
	all := Methods()
	if len(all) != len(order) {
		t.Fatalf("%d theorems, want %d", len(all), len(order))
	}
	for i, theorem := range all {
		if theorem.Method != order[i] {
			t.Errorf("theorem %d is %s, want %s", i, theorem.Method, order[i])
		}
		for what, text := range map[string]string{"label": theorem.Label, "title": theorem.Title, "authors": theorem.Authors,
			"source": theorem.Source, "formula": theorem.Formula, "slack": theorem.Slack, "word on costs chosen by looking": theorem.Filter} {
			if text == "" {
				t.Errorf("%s has no %s", theorem.Method, what)
			}
		}
		if !strings.Contains(theorem.BibTeX, "{"+theorem.CiteKey+",") {
			t.Errorf("%s: the BibTeX entry has another key than %q", theorem.Method, theorem.CiteKey)
		}
		if theorem.Year < 2006 || theorem.evaluate == nil {
			t.Errorf("%s is incomplete", theorem.Method)
		}
	}
	if _, ok := TheoremOf("folklore"); ok {
		t.Error("a theorem called folklore exists")
	}
}
