package plan

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"

	"pgregory.net/rapid"
)

const bob = "version: 1\nbudget: {epsilon: 1, delta: 1.2664165549094176e-14}\nstack: [{mechanism: pure, epsilon: 1/800, count: 10000}]\n" // δ = e⁻³²

func plan(t testing.TB, text string, req Request) Result {
	t.Helper()
	text = strings.Replace(text, "1/800", "0.00125", 1)
	r, err := New().Plan(context.Background(), mustParse(t, text), req)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Bob answers 10,000 queries with a total ε of 1 at δ = e⁻³². What each theorem
// allows per query: see the lecture's slide and its correction.
func TestPlanBob(t *testing.T) {
	for _, c := range []struct {
		method accounting.Method
		want   float64 // 1/ε
		digits float64
	}{
		{accounting.Basic, 10000, 1e-6},
		{accounting.Advanced, 812.318, 1e-6},
		{accounting.AdvancedKOV, 780.3, 1e-4}, // by its term ln(e + √Σε²/δ′); that of ln(1/δ′) gives 806.2
		{accounting.ZCDP, 741.4, 1e-4},
		{accounting.RDP, 741.0, 1e-4},
		{accounting.Optimal, 715.5, 1e-4},
	} {
		r := plan(t, bob, Request{Solve: "epsilon", Method: c.method})
		if !r.Feasible || !near(1/r.Value, c.want, c.digits) || r.Achieved.Epsilon > 1 || r.Method != c.method {
			t.Errorf("%s: 1/%g, want 1/%g; %+v", c.method, 1/r.Value, c.want, r)
		}
	}
}

// Three times 0.1 is 0.30000000000000004 in binary; a person who budgets 0.3 means
// three queries. A real unknown stays strictly within.
func TestPlanForgivesRounding(t *testing.T) {
	const text = "version: 1\nbudget: {epsilon: 0.3}\nstack: [{mechanism: pure, epsilon: 0.1}]\n"
	if r := plan(t, text, Request{Solve: "count", Method: accounting.Basic}); !r.Feasible || r.Value != 3 {
		t.Errorf("%v queries of 0.1 in a budget of 0.3", r.Value)
	}
	const four = "version: 1\nbudget: {epsilon: 1.68}\nstack: [{mechanism: pure, epsilon: 0.168}, {mechanism: pure, epsilon: 0.37}, " +
		"{mechanism: pure, epsilon: 1.1}, {mechanism: pure, epsilon: 0.042}]\n"
	if r := plan(t, four, Request{Solve: "rounds", Method: accounting.Basic}); !r.Feasible || r.Value != 1 {
		t.Errorf("%v rounds of 1.68 in a budget of 1.68: %s", r.Value, r.Note)
	}
	if r := plan(t, text, Request{Solve: "epsilon", Method: accounting.Basic}); r.Achieved.Epsilon > 0.3 {
		t.Errorf("a solved ε costs %v of 0.3", r.Achieved.Epsilon)
	}
}

func TestPlanCases(t *testing.T) {
	for _, c := range []struct {
		name, text string
		req        Request
		want       float64
		tolerance  float64
	}{
		{"count under basic", "stack: [{mechanism: pure, epsilon: 0.125}]", Request{Solve: "count", Method: accounting.Basic}, 8, 0},
		{"count of one of two", "stack: [{mechanism: pure, epsilon: 0.125}, {mechanism: pure, epsilon: 0.5}]", Request{Solve: "count", Entry: 1, Method: accounting.Basic}, 4, 0},
		{"rounds", "stack: [{mechanism: pure, epsilon: 0.01, count: 2}]", Request{Solve: "rounds", Method: accounting.Basic}, 50, 0},
		{"a scale is replaced", "stack: [{mechanism: laplace, scale: 3}]", Request{Solve: "epsilon", Method: accounting.Basic}, 1, 1e-6},
		{"all noise", "stack: [{mechanism: laplace, epsilon: 1}, {mechanism: pure, epsilon: 1}]", Request{Solve: "scale", Method: accounting.Basic}, 2, 1e-6},
		{"noise in branches", "stack: [{parallel: [[{mechanism: laplace, epsilon: 4}]]}]", Request{Solve: "scale", Method: accounting.Basic}, 4, 1e-6},
		{"σ", "stack: [{mechanism: gaussian, sigma: 1}]", Request{Solve: "sigma", Method: accounting.GDP}, 1 / accounting.GaussianFromDP(1, 1e-6), 1e-6},
		{"n", "stack: [{mechanism: thresholdout, overfit_budget: 10, sigma: 0.1, n: 1000}]", Request{Solve: "n", Method: accounting.Basic}, 200, 0},
		{"δ of a Gaussian", "stack: [{mechanism: gaussian, sigma: 3}]", Request{Solve: "delta", Method: accounting.GDP}, accounting.GaussianToDelta(1.0/3, 1), 1e-5},
		{"δ of a pure stack", "stack: [{mechanism: pure, epsilon: 0.5}]", Request{Solve: "delta"}, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := plan(t, "version: 1\nbudget: {epsilon: 1, delta: 1e-6}\n"+c.text+"\n", c.req)
			if !r.Feasible || math.Abs(r.Value-c.want) > c.tolerance*c.want {
				t.Errorf("got %+v, want %g", r, c.want)
			}
		})
	}
}

