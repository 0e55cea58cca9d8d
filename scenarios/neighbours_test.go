package scenarios

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/internal/gauge"
	"epsiloscope/mechanisms"
)

// figure is a scenario of testdata/neighbours.json with what must come out: figures for
// what sampling, blocks and groups make of a stated number under each adjacency, each
// computed by two routes of which neither is this program's.
type figure struct {
	ID       string          `json:"id"`
	Scenario json.RawMessage `json:"scenario"`
	Delta    float64         `json:"delta"`
	Expect   struct {
		Kind      string            `json:"kind"`
		Method    accounting.Method `json:"method"`
		Epsilon   float64           `json:"epsilon"`
		Tolerance float64           `json:"tolerance_rel"`
	} `json:"expect"`
	AtLeast *float64 `json:"every_valid_column_at_least"`
}

func figures(t *testing.T) []figure {
	t.Helper()
	file := gauge.ReadFigures[struct{ Figures []figure }](t, "testdata/neighbours.json")
	return file.Figures
}

func TestNeighbourFigures(t *testing.T) {
	sizes := map[string]int{}
	for _, f := range figures(t) {
		family := strings.TrimRight(f.ID, "-0123456789") // the quick form looks at two sizes of each
		if sizes[family]++; sizes[family] > gauge.Cases(2, 1000) {
			continue
		}
		if f.ID == "r4-sgd-both" && !gauge.All() { // the curve of its block is composed for every step
			continue
		}
		s, err := Parse(f.ID, f.Scenario)
		if err != nil {
			t.Fatal(err)
		}
		s.Budget.Delta = f.Delta
		r, err := Evaluate(context.Background(), s, Options{})
		if f.Expect.Kind == "refused" {
			if err == nil {
				t.Errorf("%s: %+v, want a refusal", f.ID, r.Bounds)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", f.ID, err)
			continue
		}
		if f.AtLeast != nil {
			for _, b := range r.Bounds {
				if b.Status == accounting.Valid && b.Epsilon < *f.AtLeast {
					t.Errorf("%s: %s says %g, an attack reaches %g", f.ID, b.Method, b.Epsilon, *f.AtLeast)
				}
			}
		}
		want, tol := f.Expect.Epsilon, f.Expect.Tolerance
		b, _ := r.Bound(f.Expect.Method)
		ok := true
		switch f.Expect.Kind {
		case "equals":
			ok = b.Status == accounting.Valid && math.Abs(b.Epsilon-want) <= tol*want
		case "inside":
			ok = b.Status == accounting.Valid && b.Lower <= want*(1+tol) && want*(1-tol) <= b.Epsilon &&
				b.Epsilon <= want*(1+5*tol)
		case "at-most":
			numerical, _ := r.Bound(accounting.Numerical)
			ok = b.Status == accounting.Valid && b.Epsilon <= want*(1+tol) &&
				(!numerical.Finite() || b.Epsilon >= numerical.Lower)
		case "note":
			ok = slices.ContainsFunc(r.Notes, func(l Note) bool { return l.Code == "counted-answers" })
		default: // "at-least", which was asked of every column
			ok = f.AtLeast != nil
		}
		if !ok {
			t.Errorf("%s: %s %s [%g, %g] (%s), want %s %g", f.ID, b.Method, b.Status, b.Lower, b.Epsilon, b.Note, f.Expect.Kind, want)
		}
	}
}

// priced evaluates a scenario given as YAML, with every entry vouching for absence if also
// is not 0, by a number of its own if it is above 0.
func priced(t *testing.T, ev *Evaluator, text string, also float64) (*Result, error) {
	t.Helper()
	s := mustParse(t, "version: 1\nunit: person\nbudget: {delta: 1e-6}\n"+text+"\n")
	for i := range s.Stack {
		for _, e := range EnabledEntries(s.Stack[i : i+1]) {
			if also != 0 {
				e.Also = mechanisms.Also{AddRemove: true, Number: math.Max(0, also)}
			}
		}
	}
	return ev.Evaluate(context.Background(), s, Options{})
}

func codes(r *Result) (list []string) {
	for _, l := range r.Notes {
		list = append(list, l.Code)
	}
	return list
}

// Where zeroing a record is the same as leaving it out, zero-out costs what add-remove
// does, and says what it rests on; else a zeroed record may be counted.
func TestZeroOut(t *testing.T) {
	ev := NewEvaluator()
	price := func(adjacency mechanisms.Adjacency, stack string, also bool) *Result {
		t.Helper()
		s := mustParse(t, "version: 1\nunit: person\nbudget: {delta: 1e-6}\nstack: ["+stack+"]\n")
		s.Adjacency = adjacency
		s.Stack[0].Also.AddRemove = also
		r, err := ev.Evaluate(context.Background(), s, Options{})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	best := func(r *Result) float64 { return r.Bounds[r.Best].Epsilon }
	for _, stack := range []string{
		"{mechanism: laplace, epsilon: 1, count: 10, sampling: {rate: 0.1}}", "{mechanism: gaussian, sigma: 2, count: 10, sampling: {rate: 0.1}}",
		"{mechanism: exponential, epsilon: 1, monotone: true, sampling: {rate: 0.1}}", "{mechanism: sparse-vector, epsilon: 1, positives: 3, queries: 9, sampling: {rate: 0.1}}",
		"{mechanism: dp-sgd, noise_multiplier: 1, sampling_rate: 0.01, steps: 100}",
		"{parallel: [[{mechanism: laplace, epsilon: 1}], [{mechanism: gaussian, sigma: 2}]]}",
	} {
		zeroed, removed := price(mechanisms.ZeroOut, stack, false), price(mechanisms.AddRemove, stack, false)
		if best(zeroed) != best(removed) || !slices.Contains(codes(zeroed), "zero-out") {
			t.Errorf("%s: %g zeroed, %g removed, %q", stack, best(zeroed), best(removed), codes(zeroed))
		}
	}
	for _, c := range []struct {
		stack, code string
		also        bool
		want        float64
	}{
		{"{mechanism: pure, epsilon: 1, sampling: {rate: 0.1}}", "sampling-under-zero-out", false, 1},
		{"{mechanism: pure, epsilon: 1, sampling: {rate: 0.1}}", "sampling-also", true, math.Log1p(0.1 * math.Expm1(1))},
		{"{mechanism: randomized-response, epsilon: 1, sampling: {rate: 0.1}}", "counted-answers", false, 1},
		{"{mechanism: output-perturbation, epsilon: 1, n: 100, regularization: 0.1, dimension: 3, sampling: {rate: 0.1}}", "fixed-n", false, 1},
	} {
		r := price(mechanisms.ZeroOut, c.stack, c.also)
		if !near(r.Bounds[0].Epsilon, c.want, 1e-12) || !slices.Contains(codes(r), c.code) {
			t.Errorf("%s: basic %g, want %g; %q", c.stack, r.Bounds[0].Epsilon, c.want, codes(r))
		}
	}
}

// What cannot be priced is refused, in words that say what to state.
func TestRefusedClaims(t *testing.T) {
	for _, c := range []struct {
		text  string
		also  float64
		words string
	}{
		{"adjacency: replace\nstack: [{mechanism: randomized-response, epsilon: 1}]", -1, "reports can be counted"},
		{"stack: [{mechanism: randomized-response, epsilon: 1}]", -1, "reports can be counted"},
		{"adjacency: replace\nstack: [{mechanism: approximate, epsilon: 1, delta: 1e-9, sampling: {rate: 0.1}}]", 0.5, "state the noise"},
		{"adjacency: replace\nstack: [{mechanism: gaussian, epsilon: 1, delta: 1e-9, sampling: {rate: 0.1}}]", 0.5, "state the noise"},
		{"adjacency: replace\nstack: [{mechanism: rdp, points: {2: 0.1}, sampling: {rate: 0.1}}]", 0.5, "ambiguous here"},
		{"adjacency: replace\nstack: [{mechanism: dp-sgd, noise_multiplier: 1, sampling_rate: 0.1, steps: 9}]", 0.5, "knows what an absent record costs"},
		{"adjacency: replace\nstack: [{parallel: [[{mechanism: pure, epsilon: 1}], [{mechanism: pure, epsilon: 1}]]}]", 0, "moves: never if it is public"},
		{"adjacency: replace\nstack: [{parallel: [[{mechanism: pure, epsilon: 1}], [{mechanism: pure, epsilon: 1}]]}]", 0, "If their numbers also hold under add-remove"},
		{"adjacency: replace\nstack: [{parallel: [[{mechanism: randomized-response, epsilon: 1}], []]}]", 0, "only moves: never helps"},
		{"adjacency: replace\nstack: [{parallel: [[{parallel: [[{mechanism: pure, epsilon: 1}]]}], []]}]", 0, "have no add-remove guarantee"},
	} {
		if _, err := priced(t, NewEvaluator(), c.text, c.also); err == nil || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: %v, want words on %q", c.text, err, c.words)
		}
	}
}

// What an entry claims is part of what is remembered of it, and has an effect only where a
// record is changed.
func TestClaimsCount(t *testing.T) {
	ev := NewEvaluator()
	const sampled = "stack: [{mechanism: laplace, epsilon: 1, sampling: {rate: 0.1}}]"
	for _, c := range []struct {
		text       string
		also, want float64
		code       string
	}{
		{"adjacency: replace\n" + sampled, 0, 1, "sampling-under-replace"},
		{"adjacency: replace\n" + sampled, -1, math.Log1p(0.1 * math.Expm1(1)), "sampling-also"},
		// Leaving and coming in: ln(1+q(e^½−1)) − ln(1+q(e^−½−1)).
		{"adjacency: replace\n" + sampled, 0.5, math.Log1p(0.1*math.Expm1(0.5)) - math.Log1p(0.1*math.Expm1(-0.5)), "sampling-also"},
		{sampled, 0, math.Log1p(0.1 * math.Expm1(1)), ""},
		{sampled, -1, math.Log1p(0.1 * math.Expm1(1)), "also-idle"},
		// A move is priced by the numbers for absence: ½ out and ½ in; staying costs 1.
		{"adjacency: replace\nstack: [{parallel: [[{mechanism: pure, epsilon: 1}], [{mechanism: pure, epsilon: 1}]]}]", -1, 2, ""},
		{"adjacency: replace\nstack: [{parallel: [[{mechanism: pure, epsilon: 1}], [{mechanism: pure, epsilon: 1}]]}]", 0.7, 1.4, ""},
		{"adjacency: replace\nstack: [{parallel: [[{mechanism: pure, epsilon: 1}], [{mechanism: pure, epsilon: 1}]]}]", 0.2, 1, ""},
		{"adjacency: replace\nstack: [{parallel: [[{mechanism: laplace, scale: 1, sensitivity: 2}], []]}]", 3, 3, ""},
		{"adjacency: replace\ngroup: 2\nstack: [{parallel: [[{mechanism: pure, epsilon: 1}], [{mechanism: pure, epsilon: 1}]]}]", -1, 4, "group-bound"},
	} {
		r, err := priced(t, ev, c.text, c.also)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := r.Bounds[0].Epsilon; !near(got, c.want, 1e-12) || c.code != "" && !slices.Contains(codes(r), c.code) {
			t.Errorf("%s, also %g: basic %g, want %g; %q", c.text, c.also, got, c.want, codes(r))
		}
	}
}

// Who is in which branch being public, a record stays where it is; the records of one
// person may be spread over the branches. Two records in a hundred answers of ε = 0.1 and a
// hundred of Laplace noise cost no less than both in the Laplace branch, 10.276 (computed
// apart), though for one record the answers cover the noise.
func TestBranchesThatNobodyLeaves(t *testing.T) {
	const block = "stack: [{parallel: [[{mechanism: randomized-response, epsilon: 0.1, count: 100}], [{mechanism: laplace, epsilon: 0.1, count: 100}]]}]"
	for _, c := range []struct {
		group        string
		least, basic float64
	}{{"group: 1", 0, 10}, {"group: 2", 10.27, 20}} {
		s := mustParse(t, "version: 1\nadjacency: replace\n"+c.group+"\nbudget: {delta: 1e-6}\n"+block+"\n")
		s.Stack[0].Moves = "never"
		r, err := Evaluate(context.Background(), s, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !near(r.Bounds[0].Epsilon, c.basic, 1e-12) {
			t.Errorf("%s: basic %g, want %g", c.group, r.Bounds[0].Epsilon, c.basic)
		}
		for _, b := range r.Bounds {
			if b.Status == accounting.Valid && b.Epsilon < c.least {
				t.Errorf("%s: %s says %g, both in one branch cost %g", c.group, b.Method, b.Epsilon, c.least)
			}
		}
	}
}
