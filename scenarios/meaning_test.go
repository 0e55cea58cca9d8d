package scenarios

import (
	"context"
	"math"
	"strings"
	"testing"

	"epsiloscope/accounting"

	"pgregory.net/rapid"
)

func TestRebalanceFollowsTheOptimum(t *testing.T) {
	text := func(kind, rest string) string {
		return "version: 1\nbudget: {epsilon: 1, delta: 1e-6}\nstack: [{mechanism: " + kind + ", sensitivity: 1, " + rest + "}, {mechanism: " + kind + ", sensitivity: 8, " + rest + "}]\n"
	}
	s := mustParse(t, text("laplace", "epsilon: 0.1"))
	r, err := NewEvaluator().Rebalance(context.Background(), s, RebalanceRequest{Method: accounting.Basic, Weights: map[int]float64{1: 27}})
	if err != nil || !r.Feasible {
		t.Fatalf("%+v, %v", r, err)
	}
	want := []float64{3.0 / 7, 4.0 / 7} // in proportion to (w·Δ²)^(1/3)
	for i, e := range r.Scenario.Stack {
		if !near(e.Values["epsilon"].Number, want[i], 1e-6) {
			t.Errorf("Laplace entry %d: ε = %g, want %g", i+1, e.Values["epsilon"].Number, want[i])
		}
	}
	s = mustParse(t, text("gaussian", "sigma: 10"))
	r, err = NewEvaluator().Rebalance(context.Background(), s, RebalanceRequest{Method: accounting.ZCDP, Weights: map[int]float64{1: 16}})
	if err != nil || !r.Feasible {
		t.Fatalf("%+v, %v", r, err)
	}
	rho := func(i int, delta float64) float64 {
		return delta * delta / (2 * math.Pow(r.Scenario.Stack[i].Values["sigma"].Number, 2))
	}
	if !near(rho(1, 8)/rho(0, 1), 2, 1e-7) { // √w·Δ: 4·1 against 1·8
		t.Errorf("ρ is divided %g to %g", rho(0, 1), rho(1, 8))
	}
}

// Whatever is locked and weighed, the budget is met and just so, and what is locked stays.
func TestRebalanceMeetsTheBudget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := New()
		s.Budget = Budget{rapid.Float64Range(1, 10).Draw(t, "ε"), 1e-6}
		for _, kind := range []string{"laplace", "gaussian", "exponential"} {
			e, err := NewEntry(kind)
			if err != nil {
				t.Fatal(err)
			}
			e.Count = float64(rapid.IntRange(1, 20).Draw(t, "count"))
			s.Stack = append(s.Stack, e)
		}
		if err := s.Stack[0].setValue("epsilon", 0.01); err != nil {
			t.Fatal(err)
		}
		req := RebalanceRequest{Locked: []int{1}, Method: rapid.SampledFrom([]accounting.Method{accounting.Basic, accounting.RDP, accounting.ZCDP}).Draw(t, "method"),
			Weights: map[int]float64{2: rapid.Float64Range(0.1, 10).Draw(t, "w")}}
		ev := NewEvaluator()
		r, err := ev.Rebalance(context.Background(), s, req)
		if err != nil || !r.Feasible {
			t.Fatalf("%+v, %v", r, err)
		}
		if !r.Scenario.Stack[0].Equal(s.Stack[0]) {
			t.Fatal("the locked entry moved")
		}
		after, err := ev.Evaluate(context.Background(), r.Scenario, Options{Closed: true})
		if err != nil {
			t.Fatal(err)
		}
		if got := after.bound(req.Method).Epsilon; got > s.Budget.Epsilon || got < s.Budget.Epsilon*(1-1e-4) {
			t.Fatalf("%g of %g is spent", got, s.Budget.Epsilon)
		}
	})
}

