package scenarios

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"testing"

	"epsiloscope/internal/format"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
)

func TestSet(t *testing.T) {
	for _, c := range []struct {
		path, text string
		want       func(*Scenario) bool
	}{
		{"1.count", "50", func(s *Scenario) bool { return s.Stack[0].Count == 50 }},
		{"1.epsilon", "1/800", func(s *Scenario) bool { return s.Stack[0].Values["epsilon"].Number == 1.0/800 }},
		{"1.epsilon", "ln(3)", func(s *Scenario) bool { return s.Stack[0].Values["epsilon"].Number == math.Log(3) }},
		{"1.scale", "5", func(s *Scenario) bool {
			return s.Stack[0].Values["scale"].Number == 5 && !s.Stack[0].Values.Has("epsilon")
		}},
		{"2.epsilon", "0.5", func(s *Scenario) bool { // delta comes along, sigma goes
			v := s.Stack[1].Values
			return v["epsilon"].Number == 0.5 && v["delta"].Number == 1e-6 && !v.Has("sigma")
		}},
		{"3.candidates", "{a: 1, b: 2}", func(s *Scenario) bool { return len(s.Stack[2].Values["candidates"].Items) == 2 }},
		{"3.scores", "[1, 2, 3]", func(s *Scenario) bool { return !s.Stack[2].Values.Has("candidates") }},
		{"3.monotone", "yes", func(s *Scenario) bool { return s.Stack[2].Values["monotone"].Flag }},
		{"4.sampling_rate", "256/60000", func(s *Scenario) bool { return s.Stack[3].Values["sampling_rate"].Number == 256.0/60000 }},
		{"5.1.1.epsilon", "0.3", func(s *Scenario) bool { return s.Stack[4].Parallel[0][0].Values["epsilon"].Number == 0.3 }},
		{"5.count", "3", func(s *Scenario) bool { return s.Stack[4].Count == 3 }},
		{"2.sampling", "0.1", func(s *Scenario) bool { return s.Stack[1].Sampling == 0.1 }},
		{"2.sampling", "{rate: 0.3}", func(s *Scenario) bool { return s.Stack[1].Sampling == 0.3 }},
		{"2.sampling.rate", "0.2", func(s *Scenario) bool { return s.Stack[1].Sampling == 0.2 }},
		{"1.also", "add-remove", func(s *Scenario) bool { return s.Stack[0].Also == mechanisms.Also{AddRemove: true} }},
		{"1.also", "add-remove:1/2", func(s *Scenario) bool { return s.Stack[0].Also == mechanisms.Also{AddRemove: true, Number: 0.5} }},
		{"5.2.1.also", "{add-remove: 0.5}", func(s *Scenario) bool {
			return s.Stack[4].Parallel[1][0].Also == mechanisms.Also{AddRemove: true, Number: 0.5}
		}},
		{"1.also", "none", func(s *Scenario) bool { return s.Stack[0].Also == mechanisms.Also{} }},
		{"5.moves", "never", func(s *Scenario) bool { return s.Stack[4].Moves == "never" }},
		{"5.moves", "none", func(s *Scenario) bool { return s.Stack[4].Moves == "" }},
		{"adjacency", "zero-out", func(s *Scenario) bool { return s.Adjacency == mechanisms.ZeroOut }},
		{"2.disabled", "true", func(s *Scenario) bool { return s.Stack[1].Disabled }},
		{"2.label", "x", func(s *Scenario) bool { return s.Stack[1].Label == "x" }},
		{"1.mechanism", "geometric", func(s *Scenario) bool {
			return s.Stack[0].Mechanism == "geometric" && s.Stack[0].Values["epsilon"].Number == 0.1
		}},
		{"rounds", "12", func(s *Scenario) bool { return s.Rounds == 12 }},
		{"delta", "1e-9", func(s *Scenario) bool { return s.Budget.Delta == 1e-9 }},
		{"budget.epsilon", "2", func(s *Scenario) bool { return s.Budget.Epsilon == 2 }},
		{"budget.epsilon", "none", func(s *Scenario) bool { return s.Budget.Epsilon == 0 }},
		{"1.weight", "3", func(s *Scenario) bool { return s.Stack[0].Weight == 3 }},
		{"1.weight", "none", func(s *Scenario) bool { return s.Stack[0].Weight == 0 }},
		{"alpha", "8", func(s *Scenario) bool { return s.Alpha == 8 }},
		{"alpha", "auto", func(s *Scenario) bool { return s.Alpha == 0 }},
		{"adjacency", "replace", func(s *Scenario) bool { return s.Adjacency == mechanisms.Replace }},
		{"unit", "household", func(s *Scenario) bool { return s.Unit == "household" }},
	} {
		s := mustParse(t, contractExample)
		if err := s.Set(c.path, c.text); err != nil {
			t.Errorf("%s=%s: %v", c.path, c.text, err)
			continue
		}
		if !c.want(s) {
			t.Errorf("%s=%s: got %+v", c.path, c.text, s)
		}
		if err := s.Validate(); err != nil {
			t.Errorf("%s=%s: invalid: %v", c.path, c.text, err)
		}
	}
}

