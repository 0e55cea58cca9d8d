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

// The budget is divided so that 95 % errors are equal in multiples of Δ, or in proportion to the typical sizes,
// divided by the weights; of the entry or of the request.
func TestRebalanceEqualErrors(t *testing.T) {
	for _, c := range []struct {
		first, second string // fields of two entries, Δ 1 and Δ 500
		weights       map[int]float64
		want          float64 // the second error over the first
		rule          string
	}{
		{"", "", nil, 500, "95 % errors equal in multiples of Δ"},
		{", weight: 4", "", nil, 2000, "95 % errors equal in multiples of Δ, divided by the weights"},
		{", weight: 4", ", weight: 4", map[int]float64{1: 2}, 250, "95 % errors equal in multiples of Δ, divided by the weights"}, // the request's own
		{", typical: 200", ", typical: 5000", nil, 25, "95 % errors in proportion to the typical sizes"},
		{", typical: 200", "", nil, 500, "95 % errors in proportion to the typical sizes"}, // 200·Δ too
	} {
		for _, kinds := range [][2]string{{"laplace, epsilon: 0.1", "gaussian, sigma: 10"}, {"gaussian, sigma: 3", "laplace, epsilon: 2"}} {
			s := mustParse(t, "version: 1\nbudget: {epsilon: 1, delta: 1e-6}\nstack: [{mechanism: "+kinds[0]+", sensitivity: 1, count: 7"+c.first+
				"}, {mechanism: "+kinds[1]+", sensitivity: 500"+c.second+"}]\n")
			for _, method := range []accounting.Method{accounting.RDP, accounting.ZCDP} {
				r, err := New().Rebalance(context.Background(), s, RebalanceRequest{Method: method, Weights: c.weights})
				if err != nil || !r.Feasible || r.Rule != c.rule {
					t.Fatalf("%+v: %+v, %v", c, r, err)
				}
				a, _ := r.Scenario.Stack[0].Accuracy(1)
				b, _ := r.Scenario.Stack[1].Accuracy(1)
				if !near(b.Each/a.Each, c.want, 1e-6) {
					t.Errorf("%+v, %v by %s: errors %g and %g", c, kinds, method, a.Each, b.Each)
				}
			}
		}
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
		req := RebalanceRequest{Locked: []int{1},
			Method: rapid.SampledFrom([]accounting.Method{accounting.Basic, accounting.RDP,
				accounting.ZCDP}).Draw(t, "method"),
			Weights: map[int]float64{2: rapid.Float64Range(0.1, 10).Draw(t, "w")}}
		ev := New()
		r, err := ev.Rebalance(context.Background(), s, req)
		if err != nil || !r.Feasible {
			t.Fatalf("%+v, %v", r, err)
		}
		if !r.Scenario.Stack[0].Equal(s.Stack[0]) {
			t.Fatal("the locked entry moved")
		}
		after, err := ev.Evaluate(context.Background(), r.Scenario, scenarios.Options{ClosedFormsOnly: true})
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
	r, err := New().Rebalance(context.Background(), s,
		RebalanceRequest{Errors: map[int]float64{1: 100, 2: 50}, Method: accounting.RDP})
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
	with, err := WithError(context.Background(), s, 1, 10*math.Log(20))
	if err != nil || !near(with.Stack[0].Values["epsilon"].Number, 0.1, 1e-9) {
		t.Errorf("%v, %+v", err, with)
	}
	for entry, most := range map[int]float64{2: 5, 3: 5, 1: -1} {
		if _, err := WithError(context.Background(), s, entry, most); err == nil {
			t.Errorf("entry %d at %g: no error", entry, most)
		}
	}
}
