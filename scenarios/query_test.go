package scenarios

import (
	"context"
	"math"
	"strconv"
	"strings"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms/query"
)

// queried parses a scenario with one entry.
func queried(t *testing.T, adjacency, entry string) *Scenario {
	t.Helper()
	s, err := Parse("f.yaml", []byte("version: 1\nunit: person\nadjacency: "+adjacency+"\nbudget: {epsilon: 9, delta: 1e-6}\nstack: ["+entry+"]\n"))
	if err != nil {
		t.Fatalf("%s: %v", entry, err)
	}
	return s
}

func epsilonBy(t *testing.T, s *Scenario, m accounting.Method) float64 {
	t.Helper()
	b, err := NewEvaluator().Bound(context.Background(), s, m, 0)
	if err != nil {
		t.Fatal(err)
	}
	return b.Epsilon
}

// Every query that cannot be is refused with its field, the reason and what to do.
func TestQueriesThatCannotBe(t *testing.T) {
	for _, c := range []struct{ adjacency, entry, field, says string }{
		{"replace", "{mechanism: laplace, epsilon: 1, query: {kind: histgram}}", "query.kind", "must be one of"},
		{"replace", "{mechanism: laplace, epsilon: 1, query: {max_groups: 3}}", "query.kind", "is missing"},
		{"replace", "{mechanism: laplace, epsilon: 1, query: histogram}", "query", "must be a mapping such as {kind"},
		{"replace", "{mechanism: laplace, epsilon: 1, query: {kind: sum, clip: [9, 3]}}", "query.clip", "write the lower number first"},
		{"replace", "{mechanism: laplace, epsilon: 1, query: {kind: sum, clip: [.nan, 3]}}", "query.clip", "NaN"},
		{"replace", "{mechanism: laplace, epsilon: 1, query: {kind: sum, clip: [0, .inf]}}", "query.clip", "finite"},
		{"replace", "{mechanism: laplace, epsilon: 1, query: {kind: sum, clip: [0, 0]}}", "query.clip", "nothing is asked"},
		{"replace", "{mechanism: laplace, epsilon: 1, query: {kind: sum, clip: [0, 1, 2]}}", "query.clip", "must be a range"},
		{"replace", "{mechanism: laplace, epsilon: 1, query: {kind: sum, clip: high}}", "query.clip", "must be a range"},
		{"replace", "{mechanism: laplace, epsilon: 1, query: {kind: sum, clip: 5}}", "query.clip", "must be a range"},
		{"replace", "{mechanism: laplace, epsilon: 1, query: {kind: sum}}", "query.clip", "is missing"},
		{"replace", "{mechanism: laplace, epsilon: 1, query: {kind: count, clip: [0, 1]}}", "query.clip", "leave it out"},
		{"replace", "{mechanism: laplace, epsilon: 1, query: {kind: histogram, max_groups: 0}}", "query.max_groups", "at least 1"},
		{"replace", "{mechanism: laplace, epsilon: 1, query: {kind: histogram, max_groups: 2.5}}", "query.max_groups", "whole"},
		{"replace", "{mechanism: laplace, epsilon: 1, query: {kind: histogram, max_groups: -1}}", "query.max_groups", "at least 1"},
		{"replace", "{mechanism: laplace, epsilon: 1, query: {kind: histogram, per_group: .nan}}", "query.per_group", "NaN"},
		{"replace", "{mechanism: laplace, epsilon: 1, query: {kind: histogram, groups: 3}}", "query.groups", "unknown field of query"},
		{"replace", "{mechanism: laplace, epsilon: 1, query: {kind: count, of: 3}}", "query.of", "not asked by group"},
		{"replace", "{mechanism: laplace, epsilon: 1, query: {kind: mean, clip: [0, 1]}}", "query.people", "is missing"},
		{"replace", "{mechanism: laplace, epsilon: 1, query: {kind: sum, clip: [0, 1], people: 9}}", "query.people", "leave it out"},
		{"replace", "{mechanism: laplace, epsilon: 1, query: {kind: mean, clip: [0, 1], people: 9, per_group: 2}}", "query.per_group", "exactly one value"},
		{"replace", "{mechanism: laplace, epsilon: 1, query: {kind: mean, clip: [0, 1], people: 9, total: 2}}", "query.total", "exactly one value"},
		{"replace", "{mechanism: laplace, epsilon: 1, query: {kind: mean, clip: [0, 1], people: 9, max_groups: 2}}", "query.max_groups", "exactly one value"},
		{"replace", "{mechanism: laplace, epsilon: 1, query: {kind: mean, clip: [0, 1], people: 9, of: 4}}", "query.of", "not asked by group"},
		{"replace", "{mechanism: laplace, epsilon: 1, query: {kind: mean, clip: [3, 3], people: 9}}", "query.clip", "makes the sensitivity 0"},
		{"replace", "{mechanism: laplace, epsilon: 1, sampling: {rate: 0.1}, query: {kind: mean, clip: [0, 1], people: 9}}", "query.kind", "sample"},
		{"add-remove", "{mechanism: laplace, epsilon: 1, query: {kind: mean, clip: [0, 1], people: 9}}", "query.kind", "Use replace or zero-out"},
		{"add-remove", "{mechanism: laplace, epsilon: 1, query: {kind: vector, clip: 1}}", "query.dimension", "is missing"},
		{"add-remove", "{mechanism: gaussian, sigma: 1, query: {kind: vector, clip: [0, 1]}}", "query.clip", "must be one number"},
		{"add-remove", "{mechanism: gaussian, sigma: 1, query: {kind: vector, clip: -1}}", "query.clip", "greater than 0"},
		{"add-remove", "{mechanism: gaussian, sigma: 1, query: {kind: vector, clip: 1, max_groups: 3}}", "query.max_groups", "one vector per person"},
		{"add-remove", "{mechanism: geometric, epsilon: 1, query: {kind: sum, clip: [0, 5]}}", "query.values", "values: whole"},
		{"add-remove", "{mechanism: discrete-gaussian, sigma: 1, query: {kind: sums, clip: [0, 5]}}", "query.values", "values: whole"},
		{"add-remove", "{mechanism: geometric, epsilon: 1, query: {kind: sum, clip: [0, 5.5], values: whole}}", "query.clip", "whole ends"},
		{"add-remove", "{mechanism: geometric, epsilon: 1, query: {kind: vector, clip: 5}}", "query.kind", "use laplace or gaussian"},
		{"replace", "{mechanism: discrete-gaussian, sigma: 1, query: {kind: mean, clip: [0, 5], people: 2}}", "query.kind", "use laplace or gaussian"},
		{"replace", "{mechanism: geometric, epsilon: 1, query: {kind: sum, clip: [0, 5], values: half}}", "query.values", "must be one of whole"},
		{"replace", "{mechanism: dp-sgd, noise_multiplier: 1, sampling_rate: 0.01, steps: 9, query: {kind: count}}", "query", "takes no query"},
		{"replace", "{mechanism: pure, epsilon: 1, query: {kind: count}}", "query", "takes no query"},
		{"replace", "{mechanism: randomized-response, epsilon: 1, query: {kind: count}}", "query", "takes no query"},
		{"replace", "{mechanism: select, of: {mechanism: laplace, epsilon: 1}, runs: {distribution: geometric, mean: 5}, query: {kind: count}}", "query", "of.sensitivity"},
		{"replace", "{mechanism: exponential, epsilon: 1, monotone: true, query: {kind: histogram}}", "monotone", "does not hold under replace"},
		{"add-remove", "{mechanism: exponential, epsilon: 1, monotone: true, query: {kind: sums, clip: [-1, 1]}}", "monotone", "one sign"},
		{"replace", "{mechanism: laplace, scale: 9, sensitivity: 15, query: {kind: histogram, max_groups: 3, per_group: 5}}", "sensitivity", "15 is below what the query allows: Δ₁ = 30"},
		{"replace", "{mechanism: laplace, epsilon: 1, query: {kind: count, per_group: 1e13}}", "query.per_group", "at most"},
	} {
		_, err := Parse("f.yaml", []byte("version: 1\nadjacency: "+c.adjacency+"\nstack:\n  - "+c.entry+"\n"))
		list, ok := err.(Errors)
		if !ok {
			t.Errorf("%s under %s is accepted", c.entry, c.adjacency)
			continue
		}
		if e := list[0]; len(list) != 1 || e.Field != "stack[1]."+c.field ||
			!strings.Contains(e.Problem, c.says) || e.Line != 4 {
			t.Errorf("%s under %s: %v", c.entry, c.adjacency, err)
		}
	}
}