func TestRebalanceByWishedErrors(t *testing.T) {
	s := mustParse(t, "version: 1\nbudget: {epsilon: 1, delta: 1e-6}\nstack: [{mechanism: laplace, epsilon: 0.1}, {mechanism: gaussian, sigma: 10}]\n")
	r, err := NewEvaluator().Rebalance(context.Background(), s, RebalanceRequest{Errors: map[int]float64{1: 100, 2: 50}, Method: accounting.RDP})
	if err != nil || !r.Feasible {
		t.Fatalf("%+v, %v", r, err)
	}
	a, _ := r.Scenario.Stack[0].Accuracy(1)
	b, _ := r.Scenario.Stack[1].Accuracy(1)
	if !near(a.Each/b.Each, 2, 1e-6) || r.Factor >= 1 {
		t.Errorf("errors %g and %g, factor %g: the wishes can be met with room to spare", a.Each, b.Each, r.Factor)
	}
	if _, err := NewEvaluator().Rebalance(context.Background(), s, RebalanceRequest{Locked: []int{1, 2}}); err == nil {
		t.Error("there is nothing left to divide over")
	}
	if _, err := NewEvaluator().Rebalance(context.Background(), s, RebalanceRequest{Locked: []int{7}}); err == nil {
		t.Error("there is no entry 7")
	}
	r, err = NewEvaluator().Rebalance(context.Background(), mustParse(t, "version: 1\nbudget: {epsilon: 1}\nstack: [{mechanism: pure, epsilon: 2}, {mechanism: laplace, epsilon: 1}]\n"),
		RebalanceRequest{Locked: []int{1}, Method: accounting.Basic})
	if err != nil || r.Feasible || !strings.HasPrefix(r.Note, "the locked entries leave too little") {
		t.Errorf("%+v, %v", r, err)
	}
}

// An accuracy target: the noise is the largest that meets it.
func TestWithError(t *testing.T) {
	s := mustParse(t, "version: 1\nstack: [{mechanism: laplace, epsilon: 1, count: 10}, {mechanism: pure, epsilon: 1}]\n")
	with, err := WithError(context.Background(), s, 1, 10*math.Log(20), false)
	if err != nil || !near(with.Stack[0].Values["epsilon"].Number, 0.1, 1e-9) {
		t.Errorf("%v, %+v", err, with)
	}
	with, err = WithError(context.Background(), s, 1, 10*math.Log(200), true) // ten answers at once
	if err != nil || !near(with.Stack[0].Values["epsilon"].Number, 0.1, 1e-9) {
		t.Errorf("%v, %+v", err, with)
	}
	for entry, most := range map[int]float64{2: 5, 3: 5, 1: -1} {
		if _, err := WithError(context.Background(), s, entry, most, false); err == nil {
			t.Errorf("entry %d at %g: no error", entry, most)
		}
	}
}

func TestMargins(t *testing.T) {
	s := mustParse(t, "version: 1\nbudget: {epsilon: 9, delta: 1e-6}\nrounds: 2\nstack: [{mechanism: pure, epsilon: 0.5, count: 3}, {mechanism: pure, epsilon: 0.25}, {mechanism: pure, epsilon: 1, disabled: true}]\n")
	m, err := NewEvaluator().Margins(context.Background(), s, accounting.Basic, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []Margin{{1, 3, 3, 1}, {2, 0.5, 0.5, 0.5}, {3, 2, 0, 2}}
	if !near(m.Epsilon, 3.5, 1e-12) || !near(m.Round, 1.75, 1e-12) || m.Blur != 0 {
		t.Errorf("%+v", m)
	}
	for i, w := range want {
		if g := m.Entries[i]; g.Entry != w.Entry || !near(g.Alone, w.Alone, 1e-12) || !near(g.Saves, w.Saves, 1e-12) || !near(g.OneMore, w.OneMore, 1e-12) {
			t.Errorf("entry %d: %+v, want %+v", i+1, g, w)
		}
	}
	if _, err := NewEvaluator().Margins(context.Background(), s, accounting.GDP, Options{}); err == nil {
		t.Error("GDP has no bound for pure releases")
	}
	if m, err := NewEvaluator().Margins(context.Background(), s, "", Options{Closed: true}); err != nil || m.Method == "" {
		t.Errorf("%+v, %v", m, err)
	}
}

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
	v, err := NewEvaluator().Versus(context.Background(), a, b, Options{Closed: true})
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
	v, err = NewEvaluator().Versus(context.Background(), a, c, Options{Closed: true})
	if err != nil || len(v.Notes) != 0 || !near(v.Rows[0].Difference(), 1, 1e-12) {
		t.Errorf("%+v, %v", v, err)
	}
}

