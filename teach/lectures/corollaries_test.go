package lectures_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
	"epsiloscope/teach/lectures"
)

func parse(t *testing.T, text string) *scenarios.Scenario {
	t.Helper()
	s, err := scenarios.Parse("test.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func near(got, want, tolerance float64) bool { return math.Abs(got-want) <= tolerance*math.Abs(want) }

// Bob: what each closed form of the lectures allows, what it costs, what it wastes.
func TestCorollariesOfBob(t *testing.T) {
	s := parse(t, "version: 1\nbudget: {epsilon: 1, delta: 1.2664165549094176e-14}\nstack: [{mechanism: pure, epsilon: 0.00125, count: 10000}]\n")
	table, err := lectures.Corollaries(context.Background(), plan.New(), s)
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		inverse, cost, allowed float64 // 1/value, ε by its theorem, 1/what that allows
	}{
		{10000, 1, 10000},
		{1600, 0.50391, 812.318},
		{800, 1.015635, 812.318},
		{806.2, 1, 806.2},
	}
	for i, c := range want {
		row := table.Rows[i]
		if !near(1/row.Value, c.inverse, 1e-4) || !near(row.Cost, c.cost, 1e-4) ||
			!near(1/row.Allowed, c.allowed, 1e-4) {
			t.Errorf("%s: 1/%g costs %g, its theorem allows 1/%g; want %+v", row.Name, 1/row.Value, row.Cost, 1/row.Allowed, c)
		}
	}
	slide := table.Rows[2]
	if slide.Proven || slide.Waste >= 0 || !near(slide.Least, 0.8916113014, 1e-6) ||
		slide.LeastMethod != accounting.Optimal {
		t.Errorf("the slide overspends by its theorem and is safe by the optimal one: %+v", slide)
	}
	if half := table.Rows[1]; !near(half.Waste, 1-812.318/1600, 1e-4) {
		t.Errorf("the corollary gives away %g", half.Waste)
	}
}

// The classic Gaussian formula: wasteful at ε = 1, too small at ε = 10.
func TestCorollariesOfGaussianNoise(t *testing.T) {
	for _, c := range []struct {
		epsilon, classic, exact float64
		note                    string
	}{
		{1, 4.84481, 3.73063, "proven for ε < 1 only"},
		{10, 0.48448, 0.49989, "the true δ at ε = 10 is 2.266e-5"},
	} {
		s := parse(t, "version: 1\nbudget: {epsilon: "+numeral.Format(c.epsilon)+", delta: 1e-5}\nstack: [{mechanism: gaussian, sigma: 5}]\n")
		table, err := lectures.Corollaries(context.Background(), plan.New(), s)
		if err != nil {
			t.Fatal(err)
		}
		row := table.Rows[0]
		exact, err := plan.New().Plan(context.Background(), s, plan.Request{Solve: "sigma", Method: accounting.GDP})
		if err != nil || !near(row.Value, c.classic, 1e-5) || row.Proven || !strings.Contains(row.Note, c.note) ||
			!near(exact.Value, c.exact, 1e-5) {
			t.Errorf("ε = %g: %+v, exactly %g (%v)", c.epsilon, row, exact.Value, err)
		}
	}
	s := parse(t, "version: 1\nbudget: {epsilon: 1, delta: 1e-6}\nstack: [{mechanism: gaussian, sigma: 5, count: 100}]\n")
	table, err := lectures.Corollaries(context.Background(), plan.New(), s)
	if err != nil || !near(table.Rows[0].Value, 611, 2e-3) || !near(table.Rows[1].Value, 53.5, 2e-3) {
		t.Errorf("100 counts: %+v, %v", table, err)
	}
	for _, text := range []string{
		"stack: []", "stack: [{mechanism: pure, epsilon: 1}, {mechanism: pure, epsilon: 2}]", "stack: [{mechanism: dp-sgd, noise_multiplier: 1, sampling_rate: 0.1, steps: 5}]",
		"group: 2\nstack: [{mechanism: pure, epsilon: 1}]",
	} {
		if _, err := lectures.Corollaries(context.Background(), plan.New(), parse(t, "version: 1\nbudget: {epsilon: 1, delta: 1e-6}\n"+text+"\n")); err == nil {
			t.Errorf("%s: no closed form speaks of this", text)
		}
	}
}

// A form whose theorem says nothing at its value is not within the budget: e^ε is past all
// numbers there, and the best theorem says 1.9e6.
func TestCorollaryWithoutABound(t *testing.T) {
	s := parse(t, "version: 1\nbudget: {epsilon: 1e6, delta: 1e-6}\nstack: [{mechanism: laplace, epsilon: 0.1, count: 100}]\n")
	table, err := lectures.Corollaries(context.Background(), plan.New(), s)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range table.Rows {
		over, _ := table.ExceedsBudget(c)
		if want := c.Formula == "ε/√(2K ln(1/δ′))" || c.Formula == "ε/(2√(2K ln(1/δ′)))"; over != want {
			t.Errorf("%s: costs %g, best %g, over %t", c.Formula, c.Cost, c.Least, over)
		}
	}
}
