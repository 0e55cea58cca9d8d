package plan

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/accounting/risk"
	"epsiloscope/internal/gauge"
	"epsiloscope/scenarios"
)

func TestMargins(t *testing.T) {
	s := mustParse(t, "version: 1\nbudget: {epsilon: 9, delta: 1e-6}\nrounds: 2\nstack: [{mechanism: pure, epsilon: 0.5, count: 3}, {mechanism: pure, epsilon: 0.25}, {mechanism: pure, epsilon: 1, disabled: true}]\n")
	m, err := New().Margins(context.Background(), s, accounting.Basic, scenarios.Options{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := []Margin{{1, 3, 3, 1}, {2, 0.5, 0.5, 0.5}, {3, 2, 0, 2}}
	if !near(m.Epsilon, 3.5, 1e-12) || !near(m.Round, 1.75, 1e-12) || m.Width != 0 {
		t.Errorf("%+v", m)
	}
	for i, w := range want {
		if g := m.Entries[i]; g.Entry != w.Entry || !near(g.Alone, w.Alone, 1e-12) || !near(g.Saves, w.Saves, 1e-12) ||
			!near(g.OneMore, w.OneMore, 1e-12) {
			t.Errorf("entry %d: %+v, want %+v", i+1, g, w)
		}
	}
	if _, err := New().Margins(context.Background(), s, accounting.GDP, scenarios.Options{}, 0); err == nil {
		t.Error("GDP has no bound for pure releases")
	}
	if m, err := New().Margins(context.Background(), s, "",
		scenarios.Options{ClosedFormsOnly: true}, 0); err != nil || m.Method == "" {
		t.Errorf("%+v, %v", m, err)
	}
	s.Rounds, s.Stack[0].Count = 1e12, 1e12 // there is no count beyond
	if m, err := New().Margins(context.Background(), s, accounting.Basic, scenarios.Options{}, 0); err != nil ||
		!math.IsInf(m.Round, 1) || !math.IsInf(m.Entries[0].OneMore, 1) {
		t.Errorf("%+v, %v", m, err)
	}
}

// TestMarginsAreThoseOfEditedScenarios prices edited copies of a scenario one by one, as compare does, and expects the
// same digits.
func TestMarginsAreThoseOfEditedScenarios(t *testing.T) {
	const stack = "rounds: 3\nstack: [{mechanism: gaussian, sigma: 4, count: 2}, {mechanism: laplace, epsilon: 0.1}, " +
		"{mechanism: gaussian, sigma: 1.5, sampling: {rate: 0.01}, count: 40, disabled: true}, " +
		"{mechanism: laplace, epsilon: 0.1}, {parallel: [[{mechanism: pure, epsilon: 0.2}], [{mechanism: pure, epsilon: 0.3}]]}]\n"
	ctx := context.Background()
	for _, c := range gauge.Some(2, []struct {
		budget string
		method accounting.Method
	}{
		{"{epsilon: 2, delta: 1e-6}", accounting.Numerical},
		{"{epsilon: 2, delta: 1e-6}", accounting.RDP},
		{"{epsilon: 2, delta: 1e-6}", accounting.Basic},
		{"{advantage: 0.5}", accounting.Numerical},
		{"{tpr: 0.2, fpr: 0.01, delta: 1e-6}", accounting.RDP},
	}) {
		s := mustParse(t, "version: 1\nbudget: "+c.budget+"\n"+stack)
		m, err := New().Margins(ctx, s, c.method, scenarios.Options{}, 0)
		if err != nil {
			t.Fatal(err)
		}
		cost := func(edit func(*scenarios.Scenario)) float64 {
			e := s.Copy()
			edit(e)
			return editedCost(t, e, c.method)
		}
		whole := cost(func(*scenarios.Scenario) {})
		expect := func(what string, got, want float64) {
			if got != want {
				t.Errorf("%s by %s, %s: %v, want %v", c.budget, c.method, what, got, want)
			}
		}
		expect("one more round", m.Round, cost(func(e *scenarios.Scenario) { e.Rounds++ })-whole)
		for i, part := range m.Entries {
			at := func(what string) string { return fmt.Sprintf("entry %d, %s", i+1, what) }
			expect(at("alone"), part.Alone, cost(func(e *scenarios.Scenario) {
				e.Stack = e.Stack[i : i+1]
				e.Stack[0].Disabled = false
			}))
			if s.Stack[i].Disabled {
				expect(at("first copy"), part.OneMore, cost(func(e *scenarios.Scenario) {
					e.Stack[i].Disabled, e.Stack[i].Count = false, 1
				})-whole)
				continue
			}
			expect(at("saved"), part.Saves, whole-cost(func(e *scenarios.Scenario) { e.Stack[i].Disabled = true }))
			expect(at("one more"), part.OneMore, cost(func(e *scenarios.Scenario) { e.Stack[i].Count++ })-whole)
		}
		first, err := New().Margins(ctx, s, c.method, scenarios.Options{}, 2)
		if err != nil || len(first.Entries) != 2 || first.Epsilon != m.Epsilon || first.Entries[1] != m.Entries[1] {
			t.Errorf("the first two entries: %+v, %v", first, err)
		}
	}
}

// TestMarginsStop ends the context before the whole is evaluated and before its entries: there is no answer, and no
// error but that of the context.
func TestMarginsStop(t *testing.T) {
	s := mustParse(t, "version: 1\nbudget: {epsilon: 2, delta: 1e-6}\nstack: [{mechanism: laplace, epsilon: 0.1}, "+
		"{mechanism: laplace, epsilon: 0.2}, {mechanism: gaussian, sigma: 4}]\n")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if m, err := New().Margins(ctx, s, "", scenarios.Options{}, 0); !errors.Is(err, context.Canceled) || m != nil {
		t.Errorf("%+v, %v", m, err)
	}
	target, err := s.Target(0)
	if err != nil {
		t.Fatal(err)
	}
	p := marginCosts{priced: scenarios.NewEvaluator().Price(s), method: accounting.Numerical, target: target}
	all := make([]Margin, len(s.Stack))
	if err := p.margins(ctx, s, 0.1, all); !errors.Is(err, context.Canceled) {
		t.Errorf("%+v, %v", all, err)
	}
}

// TestFaultInAMargin asks for the margin of an entry that is not there, which panics beside the goroutine of the
// caller: it is an internal error, no number, and the program goes on.
func TestFaultInAMargin(t *testing.T) {
	s := mustParse(t, "version: 1\nbudget: {epsilon: 2}\nstack: [{mechanism: laplace, epsilon: 0.1}]\n")
	p := marginCosts{priced: scenarios.NewEvaluator().Price(s), method: accounting.Basic}
	err := p.margins(context.Background(), s, 0.1, make([]Margin, len(s.Stack)+1))
	if accounting.FaultOf(err) == nil {
		t.Errorf("%v", err)
	}
}

// editedCost returns the upper end of what the budget limits.
func editedCost(t *testing.T, s *scenarios.Scenario, method accounting.Method) float64 {
	t.Helper()
	ctx := context.Background()
	limit := s.Budget.Harm
	if limit.Kind() != "" && method == accounting.Numerical {
		var ends risk.Ends
		profile, err := scenarios.NewEvaluator().Profile(ctx, s)
		if err == nil {
			ends, err = limit.Measure(ctx, profile)
		}
		if err != nil {
			t.Fatal(err)
		}
		return ends.Upper
	}
	b, err := scenarios.NewEvaluator().Bound(ctx, s, method, 0)
	if err != nil {
		t.Fatal(err)
	}
	if limit.Kind() != "" {
		return limit.HarmOf(b)
	}
	return b.Epsilon
}

// TestMarginsOfWhatRunsOnce asks for another round and another copy of a report that is made once, and for a disabled
// entry that has no price: there is no cost of either, and every other answer is there.
func TestMarginsOfWhatRunsOnce(t *testing.T) {
	s, err := scenarios.LoadBundled("rappor-chrome")
	if err != nil {
		t.Fatal(err)
	}
	m, err := New().Margins(context.Background(), s, accounting.Basic, scenarios.Options{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(m.Refusal, "stack[1].reports: a memoised report is made once") ||
		!math.IsInf(m.Round, 1) || !math.IsInf(m.Entries[0].OneMore, 1) || !(m.Entries[0].Alone > 0) {
		t.Errorf("%+v", m)
	}
	if again := m.Entries[1].OneMore; !s.Stack[1].Disabled || math.IsInf(again, 1) || !(again > 0) {
		t.Errorf("the first copy of a disabled report costs %v", again)
	}
	s = mustParse(t, "version: 1\nbudget: {epsilon: 2, delta: 1e-6}\n"+
		"stack: [{mechanism: laplace, epsilon: 1}, {mechanism: laplace, epsilon: 2, disabled: true}]\n")
	s.Stack[1].Sampling = -1
	m, err = New().Margins(context.Background(), s, accounting.Basic, scenarios.Options{}, 0)
	if err != nil || m.Round != 1 ||
		!math.IsInf(m.Entries[1].Alone, 1) || !math.IsInf(m.Entries[1].OneMore, 1) {
		t.Errorf("an entry that cannot be priced: %+v, %v", m, err)
	}
}

// BenchmarkMargins compares the margins of 200 different entries with one comparison.
func BenchmarkMargins(b *testing.B) {
	for _, trainings := range []bool{false, true} {
		s := manyEntries(b, 200, trainings)
		name := "cheap"
		if trainings {
			name = "a quarter of them trained"
		}
		b.Run("compare/"+name, func(b *testing.B) {
			for b.Loop() {
				_, err := scenarios.NewEvaluator().Evaluate(context.Background(), s, scenarios.Options{})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("margins/"+name, func(b *testing.B) {
			for b.Loop() {
				if _, err := New().Margins(context.Background(), s, "", scenarios.Options{}, 0); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// manyEntries returns a stack of different Laplace and Gaussian releases, of which every fourth may be a training.
func manyEntries(b *testing.B, n int, trainings bool) *scenarios.Scenario {
	b.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	var w strings.Builder
	w.WriteString("version: 1\nbudget: {epsilon: 10, delta: 1e-6}\nstack:\n")
	for i := range n {
		switch {
		case trainings && i%4 == 3:
			fmt.Fprintf(&w, "  - {mechanism: gaussian, sigma: %.4f, sampling: {rate: %.5f}, count: 100}\n",
				0.8+2*rng.Float64(), 0.001+0.01*rng.Float64())
		case i%2 == 0:
			fmt.Fprintf(&w, "  - {mechanism: laplace, epsilon: %.5f}\n", 0.01+0.19*rng.Float64())
		default:
			fmt.Fprintf(&w, "  - {mechanism: gaussian, sigma: %.4f}\n", 5+95*rng.Float64())
		}
	}
	s, err := scenarios.Parse("many.yaml", []byte(w.String()))
	if err != nil {
		b.Fatal(err)
	}
	return s
}