func TestRuleLints(t *testing.T) {
	for _, c := range []struct{ text, code string }{
		{"unit: user-day\nrounds: 30\nstack: [{mechanism: pure, epsilon: 1}]", "window-rounds"},
		{"unit: training example\nstack: [{mechanism: pure, epsilon: 1}]", "unit-not-person"},
		{"unit: person\nstack: [{mechanism: sparse-vector, epsilon: 1, positives: 10}]", "sparse-halting"},
		{"unit: person\nrecords: 60000\nstack: [{mechanism: dp-sgd, noise_multiplier: 1, sampling_rate: 0.00427, steps: 10}]", "batch-not-whole"},
		{"unit: person\nstack: [{mechanism: noisy-max, epsilon: 1, outputs: 4, count: 5}]", "noisy-max-laplace"},
		{"unit: person\nadjacency: replace\nbudget: {epsilon: 40, delta: 1e-3}\nstack: [{mechanism: thresholdout, overfit_budget: 500, sigma: 0.05, n: 100}]", "thresholdout-slide"},
		{"unit: person\nbudget: {epsilon: 5.1, delta: 1e-5}\nstack: [{mechanism: dp-sgd, noise_multiplier: 1.1, sampling_rate: 0.01, steps: 10000}]", "gdp-as-bound"},
	} {
		found := false
		for _, l := range evaluate(t, "version: 1\n"+c.text+"\n").Lints {
			found = found || l.Code == c.code
		}
		if !found {
			t.Errorf("%s: no remark %s", c.text, c.code)
		}
	}
	r := evaluate(t, "version: 1\nunit: person\nrecords: 60000\nstack: [{mechanism: dp-sgd, noise_multiplier: 1, sampling_rate: 0.004266666666666667, steps: 10}]\n")
	for _, l := range r.Lints {
		if l.Code == "batch-not-whole" {
			t.Errorf("256 of 60000 is a whole batch: %s", l.Text)
		}
	}
}

// A slide's halting rule spends 1.1 of 1.
func TestSparseHaltingFigure(t *testing.T) {
	r := evaluate(t, "version: 1\nunit: person\nstack: [{mechanism: sparse-vector, epsilon: 1, positives: 10}]\n")
	for _, l := range r.Lints {
		if l.Code == "sparse-halting" && strings.Contains(l.Text, "ε is 1.1 instead of 1") {
			return
		}
	}
	t.Errorf("%+v", r.Lints)
}

func TestWindowOf(t *testing.T) {
	for unit, year := range map[string]float64{"user-day": 365, "person-month": 12, "user-6h": 1460, "user, 6 hours": 1460, "device-2-weeks": 26, "14 days": 365, "resident-year": 1, "device day": 365} {
		if w, ok := WindowOf(unit); !ok || w.Year != year {
			t.Errorf("%s: %+v, %v", unit, w, ok)
		}
	}
	for _, unit := range []string{"person", "", "day", "one visitor, all visits", "user"} {
		if w, ok := WindowOf(unit); ok {
			t.Errorf("%s: %+v", unit, w)
		}
	}
	if w, _ := WindowOf("user-6h"); math.Round(w.Yearly(1.672)) != 2441 { // Microsoft telemetry, summed naively
		t.Errorf("%g", w.Yearly(1.672))
	}
}