// Each kind of wrong input of a query or a claim is refused with the field, the reason and the remedy.
func TestWrongInputIsExplained(t *testing.T) {
	const laplace = "stack: [{mechanism: laplace, epsilon: 1, query: "
	for _, c := range []struct{ name, text, field, reason, remedy string }{
		{"an unknown kind", laplace + "{kind: total}}]", "stack[1].query.kind", `got "total"`, "must be one of count, people, histogram, people-by-group, sum, sums, mean, vector"},
		{"a clip with lo > hi", laplace + "{kind: sum, clip: [9, 3]}}]", "stack[1].query.clip", "starts above its end: [9, 3]", "write the lower number first"},
		{"NaN", laplace + "{kind: sum, clip: [.nan, 3]}}]", "stack[1].query.clip", "got NaN", "must be numbers, as in [0, 100]"},
		{"groups 0", laplace + "{kind: histogram, max_groups: 0}}]", "stack[1].query.max_groups", "got 0", "must be at least 1"},
		{"a query on a mechanism that takes none", "stack: [{mechanism: pure, epsilon: 1, query: {kind: count}}]", "stack[1].query", "pure takes no query", "Leave it out"},
		{"a mean without people", laplace + "{kind: mean, clip: [0, 1]}}]", "stack[1].query.people", "is missing", "state it, or ask for sum"},
		{"group beside a query's bounds", "group: 2\n" + laplace + "{kind: histogram, max_groups: 2}}]", "stack[1].query.max_groups", "and group (2) are two ways", "state one of them"},
		{"a claim without ε", "claim: {delta: 1e-6}\nstack: [{mechanism: pure, epsilon: 1}]", "claim.epsilon", "is missing", "as in claim: {epsilon: 1, delta: 1e-6}"},
	} {
		_, err := Parse("f.yaml", []byte("version: 1\nunit: person\nadjacency: replace\n"+c.text+"\n"))
		list, _ := err.(Errors)
		if len(list) != 1 {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		e := list[0]
		if e.Field != c.field || !strings.Contains(e.Problem, c.reason) || !strings.Contains(e.Problem, c.remedy) {
			t.Errorf("%s: %s: %s; want %s, %q and %q", c.name, e.Field, e.Problem, c.field, c.reason, c.remedy)
		}
	}
}

// What one person contributes is said once: by group, or by the bounds of queries and blocks.
func TestGroupBesideAQuery(t *testing.T) {
	for entry, refused := range map[string]bool{
		"{mechanism: laplace, epsilon: 1, query: {kind: histogram, max_groups: 3, per_group: 1}}":         true,
		"{mechanism: laplace, epsilon: 1, query: {kind: sum, clip: [0, 1], total: 1}}":                    true,
		"{mechanism: laplace, epsilon: 1, query: {kind: sum, clip: [0, 1]}}":                              false,
		"{max_branches: 2, parallel: [[{mechanism: pure, epsilon: 1}], [{mechanism: pure, epsilon: 1}]]}": true,
		"{parallel: [[{mechanism: laplace, epsilon: 1, query: {kind: count, total: 2}}], []]}":            true,
	} {
		_, err := Parse("f.yaml", []byte("version: 1\ngroup: 2\nstack:\n  - "+entry+"\n"))
		if refused != (err != nil) || refused && !strings.Contains(err.Error(), "state one of them") {
			t.Errorf("group: 2 and %s: %v", entry, err)
		}
		// The group of a command line is held against it too.
		s, err := Parse("f.yaml", []byte("version: 1\nstack:\n  - "+entry+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		s.Group = 2
		if _, err := Stack(s); refused != (err != nil) {
			t.Errorf("--group 2 and %s: %v", entry, err)
		}
	}
}

// An entry with a query costs what the same entry costs with its sensitivity written out, and changes by itself with
// the adjacency.
func TestQueryPricesAsItsSensitivity(t *testing.T) {
	for _, c := range []struct{ noise, query, addRemove, replace string }{
		{"mechanism: laplace, scale: 300", "{kind: histogram, max_groups: 3, per_group: 5}", "15", "30"},
		{"mechanism: laplace, scale: 30", "{kind: histogram, max_groups: 12, of: 12}", "12", "12"},
		{"mechanism: geometric, scale: 30", "{kind: sums, clip: [-2, 3], max_groups: 2, per_group: 2, values: whole}", "12", "24"},
		{"mechanism: gaussian, sigma: 4000", "{kind: sums, clip: [0, 100], total: 15}", "1500", "1500*2^0.5"},
		{"mechanism: gaussian, sigma: 40", "{kind: sums, clip: [-3, 3], max_groups: 4, per_group: 2}", "12", "24"},
		{"mechanism: gaussian, sigma: 4", "{kind: vector, clip: 1.5}", "1.5", "3"},
		{"mechanism: discrete-gaussian, sigma: 9", "{kind: count, total: 4}", "4", "4"},
		{"mechanism: gaussian, epsilon: 1, delta: 1e-7", "{kind: people-by-group, max_groups: 9}", "3", "3*2^0.5"},
	} {
		with := queried(t, "add-remove", "{"+c.noise+", query: "+c.query+"}")
		for adjacency, delta := range map[string]string{"add-remove": c.addRemove, "zero-out": c.addRemove, "replace": c.replace} {
			if err := with.Set("adjacency", adjacency); err != nil {
				t.Fatal(err)
			}
			stated := queried(t, adjacency, "{"+c.noise+", sensitivity: "+delta+"}")
			for _, m := range []accounting.Method{accounting.RDP, accounting.ZCDP, accounting.Numerical} {
				a, b := epsilonBy(t, with, m), epsilonBy(t, stated, m)
				if !(math.Abs(a-b) <= 1e-6*b) || a < b*(1-1e-9) {
					t.Errorf("%s %s under %s by %s: ε = %v, with Δ = %s %v", c.noise, c.query, adjacency, m, a, delta, b)
				}
			}
			if open := with.OpenSensitivities(); len(open) > 0 {
				t.Errorf("%s under %s: %v", c.query, adjacency, open)
			}
		}
	}
}

// Discrete Gaussian noise on several cells is not the scalar mechanism with Δ₂: σ = 0.7, four cells moved by 1, δ =
// 0.01 truly costs 10.005, the scalar mechanism 8.161.
func TestDiscreteGaussianOnSeveralCells(t *testing.T) {
	s := queried(t, "add-remove", "{mechanism: discrete-gaussian, sigma: 0.7, query: {kind: histogram, max_groups: 4}}")
	s.Budget.Delta = 0.01
	b, err := NewEvaluator().Bound(context.Background(), s, accounting.Numerical, 0)
	if err != nil || b.Epsilon < 10.0045 || b.Epsilon > 10.0065 {
		t.Errorf("four cells: ε = %v, %v, want 10.005", b.Epsilon, err)
	}
	// Two shared cells of sums that may be negative move further than cells of their own: only ρ is known.
	s = queried(t, "replace", "{mechanism: discrete-gaussian, sigma: 20, query: {kind: sums, clip: [-1, 2], max_groups: 2, values: whole}}")
	if b := epsilonBy(t, s, accounting.ZCDP); math.IsInf(b, 1) {
		t.Error("no zCDP bound")
	}
	rho, gauss := epsilonBy(t, s, accounting.ZCDP), epsilonBy(t, queried(t, "replace", "{mechanism: gaussian, sigma: 20, sensitivity: 18^0.5}"), accounting.ZCDP)
	if math.Abs(rho-gauss) > 1e-9*gauss {
		t.Errorf("ρ of two cells: ε = %v, want %v", rho, gauss)
	}
	// A larger stated Δ₂ is no scalar shift either.
	s = queried(t, "add-remove", "{mechanism: discrete-gaussian, sigma: 0.7, sensitivity: 2, query: {kind: histogram, max_groups: 3}}")
	s.Budget.Delta = 0.01
	if b := epsilonBy(t, s, accounting.RDP); b < 10 {
		t.Errorf("stated Δ₂ = 2 on cells: ε = %v", b)
	}
}

// An entry that states ε costs it whatever is asked; the query sets its noise.
func TestStatedEpsilonCostsWhatItStates(t *testing.T) {
	for _, adjacency := range []string{"add-remove", "replace"} {
		s := queried(t, adjacency, "{mechanism: laplace, epsilon: 0.5, query: {kind: histogram, max_groups: 3, per_group: 5}}")
		if e := epsilonBy(t, s, accounting.Basic); e != 0.5 {
			t.Errorf("under %s ε = %v", adjacency, e)
		}
		want := map[string]float64{"add-remove": 30, "replace": 60}[adjacency]
		if b := s.Equivalents(&s.Stack[0])["scale"]; b != want {
			t.Errorf("under %s b = %v, want %v", adjacency, b, want)
		}
	}
}

// A larger stated sensitivity is used, and said to be one; one a rounding below the derived one counts as equal.
func TestStatedSensitivityBesideAQuery(t *testing.T) {
	s := queried(t, "add-remove", "{mechanism: laplace, scale: 10, sensitivity: 20, query: {kind: histogram, max_groups: 3, per_group: 5}}")
	r, err := Evaluate(context.Background(), s, Options{ClosedFormsOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	if d := r.Entries[0].Sensitivity; d.Value != 20 || d.Source != query.FromStated || d.Least != 15 {
		t.Errorf("%+v", d)
	}
	if basic, _ := r.Bound(accounting.Basic); basic.Epsilon != 2 {
		t.Errorf("ε = %v", basic.Epsilon)
	}
	if says := r.Entries[0].Sensitivity.Sentence(); !strings.Contains(says, "Δ₁ = 20 as stated; 15 would do") {
		t.Errorf("it says %q", says)
	}
	s = queried(t, "replace", "{mechanism: gaussian, sigma: 10, sensitivity: 1.4142135623, query: {kind: histogram}}")
	if d, err := s.Sensitivity(&s.Stack[0]); err != nil || d.Value != math.Sqrt2 {
		t.Errorf("%+v, %v", d, err)
	}
}

// A selection takes Δ∞: how far one person moves one score.
func TestSelectionTakesTheLargestScore(t *testing.T) {
	for _, c := range []struct {
		adjacency, query string
		want             float64
	}{
		{"add-remove", "{kind: histogram, max_groups: 3, per_group: 5}", 5},
		{"replace", "{kind: histogram, max_groups: 3, per_group: 5}", 5},
		{"replace", "{kind: sums, clip: [-1, 2], max_groups: 3, per_group: 5}", 15},
		{"add-remove", "{kind: people-by-group, max_groups: 30}", 1},
	} {
		for _, mechanism := range []string{"exponential", "noisy-max", "above-threshold", "sparse-vector, positives: 2"} {
			s := queried(t, c.adjacency, "{mechanism: "+mechanism+", epsilon: 1, query: "+c.query+"}")
			d, err := s.Sensitivity(&s.Stack[0])
			if err != nil || d.Value != c.want || d.Norm != "linf" {
				t.Errorf("%s %s under %s: %+v, %v", mechanism, c.query, c.adjacency, d, err)
			}
		}
	}
}

// A block charges as many of its costliest branches as one person can be in.
func TestSeveralBranches(t *testing.T) {
	block := func(n, branches string) string {
		return "{max_branches: " + n + ", parallel: [" + branches + "]}"
	}
	pure := func(list ...string) string {
		for i, e := range list {
			list[i] = "[{mechanism: pure, epsilon: " + e + "}]"
		}
		return strings.Join(list, ", ")
	}
	for _, c := range []struct {
		n, branches string
		want        float64
	}{
		{"1", pure("1", "0.5", "0.25"), 1},
		{"2", pure("1", "0.5", "0.25"), 1.5},
		{"3", pure("1", "0.5", "0.25"), 1.75},
		{"9", pure("1", "0.5", "0.25"), 1.75},
		{"2", pure("0.5", "0.5", "0.5"), 1},
	} {
		s := queried(t, "add-remove", block(c.n, c.branches))
		if e := epsilonBy(t, s, accounting.Basic); math.Abs(e-c.want) > 1e-12 {
			t.Errorf("%s of %s: ε = %v, want %v", c.n, c.branches, e, c.want)
		}
	}
	// Different kinds: the composition of the costliest two, whichever they are, is below what is charged.
	mixed := "[{mechanism: laplace, epsilon: 1}], [{mechanism: gaussian, sigma: 2}], [{mechanism: gaussian, sigma: 1.5}]"
	s := queried(t, "add-remove", block("2", mixed))
	charged := epsilonBy(t, s, accounting.Numerical)
	for _, pair := range []string{
		"{mechanism: laplace, epsilon: 1}, {mechanism: gaussian, sigma: 1.5}", "{mechanism: laplace, epsilon: 1}, {mechanism: gaussian, sigma: 2}",
		"{mechanism: gaussian, sigma: 2}, {mechanism: gaussian, sigma: 1.5}",
	} {
		if e := epsilonBy(t, queried(t, "add-remove", pair), accounting.Numerical); e > charged*(1+1e-4) {
			t.Errorf("%s costs %v, the block %v", pair, e, charged)
		}
	}
	// Twelve branches, all different: too many sets to try, and never less than any of them.
	var many []string
	sum := 0.0
	for i := range 24 {
		e := 1 + float64(i)/100
		many = append(many, "[{mechanism: laplace, epsilon: "+strconv.FormatFloat(e, 0x67, -1, 64)+"}]")
		if i >= 12 {
			sum += e
		}
	}
	s = queried(t, "add-remove", block("12", strings.Join(many, ", ")))
	if e := epsilonBy(t, s, accounting.Basic); e < sum {
		t.Errorf("ε = %v, the twelve costliest cost %v", e, sum)
	}
	// Under replace what a person leaves and enters pairs the branches off.
	also := "[{mechanism: laplace, epsilon: 1, sensitivity: 1, also: add-remove}]"
	s = queried(t, "replace", block("2", strings.Join([]string{also, also, also, also}, ", ")))
	if e := epsilonBy(t, s, accounting.Basic); e < 4 {
		t.Errorf("ε = %v, two branches left and two entered cost 4", e)
	}
}

// A query survives saving, comparing and setting, and a change of it is one of the differences of two scenarios.
func TestQueryIsSavedAndSet(t *testing.T) {
	s := queried(t, "replace", "{mechanism: laplace, scale: 30, query: {kind: sums, clip: [-1.5, 1e2], max_groups: 3, per_group: 5, total: 9, of: 12}}")
	data, err := s.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	again, err := Parse("f.yaml", data)
	if err != nil || !again.Equal(s) || again.Stack[0].Query != s.Stack[0].Query {
		t.Fatalf("%v\n%s", err, data)
	}
	for path, text := range map[string]string{"1.query.clip": "[0, 2]", "1.query.max_groups": "4", "1.query.of": "none", "1.query.kind": "histogram"} {
		c := s.Clone()
		if err := c.Set(path, text); err != nil || c.Equal(s) || len(Changes(s, c)) != 1 {
			t.Errorf("%s=%s: %v, %v", path, text, err, Changes(s, c))
		}
	}
	for _, bad := range [][2]string{{"1.query.clip", "[2, 0]"}, {"1.query.clip", "[0"}, {"1.query.clip", "x"}, {"1.query.max_groups", "0"}, {"1.query.kind", "histo"}, {"1.query.size", "3"}} {
		if c := s.Clone(); c.Set(bad[0], bad[1]) == nil {
			t.Errorf("%s=%s is accepted", bad[0], bad[1])
		}
	}
	if err := s.Set("1.query", "none"); err != nil || s.Stack[0].Query.IsSet() {
		t.Errorf("1.query=none: %v", err)
	}
	if err := s.Set("1.query", "{kind: histogram, max_groups: 2}"); err != nil || s.Stack[0].Query != (query.Query{Kind: query.Histogram, MaxGroups: 2}) {
		t.Errorf("1.query: %v, %+v", err, s.Stack[0].Query)
	}
	if err := s.Set("1.query", "{kind: histogram, groups: 2}"); err == nil {
		t.Error("an unknown field of a query is set")
	}
}