// Of two entries that have a σ the one that states it is meant.
func TestPlanOnlyEntryThatStatesIt(t *testing.T) {
	r := plan(t, "version: 1\nbudget: {epsilon: 1, delta: 1e-6}\nstack: [{mechanism: gaussian, epsilon: 0.1, delta: 1e-9}, {mechanism: gaussian, sigma: 50}]\n", Request{Solve: "sigma", Method: accounting.RDP})
	if !r.Feasible || r.Entry != 2 {
		t.Errorf("got %+v", r)
	}
}

// Without a method the numerical accountant decides, and no closed form does better.
func TestPlanBest(t *testing.T) {
	text := "version: 1\nbudget: {epsilon: 1, delta: 1e-6}\nstack: [{mechanism: laplace, scale: 20, count: 50}]\n"
	best := plan(t, text, Request{Solve: "count"})
	if !best.Feasible || best.Method != accounting.Numerical || best.Achieved.Epsilon > 1 ||
		best.Value != math.Trunc(best.Value) {
		t.Errorf("got %+v", best)
	}
	for _, m := range []accounting.Method{accounting.Basic, accounting.RDP, accounting.ZCDP, accounting.Numerical} {
		if r := plan(t, text, Request{Solve: "count", Method: m}); r.Value > best.Value {
			t.Errorf("%s allows %g, the best %g", m, r.Value, best.Value)
		}
	}
}

func TestPlanInfeasible(t *testing.T) {
	for _, c := range []struct {
		text string
		req  Request
		want string
	}{
		{"stack: [{mechanism: pure, epsilon: 2}]", Request{Solve: "count", Method: accounting.Basic}, "no count meets ε = 1: even at 1 the whole costs 2"},
		{"stack: [{mechanism: pure, epsilon: 0.1}, {mechanism: zcdp, rho: 5}]", Request{Solve: "count", Entry: 1, Method: accounting.ZCDP}, "no count meets ε = 1: even at 1 the whole costs "},
		{"stack: [{mechanism: gaussian, sigma: 0.01}]", Request{Solve: "delta", Method: accounting.GDP}, "no δ below 1 meets ε = 1: even just below 1 the whole costs "},
		{"stack: [{mechanism: pure, epsilon: 0.1}]", Request{Solve: "count", Method: accounting.GDP}, "no count meets ε = 1: "},
		{"stack: [{mechanism: approximate, epsilon: 0.1, delta: 0.1}]", Request{Solve: "epsilon", Method: accounting.Basic}, "no epsilon meets ε = 1: "},
	} {
		r := plan(t, "version: 1\nbudget: {epsilon: 1, delta: 1e-6}\n"+c.text+"\n", c.req)
		if r.Feasible || !strings.HasPrefix(r.Note, c.want) || len(r.Note) < 25 {
			t.Errorf("%s: got %+v, want %q", c.text, r, c.want)
		}
	}
}

