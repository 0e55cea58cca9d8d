package plan

import (
	"context"
	"math"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"

	"pgregory.net/rapid"
)

func planAll(t testing.TB, text string, req Request) map[accounting.Method]Result {
	t.Helper()
	all, err := New().All(context.Background(), mustParse(t, "version: 1\n"+text+"\n"), req)
	if err != nil {
		t.Fatal(err)
	}
	by := map[accounting.Method]Result{}
	for _, r := range all {
		by[r.Method] = r
	}
	return by
}

// One hundred counts within (1, 1e-6): the table every data steward asks for.
func TestAllHundredCounts(t *testing.T) {
	gaussian := planAll(t, "budget: {epsilon: 1, delta: 1e-6}\nstack: [{mechanism: gaussian, sigma: 10, count: 100}]", Request{Solve: "sigma"})
	laplace := planAll(t, "budget: {epsilon: 1, delta: 1e-6}\nstack: [{mechanism: laplace, epsilon: 1, count: 100}]", Request{Solve: "epsilon"})
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"Laplace basic b", 1 / laplace[accounting.Basic].Value, 100},
		{"Laplace advanced b", 1 / laplace[accounting.Advanced].Value, 54.4},
		{"Gaussian zCDP classic σ", gaussian[accounting.ZCDPClassic].Value, 53.5},
		{"Gaussian zCDP σ", gaussian[accounting.ZCDP].Value, 45.3},
		{"Gaussian exact σ", gaussian[accounting.GDP].Value, 42.2},
		{"Gaussian numerical σ", gaussian[accounting.Numerical].Value, 42.2},
	} {
		if !near(c.got, c.want, 2e-3) {
			t.Errorf("%s: %g, want %g", c.name, c.got, c.want)
		}
	}
	if r := gaussian[accounting.Optimal]; r.Feasible || r.Note == "" {
		t.Errorf("Gaussian noise has no pure ε, but optimal says %+v", r)
	}
	all := make([]Result, 0, len(gaussian))
	for _, r := range gaussian {
		all = append(all, r)
	}
	if best := all[Best(all)]; !near(best.Value, 42.2, 2e-3) {
		t.Errorf("the best is %+v", best)
	}
	if w := laplace[accounting.Basic].Waste(laplace[accounting.Advanced]); !near(w, 0.456, 1e-2) {
		t.Errorf("basic gives away %g of what advanced allows", w)
	}
}

// A training run at ε = 2: which noise multiplier, how many steps?
func TestAllTraining(t *testing.T) {
	text := "budget: {epsilon: 2, delta: 1e-5}\nstack: [{mechanism: dp-sgd, noise_multiplier: 1.12, sampling_rate: 0.004266666666666667, steps: 14062}]"
	sigma := planAll(t, text, Request{Solve: "sigma"})
	steps := planAll(t, text, Request{Solve: "steps"})
	rdp, numerical := sigma[accounting.RDP], sigma[accounting.Numerical]
	if !rdp.Feasible || !numerical.Feasible || numerical.Value > rdp.Value || rdp.Value < 1.12 {
		t.Errorf("σ by RDP %+v, numerically %+v", rdp, numerical)
	}
	if r := steps[accounting.RDP]; !r.Feasible || r.Value >= 14062 || r.Value != math.Trunc(r.Value) {
		t.Errorf("steps by RDP %+v", r)
	}
	if r := sigma[accounting.GDP]; r.Feasible {
		t.Errorf("the central limit is no bound to plan with: %+v", r)
	}
}

// Planning is inverse to comparing for every solvable field and closed method: the
// answer meets the target, the next coarser value does not.
func TestEveryFieldIsInverse(t *testing.T) {
	kinds := map[string][]string{
		"count": {"laplace", "pure", "exponential", "gaussian", "randomized-response", "zcdp"}, "epsilon": {"laplace", "pure", "exponential", "noisy-max", "above-threshold"},
		"sigma": {"gaussian", "discrete-gaussian"}, "n": {"thresholdout"}, "rounds": {"laplace", "gaussian"},
		"scale": {"laplace", "gaussian", "exponential"}, "delta": {"laplace", "gaussian"}, "steps": {"dp-sgd"},
	}
	closed := []accounting.Method{accounting.Basic, accounting.Advanced, accounting.AdvancedKOV, accounting.Optimal,
		accounting.RDP, accounting.RDPClassic, accounting.ZCDP, accounting.ZCDPClassic, accounting.GDP}
	rapid.Check(t, func(t *rapid.T) {
		// max_batch has a target of its own
		solve := rapid.SampledFrom(Solvable).Filter(func(s string) bool { return kinds[s] != nil }).Draw(t, "solve")
		e, err := scenarios.NewEntry(rapid.SampledFrom(kinds[solve]).Draw(t, "mechanism"))
		if err != nil {
			t.Fatal(err)
		}
		methods := closed
		if solve == "steps" { // a curve per trial is dear, and the others do not speak of it
			methods = []accounting.Method{accounting.RDP}
		}
		s := scenarios.New()
		s.Budget = scenarios.Budget{Epsilon: rapid.Float64Range(0.1, 10).Draw(t, "ε"),
			Delta: math.Pow(10, rapid.Float64Range(-12, -3).Draw(t, "log δ"))}
		s.Stack = []scenarios.Entry{e}
		if rapid.Bool().Draw(t, "with another") {
			other, _ := scenarios.NewEntry("pure")
			if err := other.SetNumber("epsilon", 0.05); err != nil {
				t.Fatal(err)
			}
			s.Stack = append(s.Stack, other)
		}
		req := Request{Solve: solve, Entry: 1, Method: rapid.SampledFrom(methods).Draw(t, "method")}
		checkInverse(t, s, req)
	})
}