// listParams lists the parameters of a mechanism.
func listParams(kind string) string {
	spec, _ := mechanisms.Lookup(kind)
	var names []string
	for _, p := range spec.Params {
		names = append(names, p.Name)
	}
	return strings.Join(names, ", ")
}

// listFieldsOf lists the fields that every entry of a kind has, "mechanism" or "block".
func listFieldsOf(kind string) string {
	var names []string
	for _, f := range rowsOf(kind, mechanisms.Spec{}) {
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ")
}

func TestSetErrors(t *testing.T) {
	for _, c := range []struct{ path, text, want string }{
		{"1.count", "0", "1.count: must be at least 1 and at most 1e12, got 0"},
		{"1.count", "many", `1.count: is not a number: "many" is unknown; must be a whole number, at least 1 and at most 1e12`},
		{"1.sgma", "1", "1.sgma: unknown field of laplace; it has " + listParams("laplace") + ", " + listFieldsOf("mechanism")},
		{"1.epsilon", "-1", "1.epsilon: must be greater than 0, got -1"},
		{"9.count", "1", "9.count: there is no entry 9; the stack has 5 entries"},
		{"0.count", "1", "0.count: there is no entry 0; the stack has 5 entries"},
		{"1", "1", "1: expected the number of an entry and a field, such as 1.count"},
		{"1.1.1.epsilon", "1", "1.1.1.epsilon: entry 1 is not a parallel block"},
		{"5.3.1.epsilon", "1", "5.3.1.epsilon: there is no branch 3; the block has 2 branches"},
		{"5.epsilon", "1", "5.epsilon: unknown field of a parallel block; known: " + listFieldsOf("block")},
		{"5.parallel", "[]", "5.parallel: branches are not set as a whole; a field inside is written BLOCK.BRANCH.ENTRY.FIELD, as in 4.1.2.epsilon"},
		{"2.sampling", "{rate: 0}", "2.sampling: must be greater than 0 and at most 1, got 0"},
		{"2.sampling", "{ratio: 1}", `2.sampling: is not a number: "{ratio: 1}" is unexpected; must be greater than 0 and at most 1`},
		{"1.also", "0.5", "1.also: must be add-remove, or {add-remove: NUMBER} if add-remove has its own number, or none"},
		{"1.also", "add-remove: -1", "1.also: must be greater than 0, got -1"},
		{"5.also", "add-remove", "5.also: unknown field of a parallel block; known: " + listFieldsOf("block")},
		{"5.moves", "often", `5.moves: must be one of never, got "often"`},
		{"3.scores", "7", "3.scores: must be a list of scores, such as [3, 5], got the number 7"},
		{"3.monotone", "maybe", "3.monotone: must be true or false"},
		{"1.mechanism", "laplac", `1.mechanism: unknown mechanism "laplac"; did you mean laplace?`},
		{"round", "1", "round: unknown field; did you mean rounds? (an entry's field is written 1.count)"},
		{"budget.epsilon", "", "budget.epsilon: is empty; a number is expected; must be greater than 0"},
		{"delta", "none", `delta: is not a number: "none" is unknown; must be at least 0 and less than 1`},
		{"alpha", "none", `alpha: is not a number: "none" is unknown; must be greater than 1`},
		{"delta", "2", "delta: must be at least 0 and less than 1, got 2"},
		{"name", "a\x1b", "name: control character U+001B is not allowed"},
	} {
		s := mustParse(t, contractExample)
		before := s.Clone()
		err := s.Set(c.path, c.text)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s=%s:\n got %v\nwant %s", c.path, c.text, err, c.want)
		}
		if !s.Equal(before) {
			t.Errorf("%s=%s changed the scenario", c.path, c.text)
		}
	}
}

// Inside a branch, too: what was filled in is told.
func TestUnstated(t *testing.T) {
	for _, c := range []struct {
		path, text, want string
	}{
		{"5.1.1.mechanism", "gaussian", "5.1.1.sigma"}, {"5.1.1.mechanism", "pure", ""}, {"2.epsilon", "0.5", "2.delta"}, {"2.count", "3", ""}, {"1.scale", "3", ""},
	} {
		s := mustParse(t, contractExample)
		before := s.Clone()
		if err := s.Set(c.path, c.text); err != nil {
			t.Fatal(err)
		}
		if got := s.FirstImplicit(before, []string{c.path}); got != c.want {
			t.Errorf("%s=%s leaves %q open, want %q", c.path, c.text, got, c.want)
		}
	}
}

