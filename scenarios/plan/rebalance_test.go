package plan

import (
	"context"
	"math"
	"strings"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"

	"pgregory.net/rapid"
)

func TestRebalanceFollowsTheOptimum(t *testing.T) {
	text := func(kind, rest string) string {
		return "version: 1\nbudget: {epsilon: 1, delta: 1e-6}\nstack: [{mechanism: " + kind + ", sensitivity: 1, " + rest + "}, {mechanism: " + kind + ", sensitivity: 8, " + rest + "}]\n"
	}
	s := mustParse(t, text("laplace", "epsilon: 0.1"))
	r, err := New().Rebalance(context.Background(), s, RebalanceRequest{Method: accounting.Basic, Weights: map[int]float64{1: 27}})
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
	r, err = New().Rebalance(context.Background(), s, RebalanceRequest{Method: accounting.ZCDP, Weights: map[int]float64{1: 16}})
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
		s := scenarios.New()
		s.Budget = scenarios.Budget{Epsilon: rapid.Float64Range(1, 10).Draw(t, "ε"), Delta: 1e-6}
		for _, kind := range []string{"laplace", "gaussian", "exponential"} {
			e, err := scenarios.NewEntry(kind)
			if err != nil {
				t.Fatal(err)
			}
			e.Count = float64(rapid.IntRange(1, 20).Draw(t, "count"))
			s.Stack = append(s.Stack, e)
		}
		if err := s.Stack[0].SetNumber("epsilon", 0.01); err != nil {
			t.Fatal(err)
		}
		req := RebalanceRequest{Locked: []int{1}, Method: rapid.SampledFrom([]accounting.Method{accounting.Basic, accounting.RDP, accounting.ZCDP}).Draw(t, "method"),
			Weights: map[int]float64{2: rapid.Float64Range(0.1, 10).Draw(t, "w")}}
		ev := New()
		r, err := ev.Rebalance(context.Background(), s, req)
		if err != nil || !r.Feasible {
			t.Fatalf("%+v, %v", r, err)
		}
		if !r.Scenario.Stack[0].Equal(s.Stack[0]) {
			t.Fatal("the locked entry moved")
		}
		after, err := ev.Evaluate(context.Background(), r.Scenario, scenarios.Options{Closed: true})
		if err != nil {
			t.Fatal(err)
		}
		if got := figureOf(after, req.Method).Epsilon; got > s.Budget.Epsilon || got < s.Budget.Epsilon*(1-1e-4) {
			t.Fatalf("%g of %g is spent", got, s.Budget.Epsilon)
		}
	})
}

func TestRebalanceByWishedErrors(t *testing.T) {
	s := mustParse(t, "version: 1\nbudget: {epsilon: 1, delta: 1e-6}\nstack: [{mechanism: laplace, epsilon: 0.1}, {mechanism: gaussian, sigma: 10}]\n")
	r, err := New().Rebalance(context.Background(), s, RebalanceRequest{Errors: map[int]float64{1: 100, 2: 50}, Method: accounting.RDP})
	if err != nil || !r.Feasible {
		t.Fatalf("%+v, %v", r, err)
	}
	a, _ := r.Scenario.Stack[0].Accuracy(1)
	b, _ := r.Scenario.Stack[1].Accuracy(1)
	if !near(a.Each/b.Each, 2, 1e-6) || r.Factor >= 1 {
		t.Errorf("errors %g and %g, factor %g: the wishes can be met with room to spare", a.Each, b.Each, r.Factor)
	}
	if _, err := New().Rebalance(context.Background(), s, RebalanceRequest{Locked: []int{1, 2}}); err == nil {
		t.Error("there is nothing left to divide over")
	}
	if _, err := New().Rebalance(context.Background(), s, RebalanceRequest{Locked: []int{7}}); err == nil {
		t.Error("there is no entry 7")
	}
	r, err = New().Rebalance(context.Background(), mustParse(t, "version: 1\nbudget: {epsilon: 1}\nstack: [{mechanism: pure, epsilon: 2}, {mechanism: laplace, epsilon: 1}]\n"),
		RebalanceRequest{Locked: []int{1}, Method: accounting.Basic})
	if err != nil || r.Feasible || !strings.HasPrefix(r.Note, "the locked entries leave too little: no factor on the noise meets ε = 1: ") {
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
	m, err := New().Margins(context.Background(), s, accounting.Basic, scenarios.Options{})
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
	if _, err := New().Margins(context.Background(), s, accounting.GDP, scenarios.Options{}); err == nil {
		t.Error("GDP has no bound for pure releases")
	}
	if m, err := New().Margins(context.Background(), s, "", scenarios.Options{Closed: true}); err != nil || m.Method == "" {
		t.Errorf("%+v, %v", m, err)
	}
	s.Rounds, s.Stack[0].Count = 1e12, 1e12 // there is no count beyond
	if m, err := New().Margins(context.Background(), s, accounting.Basic, scenarios.Options{}); err != nil || !math.IsInf(m.Round, 1) || !math.IsInf(m.Entries[0].OneMore, 1) {
		t.Errorf("%+v, %v", m, err)
	}
}
