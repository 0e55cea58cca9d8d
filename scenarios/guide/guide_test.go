package guide

import (
	"context"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
	"epsiloscope/scenarios/report"
)

func built(t testing.TB, w Wish) *Plan {
	t.Helper()
	p, err := Build(context.Background(), plan.New(), w)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// What was built is what the accountants say of it, evaluated anew from its text.
func checked(t testing.TB, w Wish, p *Plan) {
	t.Helper()
	text, err := p.Scenario.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	s, err := scenarios.Parse("plan.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	r, err := scenarios.Evaluate(context.Background(), s, scenarios.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if fits := r.Best >= 0 && report.Fits(r.Bounds[r.Best], w.Epsilon); fits != p.Fits {
		t.Errorf("fits: %v, but evaluated %v\n%s", p.Fits, fits, text)
	}
	if !(s.Budget.Delta < 1/w.People) {
		t.Errorf("δ = %v for %v people", s.Budget.Delta, w.People)
	}
	for _, line := range strings.Split(string(text), "\n") {
		if len(line) > 140 {
			t.Errorf("numbers of too many digits: %s", line)
		}
	}
}

func TestBuild(t *testing.T) {
	for _, c := range []struct {
		name      string
		wish      Wish
		mechanism string
		fits      bool
	}{
		// One count costs ε by Laplace noise, whatever δ is; Gaussian noise at δ = 1e-7 needs more.
		{"one count", Wish{Kind: Counts, Times: 1, Change: 1, People: 50000, Epsilon: 1}, "laplace", true},
		// 52 of them compose like √52 with Gaussian noise.
		{"52 tables", Wish{Kind: Counts, Times: 52, Change: 1, People: 50000, Epsilon: 2}, "gaussian", true},
		{"52 tables to ±80", Wish{Kind: Counts, Times: 52, Exact: 80, Change: 1, People: 50000, Epsilon: 2}, "gaussian", true},
		{"52 tables to ±5", Wish{Kind: Counts, Times: 52, Exact: 5, Change: 1, People: 50000, Epsilon: 2}, "gaussian", false},
		{"totals", Wish{Kind: Totals, Times: 4, Change: 500, People: 1e6, Epsilon: 1}, "laplace", true},
		{"a choice", Wish{Kind: Choice, Times: 4, Options: 6, People: 1000, Epsilon: 1}, "exponential", true},
		{"training", Wish{Kind: Training, Epochs: 60, Batch: 256, People: 60000, Epsilon: 3}, "dp-sgd", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := built(t, c.wish)
			if e := p.Scenario.Stack[0]; e.Mechanism != c.mechanism || p.Fits != c.fits {
				t.Errorf("%s fits %v at ε = %v: %v", e.Mechanism, p.Fits, p.epsilon(), e.Values)
			}
			checked(t, c.wish, p)
			if c.wish.Exact > 0 && p.Error > c.wish.Exact {
				t.Errorf("errs by %v, more than %v", p.Error, c.wish.Exact)
			}
			if c.fits != (len(p.Instead) == 0) {
				t.Errorf("instead: %q", p.Instead)
			}
		})
	}
}

// What is offered instead works when it is asked for, and the smallest comes first.
func TestInsteadWorks(t *testing.T) {
	w := Wish{Kind: Counts, Times: 52, Exact: 30, Change: 1, People: 50000, Epsilon: 2}
	p := built(t, w)
	if p.Fits || len(p.Instead) != 3 {
		t.Fatalf("%v %q", p.Fits, p.Instead)
	}
	number := func(s, before, after string) float64 {
		_, s, _ = strings.Cut(s, before)
		s, _, _ = strings.Cut(s, after)
		var x scenarios.Scenario
		if err := x.Set("budget.epsilon", s); err != nil {
			t.Fatal(s, err)
		}
		return x.Budget.Epsilon
	}
	for i, says := range p.Instead {
		other := w
		switch {
		case strings.Contains(says, "budget"):
			other.Epsilon = number(says, "ε = ", " instead")
		case strings.Contains(says, "error"):
			other.Exact = number(says, "±", " instead")
		default:
			other.Times = number(" "+says, " ", " releases")
		}
		if q := built(t, other); !q.Fits {
			t.Errorf("%q does not fit: %v of %v", says, q.epsilon(), other.Epsilon)
		}
		if i == 0 && strings.Contains(says, "releases") {
			t.Errorf("the smallest change is %q", says) // ε falls like √K: fewer releases is always more of a change
		}
	}
}

// One person in four counts changes a table by 4 in the sum and 2 in the square root of squares.
func TestSeveralCountsAPerson(t *testing.T) {
	p := built(t, Wish{Kind: Counts, Times: 52, Change: 4, People: 50000, Epsilon: 2})
	if e := p.Scenario.Stack[0]; e.Values["sensitivity"].Number != 2 {
		t.Errorf("Δ₂ = %v", e.Values["sensitivity"].Number)
	}
	p = built(t, Wish{Kind: Counts, Times: 1, Change: 4, People: 50000, Epsilon: 8})
	if e := p.Scenario.Stack[0]; e.Mechanism == "laplace" && e.Values["sensitivity"].Number != 4 {
		t.Errorf("Δ₁ = %v", e.Values["sensitivity"].Number)
	}
}

func TestDelta(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := math.Floor(math.Pow(10, rapid.Float64Range(0, 10).Draw(t, "log n")))
		if d := Delta(n); !(d > 0 && d < 1/n) {
			t.Fatalf("δ = %v for %v", d, n)
		}
	})
}

// What is not answered is asked for, never guessed.
func TestMissing(t *testing.T) {
	for _, w := range []Wish{
		{Kind: Counts, Change: 1, Epsilon: 1}, {Kind: Totals, People: 10, Epsilon: 1}, {Kind: Choice, People: 10, Epsilon: 1},
		{Kind: Training, People: 10, Epsilon: 1}, {Kind: Training, People: 10, Epsilon: 1, Epochs: 1, Batch: 20}, {Kind: "?", People: 10, Epsilon: 1},
	} {
		if _, err := Build(context.Background(), plan.New(), w); err == nil {
			t.Errorf("%+v was built", w)
		}
	}
}
