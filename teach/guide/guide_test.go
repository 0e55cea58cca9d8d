package guide

import (
	"context"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"epsiloscope/internal/gauge"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/query"
	"epsiloscope/report"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
)

// planner is shared: what it finds does not depend on what it found before.
var planner = sync.OnceValue(plan.New)

// sharedAccountant returns a context whose numerical accountant is the planner's.
func sharedAccountant() context.Context { return planner().Context(context.Background()) }

func built(t testing.TB, w Wish) *Proposal {
	t.Helper()
	p, err := Build(sharedAccountant(), planner(), w)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// What was built is what the accountants say of it, evaluated anew from its text.
func checked(t testing.TB, w Wish, p *Proposal) {
	t.Helper()
	text, err := p.Scenario.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	s, err := scenarios.Parse("plan.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	r, err := scenarios.Evaluate(sharedAccountant(), s, scenarios.Options{})
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
		{"one count", Wish{Releases: []Release{{Kind: Counts, Times: 1, Change: 1}}, People: 50000, Epsilon: 1}, "laplace", true},
		// 52 of them compose like √52 with Gaussian noise.
		{"52 tables", Wish{Releases: []Release{{Kind: Counts, Times: 52, Change: 1}}, People: 50000, Epsilon: 2}, "gaussian", true},
		{"52 tables to ±80", Wish{Releases: []Release{{Kind: Counts, Times: 52, Exact: 80, Change: 1}}, People: 50000, Epsilon: 2}, "gaussian", true},
		{"52 tables to ±5", Wish{Releases: []Release{{Kind: Counts, Times: 52, Exact: 5, Change: 1}}, People: 50000, Epsilon: 2}, "gaussian", false},
		{"totals", Wish{Releases: []Release{{Kind: Totals, Times: 4, Change: 500}}, People: 1e6, Epsilon: 1}, "laplace", true},
		{"a choice", Wish{Releases: []Release{{Kind: Choice, Times: 4, Options: 6}}, People: 1000, Epsilon: 1}, "exponential", true},
		{"training", Wish{Releases: []Release{{Kind: Training, Epochs: 60, Batch: 256, Batches: mechanisms.Poisson}}, People: 60000, Epsilon: 3}, "dp-sgd", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := built(t, c.wish)
			if e := p.Scenario.Stack[0]; e.Mechanism != c.mechanism || p.Fits != c.fits {
				t.Errorf("%s fits %v at ε = %v: %v", e.Mechanism, p.Fits, p.epsilon(), e.Values)
			}
			checked(t, c.wish, p)
			if c.wish.Releases[0].Exact > 0 && p.Errors[0] > c.wish.Releases[0].Exact {
				t.Errorf("errs by %v, more than %v", p.Errors[0], c.wish.Releases[0].Exact)
			}
			if c.fits != (len(p.Alternatives) == 0) {
				t.Errorf("instead: %q", p.Alternatives)
			}
		})
	}
}

