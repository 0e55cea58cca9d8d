package plan

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/internal/gauge"
	"epsiloscope/scenarios"
)

// planFigures are the reference values of accounting/risk/testdata/risk.json that are about an unknown.
func planFigures(t *testing.T, quantity string) (list []planFigure) {
	t.Helper()
	all := gauge.ReadFigures[struct{ Figures []planFigure }](t, "../../accounting/risk/testdata/risk.json")
	for _, f := range all.Figures {
		if f.Quantity == quantity {
			list = append(list, f)
		}
	}
	if len(list) == 0 {
		t.Fatalf("there is no %s", quantity)
	}
	return list
}

type planFigure struct {
	Name, Quantity string
	Inputs         map[string]any
	Value          float64
	Tolerance      float64 `json:"tolerance_rel"`
}

func (f planFigure) number(name string) float64 {
	x, _ := f.Inputs[name].(float64)
	return x
}

// budget returns the harm that the value is about.
func (f planFigure) budget() string {
	if a := f.number("advantage"); a > 0 {
		return fmt.Sprintf("advantage: %v", a)
	}
	return fmt.Sprintf("tpr: %v, fpr: %v", f.number("tpr"), f.number("fpr"))
}

func parsed(t *testing.T, format string, a ...any) *scenarios.Scenario {
	t.Helper()
	s, err := scenarios.Parse("", []byte("version: 1\n"+fmt.Sprintf(format, a...)))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The noise that a harm needs by the certified curve, and that which it needs through (ε, δ): the answer is no smaller
// than the reference, and hardly larger.
func TestNoiseForAHarm(t *testing.T) {
	for _, f := range gauge.Some(3, planFigures(t, "noise_multiplier")) {
		s := parsed(t, "budget: {%s, delta: 1e-5}\nstack: [{mechanism: dp-sgd, noise_multiplier: 1, sampling_rate: %v, steps: %v}]\n", f.budget(), f.number("rate"), f.number("steps"))
		if e := f.number("eps"); e > 0 { // through (ε, δ): the ε at which the harm is just allowed
			s = parsed(t, "budget: {epsilon: %v, delta: %v}\nstack: [{mechanism: dp-sgd, noise_multiplier: 1, sampling_rate: %v, steps: %v}]\n", e, f.number("delta"), f.number("rate"), f.number("steps"))
		}
		r, err := New().Plan(context.Background(), s, Request{Solve: "sigma", Method: accounting.Numerical})
		if err != nil || !r.Feasible {
			t.Errorf("%s: %+v, %v", f.Name, r, err)
			continue
		}
		if r.Value < f.Value*(1-f.Tolerance) || r.Value > f.Value*(1+2e-4) {
			t.Errorf("%s: %.9g, reference %.9g", f.Name, r.Value, f.Value)
		}
		if h := s.Budget.Harm; h.Kind() != "" && !(r.HarmAchieved <= h.Limit()) {
			t.Errorf("%s: achieves %g of %g", f.Name, r.HarmAchieved, h.Limit())
		}
	}
}

// How many Gaussian releases a harm allows: ⌊(2Φ⁻¹((1+a)/2)/μ)²⌋ by the curve, as a plan and as what is left; fewer
// through the (ε, δ) of a closed form.
func TestReleasesForAHarm(t *testing.T) {
	for _, f := range planFigures(t, "releases") {
		s := parsed(t, "budget: {%s}\nstack: [{mechanism: gaussian, sigma: %v}]\n", f.budget(), 1/f.number("mu"))
		r, err := New().Plan(context.Background(), s, Request{Solve: "count"})
		if err != nil || r.Value != f.Value || r.Method != accounting.Numerical {
			t.Errorf("%s: plan %+v, %v; want %g", f.Name, r, err, f.Value)
		}
		left, err := New().QueriesLeft(context.Background(), s, 1, "")
		if err != nil || left != f.Value-1 { // one is released already
			t.Errorf("%s: %g left, %v; want %g", f.Name, left, err, f.Value-1)
		}
		stated := s.Clone() // the δ at which ε is stated if the budget has none
		stated.Budget.Delta = s.DeltaOfEpsilon()
		same, err := New().QueriesLeft(context.Background(), stated, 1, accounting.RDP)
		if err != nil {
			t.Fatal(err)
		}
		if closed, err := New().QueriesLeft(context.Background(), s, 1, accounting.RDP); err != nil ||
			closed >= left || closed != same {
			t.Errorf("%s: %g left through the ε of RDP, %g with a stated δ, %v", f.Name, closed, same, err)
		}
	}
}

// Where more noise does not always cost less, the plan says so, and what it returns is certified.
func TestUnevenNoiseIsSaid(t *testing.T) {
	s := parsed(t, "budget: {tpr: 0.3, fpr: 0.05}\nstack: [{mechanism: discrete-gaussian, sigma: 1}]\n")
	r, err := New().Plan(context.Background(), s, Request{Solve: "sigma"})
	if err != nil || !r.Feasible || !(r.HarmAchieved <= 0.3) || r.Note == "" {
		t.Errorf("%+v, %v", r, err)
	}
}

// A theorem that does not apply says why, under a budget of harm as under one of ε.
func TestPlanForAHarmSaysWhyATheoremDoesNotApply(t *testing.T) {
	for method, stack := range map[accounting.Method]string{
		accounting.Optimal: "{mechanism: gaussian, sigma: 1}",
		accounting.GDP:     "{mechanism: laplace, epsilon: 0.1}",
	} {
		notes := map[string]string{}
		for _, budget := range []string{"epsilon: 1", "advantage: 0.2", "tpr: 0.05, fpr: 0.01", "reconstruction: 0.3, prior: 0.1"} {
			solve := "sigma"
			if method == accounting.GDP {
				solve = "scale"
			}
			r, err := New().Plan(context.Background(), parsed(t, "budget: {%s, delta: 1e-6}\nstack: [%s]\n", budget, stack),
				Request{Solve: solve, Method: method})
			if err != nil || r.Feasible {
				t.Fatalf("%s, %s: %+v, %v", method, budget, r, err)
			}
			_, reason, _ := strings.Cut(r.Note, ": ")
			notes[reason] = budget
		}
		for reason := range notes {
			if len(notes) != 1 || reason == "" || strings.Contains(reason, "even at") {
				t.Errorf("%s: %q", method, notes)
			}
		}
	}
}

// A plan by advantage takes the time of one by ε: go test -bench Noise ./scenarios/plan.
func BenchmarkNoise(b *testing.B) {
	for name, budget := range map[string]string{"epsilon": "epsilon: 1", "advantage": "advantage: 0.2", "tpr": "tpr: 0.05, fpr: 0.01"} {
		b.Run(name, func(b *testing.B) {
			s, err := scenarios.Parse("", []byte("version: 1\nbudget: {"+budget+", delta: 1e-5}\nstack: [{mechanism: dp-sgd, noise_multiplier: 1, sampling_rate: 0.004, steps: 5000}]\n"))
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if r, err := New().Plan(context.Background(), s, Request{Solve: "sigma"}); err != nil || !r.Feasible {
					b.Fatal(r, err)
				}
			}
		})
	}
}

// A fault that cannot be priced is said in words, without a place in a file: the file of the fault is not the user's.
func TestAuditPlansNameNoPlaceInAFile(t *testing.T) {
	s, err := scenarios.LoadBundled("dp-sgd")
	if err != nil {
		t.Fatal(err)
	}
	plans, err := PlanAudits(context.Background(), s, 0.8, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	seen := false
	for _, p := range plans {
		if p.Fault != FaultShuffled {
			continue
		}
		seen = true
		if !strings.HasPrefix(p.Problem, "shuffled batches are not supported under add-remove") || !strings.Contains(p.Problem, "Use zero-out or replace") || strings.Contains(p.Problem, "stack[") {
			t.Errorf("%s: %q", p.Fault, p.Problem)
		}
	}
	if !seen {
		t.Errorf("no plan for %s: %+v", FaultShuffled, plans)
	}
}