func TestPlanErrors(t *testing.T) {
	two := "version: 1\nbudget: {epsilon: 1}\nstack: [{mechanism: pure, epsilon: 1}, {mechanism: laplace, epsilon: 1}]\n"
	var methods []string
	for _, theorem := range accounting.Methods() {
		methods = append(methods, string(theorem.Method))
	}
	for _, c := range []struct {
		text string
		req  Request
		want string
	}{
		{two, Request{Solve: "colour"}, `cannot solve for "colour"; one of count, epsilon, sigma, scale, steps, rounds, delta, n, max_batch can be solved for`},
		{two, Request{Solve: "count"}, "2 entries have count; say which with --entry N"},
		{two, Request{Solve: "sigma"}, "no entry of the stack has sigma"},
		{two, Request{Solve: "sigma", Entry: 1}, "entry 1 has no sigma"},
		{"version: 1\nbudget: {epsilon: 1, delta: 1e-6}\nstack: [{mechanism: gaussian, sigma: 1}]\n", Request{Solve: "epsilon"}, "no entry of the stack has epsilon"},
		{"version: 1\nbudget: {epsilon: 1, delta: 1e-6}\nstack: [{mechanism: select, of: {mechanism: gaussian, sigma: 1}, runs: {distribution: geometric, mean: 5}}]\n",
			Request{Solve: "epsilon"}, "no entry of the stack has epsilon"},
		{two, Request{Solve: "count", Entry: 3}, "there is no entry 3; the stack has 2 entries"},
		{two, Request{Solve: "count", Entry: 1, Method: "magic"}, `there is no method called "magic"; known: ` + strings.Join(methods, ", ")},
		{"version: 1\nstack: [{mechanism: pure, epsilon: 1}]\n", Request{Solve: "count"}, "there is no target: give the scenario a budget, or --epsilon"},
	} {
		if _, err := New().Plan(context.Background(), mustParse(t, c.text), c.req); err == nil ||
			err.Error() != c.want {
			t.Errorf("%+v: got %v, want %s", c.req, err, c.want)
		}
	}
	s := mustParse(t, two)
	s.Budget.Epsilon = -1
	if _, err := New().Plan(context.Background(), s, Request{Solve: "count", Entry: 1}); err == nil || err.Error() != "budget.epsilon: must be greater than 0, got -1" {
		t.Error(err)
	}
}

// Planning is inverse to comparing: the answer meets the target, and the next
// coarser one does not.
func TestPlanIsInverse(t *testing.T) {
	closed := []accounting.Method{accounting.Basic, accounting.Advanced, accounting.AdvancedKOV, accounting.RDP,
		accounting.ZCDP, accounting.ZCDPClassic}
	rapid.Check(t, func(t *rapid.T) {
		s := scenarios.New()
		s.Budget = scenarios.Budget{Epsilon: rapid.Float64Range(0.05, 20).Draw(t, "ε"),
			Delta: math.Pow(10, rapid.Float64Range(-12, -2).Draw(t, "log δ"))}
		for _, kind := range []string{"laplace", "pure", "exponential"} {
			if e, err := scenarios.NewEntry(kind); err == nil && rapid.Bool().Draw(t, kind) {
				e.Count = float64(rapid.IntRange(1, 30).Draw(t, "count"))
				s.Stack = append(s.Stack, e)
			}
		}
		e, _ := scenarios.NewEntry("gaussian")
		if rapid.Bool().Draw(t, "gaussian") || len(s.Stack) == 0 {
			s.Stack = append(s.Stack, e)
		}
		solve := rapid.SampledFrom([]string{"count", "rounds", "scale", "epsilon", "delta"}).Draw(t, "solve")
		req := Request{Solve: solve, Entry: 1, Method: rapid.SampledFrom(closed).Draw(t, "method")}
		if _, err := newUnknown(s, req); err != nil && solve == "epsilon" {
			return // a Gaussian given by σ
		}
		checkInverse(t, s, req)
	})
}

func TestApply(t *testing.T) {
	for _, solve := range []string{"count", "epsilon", "scale", "rounds"} {
		s := mustParse(t, "version: 1\nbudget: {epsilon: 1, delta: 1e-6}\nstack: [{mechanism: laplace, scale: 30}]\n")
		r, err := New().Plan(context.Background(), s, Request{Solve: solve, Method: accounting.RDP})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Apply(s); err != nil {
			t.Fatal(err)
		}
		after, err := scenarios.Evaluate(context.Background(), s, scenarios.Options{ClosedFormsOnly: true})
		epsilon := figureOf(after, accounting.RDP).Epsilon
		shortened := solve == "scale" && epsilon < r.Achieved.Epsilon && near(epsilon, r.Achieved.Epsilon, 1e-6)
		if err != nil || epsilon != r.Achieved.Epsilon && !shortened {
			t.Errorf("%s: %v, %+v", solve, err, r)
		}
		if _, err := s.Marshal(); err != nil {
			t.Errorf("%s: %v", solve, err)
		}
	}
	if err := (Result{}).Apply(scenarios.New()); err == nil {
		t.Error("there was nothing to apply")
	}
}

// A factor on the noise fits as it is printed, not only after the numbers it leads to are
// rounded towards more noise.
func TestPlannedFactorFits(t *testing.T) {
	const text = "version: 1\ngroup: 5\nbudget: {epsilon: 0.994, delta: 0.001}\nstack: [{mechanism: pure, epsilon: %v}]\n"
	r, err := New().Plan(context.Background(), mustParse(t, fmt.Sprintf(text, 0.1329)),
		Request{Solve: "scale", Method: accounting.RDP})
	if err != nil {
		t.Fatal(err)
	}
	after, err := scenarios.Evaluate(context.Background(), mustParse(t, fmt.Sprintf(text, 0.1329/r.Value)),
		scenarios.Options{ClosedFormsOnly: true})
	if epsilon := figureOf(after, accounting.RDP).Epsilon; err != nil || epsilon > 0.994 || epsilon < 0.99399 {
		t.Errorf("ε = %v at the factor %v, %v", epsilon, r.Value, err)
	}
}