func checkInverse(t *rapid.T, s *scenarios.Scenario, req Request) {
	ev := New()
	r, err := ev.Plan(context.Background(), s, req)
	if err != nil {
		t.Fatal(err)
	}
	u, err := newUnknown(s, req)
	if err != nil {
		t.Fatal(err)
	}
	at := func(x float64) float64 {
		c, err := u.scenarioAt(s, x)
		if err != nil {
			return math.Inf(1)
		}
		stack, err := scenarios.Stack(c)
		if err != nil {
			return math.Inf(1)
		}
		b := accounting.Evaluate(context.Background(), req.Method, stack, targetOf(c))
		if b.Status != accounting.Valid {
			return math.Inf(1)
		}
		return b.Epsilon
	}
	if !r.Feasible {
		if r.Note == "" {
			t.Fatalf("infeasible without a reason: %+v", r)
		}
		if cheapest := map[bool]float64{true: u.low, false: u.high}[u.rises]; at(cheapest) <= s.Budget.Epsilon {
			t.Fatalf("called infeasible, but %g costs %g: %+v", cheapest, at(cheapest), r)
		}
		return
	}
	// A whole number may be rounded past the budget in its last places, as 7·0.1 + 0.05 of
	// 0.75; what is reported is the budget then.
	if got := at(r.Value); got > accounting.BudgetLimit(s.Budget.Epsilon) ||
		math.Min(got, s.Budget.Epsilon) != r.Achieved.Epsilon {
		t.Fatalf("%+v costs %g of %g", r, got, s.Budget.Epsilon)
	}
	next := r.Value * (1 - 1e-6)
	if u.rises {
		next = r.Value * (1 + 1e-6)
	}
	if u.whole {
		next = r.Value + map[bool]float64{true: 1, false: -1}[u.rises]
	}
	if r.Note == "" && r.Value != 0 && next >= u.low && next <= u.high && at(next) <= s.Budget.Epsilon {
		t.Fatalf("%+v, but %g fits too: %g of %g", r, next, at(next), s.Budget.Epsilon)
	}
}

// The numerical ends move within their width, so the next value that must fail is
// one width away.
func TestNumericalPlanIsInverse(t *testing.T) {
	s := mustParse(t, "version: 1\nbudget: {epsilon: 1, delta: 1e-6}\nstack: [{mechanism: laplace, epsilon: 0.05, count: 10}, {mechanism: gaussian, sigma: 20, count: 5}]\n")
	ev := New()
	r, err := ev.Plan(context.Background(), s, Request{Solve: "count", Entry: 1, Method: accounting.Numerical})
	if err != nil || !r.Feasible || r.Achieved.Epsilon > 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	over := s.Clone()
	over.Stack[0].Count = math.Ceil(r.Value*1.01) + 1
	after, err := ev.Evaluate(context.Background(), over, scenarios.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if b := figureOf(after, accounting.Numerical); b.Lower <= 1*(1-2e-3) {
		t.Errorf("%g fit, yet %g cost only %g", r.Value, over.Stack[0].Count, b.Lower)
	}
}

// How dear solving with the numerical method is: compare with one evaluation.
func BenchmarkPlanNumerical(b *testing.B) {
	s := mustParse(b, "version: 1\nbudget: {epsilon: 1, delta: 1e-6}\nstack: [{mechanism: laplace, epsilon: 0.05, count: 10}, {mechanism: gaussian, sigma: 20, count: 5}]\n")
	b.Run("one evaluation", func(b *testing.B) {
		for b.Loop() {
			stack, _ := scenarios.Stack(s)
			accounting.Evaluate(context.Background(), accounting.Numerical, stack, targetOf(s))
		}
	})
	b.Run("plan", func(b *testing.B) {
		for b.Loop() {
			if _, err := New().Plan(context.Background(), s,
				Request{Solve: "sigma", Method: accounting.Numerical}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// The answer of a ρ-zCDP release is that of zCDP, as in the comparison: of one release basic composition is the
// conversion of its ρ, and so the same number.
func TestTheTheoremOfThePlanIsThatOfTheComparison(t *testing.T) {
	for _, name := range []string{"census-dhc", "gboard-es", "wikimedia-pageviews", "gaussian-zcdp", "laplace-count"} {
		s, err := scenarios.LoadBundled(name)
		if err != nil {
			t.Fatal(err)
		}
		compared, err := scenarios.Evaluate(t.Context(), s, scenarios.Options{})
		if err != nil {
			t.Fatal(err)
		}
		want := compared.Bounds[accounting.Best(compared.Bounds)].Method
		s.Budget.Epsilon = compared.Bounds[accounting.Best(compared.Bounds)].Epsilon * 1.01
		all, err := New().All(t.Context(), s, Request{Solve: "count", Entry: 1})
		if err != nil {
			t.Fatal(err)
		}
		best := Best(all)
		if best < 0 {
			t.Fatalf("%s: nothing fits", name)
		}
		if got := all[best].Method; all[best].Value == s.Stack[0].Count && got != want {
			t.Errorf("%s: the plan is by %s, the comparison by %s", name, got, want)
		}
	}
}
