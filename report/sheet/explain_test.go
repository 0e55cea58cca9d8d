package sheet

import (
	"context"
	"encoding/json"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/internal/samples"
	"epsiloscope/report"
	"epsiloscope/scenarios"
)

func TestExplainNamesTheoremConditionsAndReason(t *testing.T) {
	s := samples.Pure(0.1, 100, 1e-6)
	stack, err := scenarios.Stack(s)
	if err != nil {
		t.Fatal(err)
	}
	r := sample()
	r.Bounds = accounting.Compare(context.Background(), stack, accounting.Target{Delta: 1e-6})
	r.Best = accounting.Best(r.Bounds)
	var b strings.Builder
	if err := Explain(s, r, report.Explain(r)).Write(&b, "table"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Theorem III.3", "✓ δ′ > 0", "✗ every release is Gaussian", "√(2 ln(1/δ′)·Σε²) = √(2 · 13.82 · 1.000) = 5.257",
		"ε = 5.257 + 1.052 = 6.309", "slides", "does not apply", "★ "} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the explanation lacks %q:\n%s", want, b.String())
		}
	}
	b.Reset()
	if err := Explain(s, r, report.Explain(r, accounting.Basic)).Write(&b, "markdown"); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "## basic: Basic composition: ε = 10.00 at δ = 0\n") || strings.Contains(b.String(), "## advanced") {
		t.Errorf("Markdown of one method:\n%s", b.String())
	}
	b.Reset()
	if err := Explain(s, r, report.Explain(r)).Write(&b, "json"); err != nil {
		t.Fatal(err)
	}
	var list []struct{ Method, Source, Formula string }
	if err := json.Unmarshal([]byte(b.String()), &list); err != nil {
		t.Fatal(err)
	}
	for i, b := range r.Bounds {
		if len(list) != len(r.Bounds) || list[i].Method != string(b.Method) || list[i].Source == "" ||
			list[i].Formula == "" {
			t.Fatalf("JSON: %+v", list)
		}
	}
}

// A quantity is written as the steps below it write it, or with more digits than the sum there has.
func TestQuantitiesAgreeWithTheSteps(t *testing.T) {
	s := samples.Training("sampling_rate: 0.01, steps: 1000")
	r, err := scenarios.Evaluate(context.Background(), s, scenarios.Options{ClosedFormsOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, e := range report.Explain(r) {
		for _, q := range e.Bound.Inputs {
			if steps := strings.Join(e.Steps, "\n"); q.Symbol == "r(α)" {
				if seen++; !strings.Contains(steps, report.RoundQuantity(q)) && !roundedIn(steps, q.Value) {
					t.Errorf("%s: %s = %s is not in\n%s", e.Bound.Method, q.Symbol, report.RoundQuantity(q), steps)
				}
			}
		}
	}
	if seen == 0 {
		t.Error("nothing was compared")
	}
}

// roundedIn reports whether one of the decimal numbers of a text is x, off by less than a unit of its last place.
func roundedIn(text string, x float64) bool {
	for _, word := range regexp.MustCompile(`[0-9]+\.[0-9]{3,}`).FindAllString(text, -1) {
		value, _ := strconv.ParseFloat(word, 64)
		if _, decimals, _ := strings.Cut(word, "."); math.Abs(value-x) < math.Pow10(-len(decimals)) {
			return true
		}
	}
	return false
}