func TestPlanStopsWhenAsked(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s := mustParse(t, "version: 1\nbudget: {epsilon: 1}\nstack: [{mechanism: pure, epsilon: 0.1}]\n")
	if _, err := New().Plan(ctx, s, Request{Solve: "count"}); err == nil {
		t.Error("a cancelled plan has no answer")
	}
}

func BenchmarkPlan(b *testing.B) {
	s := mustParse(b, strings.Replace(bob, "1/800", "0.00125", 1))
	for _, m := range []accounting.Method{accounting.Basic, accounting.RDP} {
		b.Run(fmt.Sprint(m), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := New().Plan(context.Background(), s, Request{Solve: "count", Method: m}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// A number that also states for absence is in the unit of what the entry states: a plan
// cannot exchange that below it either.
func TestPlanKeepsTheUnitOfAlso(t *testing.T) {
	s := mustParse(t, "version: 1\nadjacency: replace\nbudget: {epsilon: 1, delta: 1e-6}\nstack: [{mechanism: laplace, epsilon: 1, also: {add-remove: 0.5}}]\n")
	for _, solve := range []string{"epsilon", "scale"} {
		r, err := New().Plan(context.Background(), s, Request{Solve: solve})
		if err != nil || r.Feasible || !strings.Contains(r.Note, "also: states a number for add-remove that would have to change with epsilon") {
			t.Errorf("%s: %+v, %v", solve, r, err)
		}
	}
	s = mustParse(t, "version: 1\nadjacency: replace\nbudget: {epsilon: 1, delta: 1e-6}\nstack: [{mechanism: gaussian, sigma: 1, sensitivity: 2, also: {add-remove: 1}}]\n")
	if r, err := New().Plan(context.Background(), s, Request{Solve: "sigma"}); err != nil || !r.Feasible {
		t.Errorf("of noise the number is a distance: %+v, %v", r, err)
	}
}

// What an entry does not have has no value, whatever else the entry states.
func TestNow(t *testing.T) {
	s := mustParse(t, "version: 1\nstack: [{mechanism: pure, epsilon: 0.5, count: 3}, {mechanism: gaussian, sigma: 2, sensitivity: 7}]\n")
	for _, c := range []struct {
		solve  string
		entry  int
		want   float64
		stated bool
	}{{"epsilon", 1, 0.5, true}, {"count", 1, 3, true}, {"sigma", 1, 0, false}, {"sigma", 2, 2, true}, {"steps", 2, 0, false},
		{"n", 2, 0, false}, {"sigma", 3, 0, false}} {
		if got, stated := CurrentValue(s, c.solve, c.entry); got != c.want || stated != c.stated {
			t.Errorf("%s of entry %d: %v, %v", c.solve, c.entry, got, stated)
		}
	}
}

// δ is read off the profile: some compares, not hundreds. The worst case took 800 before.
func TestDeltaTakesFewEvaluations(t *testing.T) {
	ctx := New().Context(context.Background()) // what the methods ask alike is computed once
	for _, method := range []accounting.Method{"", accounting.Numerical} {
		s, err := scenarios.Parse("f.yaml", []byte("version: 1\nbudget: {epsilon: 1, delta: 1e-6}\nstack:\n  - {mechanism: discrete-gaussian, sigma: 5, count: 3}\n  - {mechanism: exponential, epsilon: 0.1, count: 5}\n"))
		if err != nil {
			t.Fatal(err)
		}
		u, err := newUnknown(s, Request{Solve: "delta", Method: method})
		if err != nil {
			t.Fatal(err)
		}
		target, err := s.Target(0)
		if err != nil {
			t.Fatal(err)
		}
		p := &search{scenario: s, target: target, unknown: u, method: method}
		r, err := p.solve(ctx)
		if err != nil || !r.Feasible || r.Achieved.Epsilon > 1 {
			t.Fatal(r, err)
		}
		numerical := 0
		for a := range p.tried {
			if a.numerical || method == accounting.Numerical {
				numerical++
			}
		}
		if numerical > 8 {
			t.Errorf("%q: the numerical accountant was asked %d times", method, numerical)
		}
	}
}