// What is offered instead works when it is asked for, and the smallest comes first.
func TestInsteadWorks(t *testing.T) {
	w := Wish{Releases: []Release{{Kind: Counts, Times: 52, Exact: 30, Change: 1}}, People: 50000, Epsilon: 2}
	p := built(t, w)
	if p.Fits || len(p.Alternatives) != 3 {
		t.Fatalf("%v %q", p.Fits, p.Alternatives)
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
	for i, says := range p.Alternatives {
		other := w
		other.Releases = slices.Clone(w.Releases)
		switch {
		case strings.Contains(says, "budget"):
			other.Epsilon = number(says, "ε = ", " instead")
		case strings.Contains(says, "error"):
			other.Releases[0].Exact = number(says, "±", " instead")
		default:
			other.Releases[0].Times = number(" "+says, " ", " releases")
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
	p := built(t, Wish{Releases: []Release{{Kind: Counts, Times: 52, Change: 4}}, People: 50000, Epsilon: 2})
	if e := p.Scenario.Stack[0]; sensitivityOf(t, p, e) != 2 {
		t.Errorf("Δ₂ = %v", sensitivityOf(t, p, e))
	}
	p = built(t, Wish{Releases: []Release{{Kind: Counts, Times: 1, Change: 4}}, People: 50000, Epsilon: 8})
	if e := p.Scenario.Stack[0]; e.Mechanism == "laplace" && sensitivityOf(t, p, e) != 4 {
		t.Errorf("Δ₁ = %v", sensitivityOf(t, p, e))
	}
}

func TestDelta(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := math.Floor(math.Pow(10, rapid.Float64Range(0, 10).Draw(t, "log n")))
		if d := delta(n); !(d > 0 && d < 1/n) {
			t.Fatalf("δ = %v for %v", d, n)
		}
	})
}

// What is not answered is asked for, never guessed.
func TestMissing(t *testing.T) {
	for _, w := range []Wish{
		{Releases: []Release{{Kind: Counts, Change: 1}}, Epsilon: 1}, {Releases: []Release{{Kind: Totals}}, People: 10, Epsilon: 1}, {Releases: []Release{{Kind: Choice}}, People: 10, Epsilon: 1},
		{Releases: []Release{{Kind: Training}}, People: 10, Epsilon: 1}, {Releases: []Release{{Kind: Training, Epochs: 1, Batch: 20, Batches: mechanisms.Poisson}}, People: 10, Epsilon: 1}, {Releases: []Release{{Kind: "?"}}, People: 10, Epsilon: 1},
	} {
		if _, err := Build(sharedAccountant(), planner(), w); err == nil {
			t.Errorf("%+v was built", w)
		}
	}
}

// Several releases share one budget: the errors asked for are kept, the rest is divided, and
// all of it together fits.
func TestSeveralReleases(t *testing.T) {
	w := Wish{Releases: []Release{
		{Kind: Counts, Times: 52, Exact: 120, Change: 1}, {Kind: Totals, Times: 4, Change: 500}, {Kind: Choice, Times: 12, Options: 6},
		{Kind: Training, Epochs: 5, Batch: 256, Batches: mechanisms.Poisson}, {Kind: Counts, Times: 1, Change: 1},
	}, People: 60000, Epsilon: 3}
	p := built(t, w)
	checked(t, w, p)
	if !p.Fits || len(p.Scenario.Stack) != 5 || p.Errors[0] > 120 {
		t.Fatalf("fits %v, errors %v, stack %v", p.Fits, p.Errors, p.Scenario.Stack)
	}
	if name := p.Scenario.Name; name != "A release of counts, totals, a choice and a trained model" {
		t.Errorf("it is called %q", name)
	}
	if used := p.epsilon(); used < 0.97*w.Epsilon {
		t.Errorf("only %v of %v is used", used, w.Epsilon)
	}
	if a, b := p.Scenario.Stack[0].Label, p.Scenario.Stack[4].Label; a == b {
		t.Errorf("two entries are called %q", a)
	}
	var alone []float64 // what each of the divided costs by itself
	for _, e := range p.Scenario.Stack[1:] {
		s := *p.Scenario
		s.Stack = []scenarios.Entry{e}
		r, err := scenarios.Evaluate(sharedAccountant(), &s, scenarios.Options{})
		if err != nil {
			t.Fatal(err)
		}
		alone = append(alone, r.Bounds[r.Best].Epsilon)
	}
	if slices.Max(alone) > 1.1*slices.Min(alone) {
		t.Errorf("unequal shares: alone they cost %v", alone)
	}
	w.Releases[0].Exact = 5
	w.Releases = w.Releases[:gauge.Cases(2, 5)]
	p = built(t, w)
	if p.Fits || len(p.Alternatives) == 0 {
		t.Errorf("±5 fits %v, instead %q", p.Fits, p.Alternatives)
	}
}

// Every change that is offered makes the scenario fit, and a scenario that fits needs none.
func TestChangesMakeItFit(t *testing.T) {
	for _, c := range []struct {
		open string
		ε    float64
		want []string // what kinds of change there are
	}{
		{"welcome", 2.3, []string{"scale", "budget", "epsilon", "count"}},
		{"steward-100-counts", 0.5, []string{"sigma", "budget", "count"}},
		{"welcome", 3, nil},
		{"welcome", 1, []string{"scale", "budget"}},
		{"bob-10000", 0.5, []string{"epsilon", "budget", "count"}},
	}[:gauge.Cases(3, 5)] {
		s, err := scenarios.LoadBundled(c.open)
		if err != nil {
			t.Fatal(err)
		}
		s.Budget.Epsilon = c.ε
		list, err := Changes(sharedAccountant(), planner(), s, "")
		if err != nil {
			t.Fatal(err)
		}
		for i, change := range list {
			if !slices.Contains(c.want, change.Solve) || !(change.Factor > 1) ||
				i > 0 && change.Factor < list[i-1].Factor {
				t.Errorf("%s at %g: %d is %s by %g", c.open, c.ε, i, change.Says, change.Factor)
			}
			after := s.Clone()
			if err := change.Apply(after); err != nil {
				t.Fatal(err)
			}
			r, err := scenarios.Evaluate(sharedAccountant(), after, scenarios.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if !report.Fits(r.Bounds[r.Best], after.Budget.Epsilon) {
				t.Errorf("%s at %g: %s costs %v", c.open, c.ε, change.Says, r.Bounds[r.Best].Epsilon)
			}
		}
		if len(list) != len(c.want) {
			t.Errorf("%s at %g: %v, want %v", c.open, c.ε, ChangesText(list), c.want)
		}
	}
}

// Fewer steps are compared with the steps there are, whether they are stated or follow
// from the epochs.
func TestChangesOfSteps(t *testing.T) {
	for _, fields := range gauge.Some(2, []string{"batch: 256, epochs: 10", "sampling_rate: 0.0042666666666666667, steps: 2344"}) {
		s, err := scenarios.Parse("", []byte("version: 1\nadjacency: zero-out\nrecords: 60000\nbudget: {epsilon: 1, delta: 1e-7}\nstack:\n  - {mechanism: dp-sgd, noise_multiplier: 1.1, "+fields+"}\n"))
		if err != nil {
			t.Fatal(err)
		}
		list, err := Changes(sharedAccountant(), planner(), s, "")
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(list, func(c Change) bool { return c.Solve == "steps" })
		if i < 0 || !strings.HasSuffix(list[i].Says, " steps instead of 2344") || !(list[i].Factor > 1) {
			t.Errorf("%s: %v", fields, list)
		}
	}
}

// The answers that decide the price: adjacency, δ, how batches are drawn, a noise that is known.
func TestAnswersThatDecideThePrice(t *testing.T) {
	counts := func(change float64) []Release { return []Release{{Kind: Counts, Times: 52, Change: change}} }
	// A person in two counts who is replaced leaves two and joins two others: four cells by 1, √4 in the square root of
	// squares.
	p := built(t, Wish{Releases: counts(2), People: 50000, Epsilon: 2, Adjacency: mechanisms.Replace})
	if s := p.Scenario; s.Adjacency != mechanisms.Replace || sensitivityOf(t, p, s.Stack[0]) != 2 ||
		len(s.OpenSensitivities()) > 0 {
		t.Errorf("%s, Δ₂ = %v", s.Adjacency, sensitivityOf(t, p, s.Stack[0]))
	}
	p = built(t, Wish{Releases: []Release{{Kind: Totals, Times: 1, Change: 500}}, Delta: 1e-9, Epsilon: 1,
		Adjacency: mechanisms.Replace})
	if s := p.Scenario; s.Budget.Delta != 1e-9 || sensitivityOf(t, p, s.Stack[0]) != 1000 {
		t.Errorf("δ = %v, Δ = %v", s.Budget.Delta, sensitivityOf(t, p, s.Stack[0]))
	}
	training := Release{Kind: Training, Epochs: 2, Batch: 500, Noise: 1.1, Batches: mechanisms.Poisson}
	p = built(t, Wish{Releases: []Release{training}, People: 10000, Epsilon: 1})
	poisson := p.epsilon()
	if z := p.Scenario.Stack[0].Values["noise_multiplier"].Number; z != 1.1 {
		t.Errorf("the noise is %v, not as given", z)
	}
	training.Batches = mechanisms.Shuffled
	if _, err := Build(sharedAccountant(), planner(),
		Wish{Releases: []Release{training}, People: 10000, Epsilon: 1}); err == nil {
		t.Error("shuffled batches have a price where people come and go")
	}
	p = built(t, Wish{Releases: []Release{training}, People: 10000, Epsilon: 1, Adjacency: mechanisms.ZeroOut})
	if p.epsilon() < 2*poisson || p.Scenario.Stack[0].Values["batches"].Text != "shuffled" {
		t.Errorf("shuffled batches cost %v, Poisson samples %v", p.epsilon(), poisson)
	}
	training.Batches = ""
	if missing := (Wish{Releases: []Release{training}, People: 10000,
		Epsilon: 1}).Missing(); !strings.Contains(missing, "how the batches are drawn") {
		t.Errorf("it guesses how batches are drawn: %q", missing)
	}
}

// sensitivityOf returns the Δ that follows from the query of an entry.
func sensitivityOf(t *testing.T, p *Proposal, e scenarios.Entry) float64 {
	t.Helper()
	d, err := p.Scenario.Sensitivity(&e)
	if err != nil || d.Source != query.FromQuery {
		t.Errorf("%+v, %v", d, err)
	}
	return d.Value
}

// The plan states an adjacency that was chosen, also if it is the default, and none that nobody chose.
func TestThePlanStatesItsAdjacency(t *testing.T) {
	counts := []Release{{Kind: Counts, Times: 52, Change: 2}}
	for _, a := range []mechanisms.Adjacency{"", mechanisms.AddRemove, mechanisms.Replace} {
		p := built(t, Wish{Releases: counts, People: 50000, Epsilon: 2, Adjacency: a})
		if p.Scenario.HasStatedAdjacency() != (a != "") {
			t.Errorf("%q is stated: %v", a, p.Scenario.HasStatedAdjacency())
		}
	}
}