func TestNewEntry(t *testing.T) {
	for _, spec := range mechanisms.Catalogue() {
		e, err := NewEntry(spec.Name)
		if err != nil {
			t.Fatal(err)
		}
		check := New()
		check.Stack = []Entry{e}
		if err := check.Validate(); err != nil {
			t.Errorf("%s starts out invalid: %v", spec.Name, err)
		}
	}
}

func FuzzSet(f *testing.F) {
	for _, seed := range [][2]string{{"1.count", "50"}, {"5.1.1.epsilon", "1/0"}, {"3.candidates", "{a: 1}"}, {"1.mechanism", "rdp"},
		{"2.delta", "1e-400"}, {"9999999999999999999.x", ""}, {"alpha", "auto"}, {"1.", "("},
		{"1.also", "{add-remove: 1/2}"}, {"5.moves", "never"}, {"adjacency", "zero-out"},
		{"by", "Bureau"}, {"claim.delta", "0"}, {"tpr", "0.1"}, {"prior", "1/8"}} {
		f.Add(seed[0], seed[1])
	}
	base, err := Parse("x", []byte(contractExample))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, path, text string) {
		s := base.Clone()
		if err := s.Set(path, text); err != nil {
			if strings.ContainsRune(err.Error(), 0x1b) || !s.Equal(base) {
				t.Fatalf("%q", err)
			}
			return
		}
		if problem := fieldProblem(s); problem != nil {
			t.Fatalf("%s=%s was accepted, but %v", path, text, problem)
		}
	})
}

// fieldProblem is what Validate has against the fields of a scenario one by one. A field of a claim or of a limit on
// harm that stands without another is no such problem: that one may be set next.
func fieldProblem(s *Scenario) error {
	var c format.Checker
	scenarioTable().Check(&c, s)
	s.checkQueries(&c, "stack", s.Stack)
	return c.Errors("")
}

// Whoever sets one of two fields that stand only together may set the other next; until then nothing is evaluated.
func TestSetFieldsThatStandTogether(t *testing.T) {
	for _, c := range []struct {
		set, missing string
		then         []string
	}{
		{"by=Bureau", "claim.epsilon: is missing", []string{"claim.epsilon=1"}},
		{"claim.delta=0", "claim.epsilon: is missing", []string{"claim.epsilon=1"}},
		{"tpr=0.1", "budget.fpr: is missing", []string{"budget.epsilon=none", "fpr=0.01"}},
		{"prior=1/8", "budget.reconstruction: is missing", []string{"budget.epsilon=none", "reconstruction=1/2"}},
	} {
		s := mustParse(t, contractExample)
		for i, change := range append([]string{c.set}, c.then...) {
			if err := s.Validate(); i == 1 && (err == nil || !strings.Contains(err.Error(), c.missing)) {
				t.Errorf("after %s: %v, want %s", c.set, err, c.missing)
			}
			path, text, _ := strings.Cut(change, "=")
			if err := s.Set(path, text); err != nil {
				t.Fatalf("%s: %v", change, err)
			}
		}
		if err := s.Validate(); err != nil {
			t.Errorf("%s, then %v: %v", c.set, c.then, err)
		}
	}
}

// A number that also states for absence is in the unit of what the entry states: that
// cannot be exchanged below it, nor can the mechanism.
func TestSetKeepsTheUnitOfAlso(t *testing.T) {
	s := mustParse(t, "version: 1\nadjacency: replace\nbudget: {epsilon: 1, delta: 1e-6}\nstack: [{mechanism: laplace, epsilon: 1, also: {add-remove: 0.5}}]\n")
	before := s.Clone()
	want := "1.scale: would take the place of epsilon, in whose unit also states a number for add-remove; take that back first (also: none)"
	if err := s.Set("1.scale", "3"); err == nil || err.Error() != want || !s.Equal(before) {
		t.Errorf("got %v, want %s", err, want)
	}
	if err := s.Set("1.mechanism", "geometric"); err != nil || s.Stack[0].Also != (mechanisms.Also{}) {
		t.Errorf("%v, %+v", err, s.Stack[0])
	}
}

func TestParseValue(t *testing.T) {
	number := param.Param{Name: "epsilon", Type: param.Number, Max: 2, OpenMin: true}
	word := param.Param{Name: "noise", Type: param.Choice, Choices: []string{"laplace", "gumbel"}}
	for _, c := range []struct {
		p             param.Param
		text, problem string
	}{
		{number, "1/800", ""},
		{number, "3", "epsilon: must be greater than 0 and at most 2, got 3"},
		{number, "much", `epsilon: is not a number: "much" is unknown; must be greater than 0 and at most 2`},
		{word, " gumbel ", ""},
		{word, "gumball", `noise: must be one of laplace, gumbel, got "gumball"`},
	} {
		_, err := format.ParseValue(c.p, c.text)
		if got := fmt.Sprint(err); got != cmp.Or(c.problem, "<nil>") {
			t.Errorf("%q: %q, want %q", c.text, got, c.problem)
		}
	}
}
