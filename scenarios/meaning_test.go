package scenarios

import (
	"context"
	"math"
	"strings"
	"testing"

	"epsiloscope/accounting"

	"pgregory.net/rapid"
)

func TestChanges(t *testing.T) {
	a := mustParse(t, "version: 1\nunit: person\nstack: [{mechanism: laplace, label: x, epsilon: 0.1}, {mechanism: gaussian, label: y, sigma: 4}, {parallel: [[{mechanism: pure, epsilon: 1}]]}]\n")
	b := mustParse(t, "version: 1\nunit: person-month\nrounds: 12\nstack: [{mechanism: laplace, label: x, scale: 20, count: 3}, {mechanism: zcdp, rho: 0.1}, {mechanism: gaussian, label: y, sigma: 4}, {parallel: [[{mechanism: pure, epsilon: 2}], [{mechanism: pure, epsilon: 1}]]}]\n")
	var got []string
	for _, c := range Changes(a, b) {
		got = append(got, strings.Join([]string{string(c.Kind), c.Entry, c.Field, c.From, c.To}, "|"))
	}
	want := []string{
		"changed||unit|person|person-month", "changed||rounds|1|12",
		"changed|1|epsilon|0.1|", "changed|1|scale||20", "changed|1|count|1|3",
		"added|2|||zCDP (ρ 0.1)",
		"changed|4.1.1|epsilon|1|2", "added|4.2.1|||Pure ε-DP (ε 1)",
	}
	if len(got) != len(want) {
		t.Fatalf("got\n%s", strings.Join(got, "\n"))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got %s, want %s", got[i], want[i])
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		x := drawScenario(t)
		if c := Changes(x, x.Clone()); len(c) != 0 {
			t.Fatalf("a copy differs: %+v", c)
		}
		y := x.Clone()
		drawEdit(t, y)
		same := x.Equal(y) || x.Description != y.Description
		if c := Changes(x, y); len(c) == 0 && !same {
			t.Fatalf("%+v and %+v differ, but no change is listed", x, y)
		}
	})
}

func TestVersus(t *testing.T) {
	a := mustParse(t, "version: 1\nunit: person\nbudget: {epsilon: 1, delta: 1e-6}\nstack: [{mechanism: pure, epsilon: 0.5}]\n")
	b := mustParse(t, "version: 1\nunit: person-day\nadjacency: replace\nbudget: {epsilon: 1, delta: 1e-5}\nstack: [{mechanism: gaussian, sigma: 5}]\n")
	v, err := NewEvaluator().Versus(context.Background(), a, b, Options{ClosedFormsOnly: true})
	if err != nil || len(v.Notes) != 3 {
		t.Fatalf("%+v, %v", v, err)
	}
	if !strings.Contains(v.Notes[1], "(add-remove and replace): each ε is about other pairs of data sets, and neither bounds the other") {
		t.Error(v.Notes[1])
	}
	for _, r := range v.Rows {
		if r.Method == accounting.GDP && !math.IsNaN(r.Difference()) {
			t.Error("GDP says nothing of a")
		}
	}
	c := a.Clone()
	c.Rounds = 3
	v, err = NewEvaluator().Versus(context.Background(), a, c, Options{ClosedFormsOnly: true})
	if err != nil || len(v.Notes) != 0 || !near(v.Rows[0].Difference(), 1, 1e-12) {
		t.Errorf("%+v, %v", v, err)
	}
}

func TestRuleNotes(t *testing.T) {
	for _, c := range []struct{ text, code string }{
		{"unit: person\nstack: [{mechanism: sparse-vector, epsilon: 1, positives: 10}]", "sparse-halting"},
		{"unit: person\nrecords: 60000\nstack: [{mechanism: dp-sgd, noise_multiplier: 1, sampling_rate: 0.00427, steps: 10}]", "batch-not-whole"},
		{"unit: person\nrecords: 100000\nstack: [{mechanism: dp-sgd, noise_multiplier: 1, sampling_rate: 0.01, steps: 10, batches: truncated, max_batch: 200}]", "most-batches-cut"},
		{"unit: person\nstack: [{mechanism: noisy-max, epsilon: 1, outputs: 4, count: 5}]", "noisy-max-laplace"},
		{"unit: person\nstack: [{mechanism: noisy-max, epsilon: 1, candidates: {a: 1, b: 2}, count: 5}]", "noisy-max-two"},
		{"unit: person\nadjacency: replace\nbudget: {epsilon: 40, delta: 1e-3}\nstack: [{mechanism: thresholdout, overfit_budget: 500, sigma: 0.05, n: 100}]", "thresholdout-slide"},
	} {
		found := false
		for _, l := range evaluate(t, "version: 1\n"+c.text+"\n").Notes {
			found = found || l.Code == c.code
		}
		if !found {
			t.Errorf("%s: no note %s", c.text, c.code)
		}
	}
	r := evaluate(t, "version: 1\nunit: person\nrecords: 60000\nstack: [{mechanism: dp-sgd, noise_multiplier: 1, sampling_rate: 0.004266666666666667, steps: 10}]\n")
	for _, l := range r.Notes {
		if l.Code == "batch-not-whole" {
			t.Errorf("256 of 60000 is a whole batch: %s", l.Text)
		}
	}
}

// A slide's halting rule spends 1.1 of 1.
func TestSparseHaltingFigure(t *testing.T) {
	r := evaluate(t, "version: 1\nunit: person\nstack: [{mechanism: sparse-vector, epsilon: 1, positives: 10}]\n")
	for _, l := range r.Notes {
		if l.Code == "sparse-halting" && strings.Contains(l.Text, "ε is 1.1 instead of 1") {
			return
		}
	}
	t.Errorf("%+v", r.Notes)
}

func TestWindowOf(t *testing.T) {
	for unit, year := range map[string]float64{"user-day": 365, "person-month": 12, "user-6h": 1460, "user, 6 hours": 1460, "device-2-weeks": 26, "14 days": 365, "resident-year": 1, "device day": 365} {
		if w, ok := WindowOf(unit); !ok || w.PerYear != year {
			t.Errorf("%s: %+v, %v", unit, w, ok)
		}
	}
	for _, unit := range []string{"person", "", "day", "one visitor, all visits", "user"} {
		if w, ok := WindowOf(unit); ok {
			t.Errorf("%s: %+v", unit, w)
		}
	}
	if w, _ := WindowOf("user-6h"); w.PerYear != 1460 { // Microsoft telemetry
		t.Errorf("%g windows in a year", w.PerYear)
	}
}
