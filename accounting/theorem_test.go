package accounting

import (
	"strings"
	"testing"
)

func TestEveryTheoremCanBeExplainedAndCited(t *testing.T) {
	seen := map[Method]bool{}
	for _, theorem := range Methods() {
		if seen[theorem.Method] || theorem.Method == "" {
			t.Errorf("two theorems are called %q", theorem.Method)
		}
		seen[theorem.Method] = true
		for what, text := range map[string]string{"label": theorem.Label, "title": theorem.Title, "authors": theorem.Authors,
			"source": theorem.Source, "formula": theorem.Formula, "slack": theorem.Looseness, "status under fully adaptive composition": string(theorem.Adaptive.Status),
			"reason for it": theorem.Adaptive.Reason} {
			if text == "" {
				t.Errorf("%s has no %s", theorem.Method, what)
			}
		}
		if !strings.Contains(BibTeX(theorem.CiteKey), "{"+theorem.CiteKey+",") {
			t.Errorf("%s: there is no BibTeX entry of %q", theorem.Method, theorem.CiteKey)
		}
		if theorem.Year < 2006 || theorem.evaluate == nil || theorem.steps == nil {
			t.Errorf("%s is incomplete", theorem.Method)
		}
	}
	if _, ok := TheoremOf("folklore"); ok {
		t.Error("a theorem called folklore exists")
	}
}
