package scenarios

import (
	"fmt"
	"strings"
	"testing"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
)

const tuning = `version: 1
budget: {epsilon: 3, delta: 1e-6}
stack:
  - mechanism: select # one of many
    of: {mechanism: zcdp, rho: 0.05} # a run
    # ten of them
    runs:
      distribution: logarithmic
      mean: 10
`

// What a selection runs is set by a path, in place.
func TestSetWhatIsRun(t *testing.T) {
	for _, c := range []struct{ path, text, want string }{
		{"1.of.rho", "0.1", "of: {mechanism: zcdp, rho: 0.1} # a run\n    # ten of them"},
		{"1.runs.mean", "40/2", "      distribution: logarithmic\n      mean: 20\n"},
		{"1.runs.distribution", "poisson", "      distribution: poisson\n      mean: 10\n"},
		{"1.of.count", "3", "of: {mechanism: zcdp, rho: 0.05, count: 3} # a run"},
		{"1.of.sampling", "0.5", "of: {mechanism: zcdp, rho: 0.05, sampling: {rate: 0.5}} # a run"},
		{"1.of.sampling.rate", "0.5", "of: {mechanism: zcdp, rho: 0.05, sampling: {rate: 0.5}} # a run"},
		{"1.of.mechanism", "pure", "of: {mechanism: pure, epsilon: 0.1} # a run"},
		{"1.of.mechanism", "laplace", "of: {mechanism: laplace, epsilon: 0.1} # a run"},
	} {
		s := mustParse(t, tuning)
		before := s.Clone()
		if err := s.Set(c.path, c.text); err != nil {
			t.Errorf("%s: %v", c.path, err)
			continue
		}
		text, err := s.Marshal()
		if err != nil || !strings.Contains(string(text), c.want) || !strings.Contains(string(text), "# one of many") {
			t.Errorf("%s=%s: %v\n%s", c.path, c.text, err, text)
		}
		if back := mustParse(t, string(text)); !back.Equal(s) || back.Equal(before) {
			t.Errorf("%s=%s reads back as\n%s", c.path, c.text, text)
		}
		if changes := Changes(before, s); len(changes) == 0 || !strings.HasPrefix(c.path, "1."+changes[0].Field) {
			t.Errorf("%s=%s is %v", c.path, c.text, changes)
		}
	}
}

// Another mechanism to run does not change how often it is run, even where an ε cannot be kept.
func TestRunsAreKept(t *testing.T) {
	s := mustParse(t, strings.NewReplacer("zcdp, rho", "pure, epsilon", "logarithmic", "poisson").Replace(tuning))
	before := s.Clone()
	if err := s.Set("1.of.mechanism", "gaussian"); err != nil {
		t.Fatal(err)
	}
	if got := s.FirstImplicit(before, []string{"1.of.mechanism"}); got != "1.of.sigma" {
		t.Errorf("%q was filled in, want the σ alone", got)
	}
	if got := s.Stack[0].Values["runs.distribution"].Text; got != "poisson" {
		t.Errorf("a Poisson number of runs became %s", got)
	}
}

// Mistakes in what is run are found where they stand.
func TestFaultsInWhatIsRun(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"rho: 0.05", "rho: -1", "f.yaml:5:32: stack[1].of.rho: must be"},
		{"rho: 0.05", "epsilon: 1", "f.yaml:5:9: stack[1].of.rho: is missing; must be greater than 0\nf.yaml:5:27: stack[1].of.epsilon: unknown field of what is run; known: mechanism, rho"},
		{"zcdp", "zdcp", `f.yaml:5:21: stack[1].of.mechanism: unknown mechanism "zdcp"; did you mean zcdp?`},
		{"zcdp", "select", "f.yaml:5:21: stack[1].of.mechanism: a selection runs another mechanism, not a selection"},
		{"{mechanism: zcdp, rho: 0.05}", "3", "f.yaml:5:9: stack[1].of: must be a mapping such as {mechanism: zcdp, rho: 0.05}, got the number 3"},
		{"    of: {mechanism: zcdp, rho: 0.05} # a run\n", "", "f.yaml:4:5: stack[1].of.mechanism: is missing; must be one of "},
		{"mean: 10", "mean: 0.5", "f.yaml:9:13: stack[1].runs.mean: must be at least 1, got 0.5: there is always one run"},
		{"logarithmic", "poisson\n      shape: 1", "f.yaml:9:14: stack[1].runs.shape: only a negative-binomial number of runs has a shape"},
	} {
		_, err := Parse("f.yaml", []byte(strings.Replace(tuning, c.from, c.to, 1)))
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || strings.Count(err.Error(), "\n") > 1 {
			t.Errorf("%s: %v\nwant %s", c.to, err, c.want)
		}
	}
}

// A run taken out, changed and put back is the same entry with that change.
func TestRunPutBack(t *testing.T) {
	e := mustParse(t, tuning).Stack[0]
	run, ok := e.Run()
	if !ok || run.Mechanism != "zcdp" || run.Count != 1 || run.Sampling != 1 {
		t.Fatalf("%+v", run)
	}
	run.Count, run.Sampling = 3, 0.5
	before := e.Clone()
	e.SetRun(run)
	if again, _ := e.Run(); !again.Equal(run) || e.Equal(before) {
		t.Errorf("%+v", e)
	}
	run.Count, run.Sampling = 1, 1
	if e.SetRun(run); !e.Equal(before) {
		t.Errorf("%+v", e)
	}
	if _, ok := run.Run(); ok {
		t.Error("what is run runs nothing")
	}
}

// Without its scores an entry of every mechanism is a valid one and costs the same, by itself and as what a selection
// runs.
func TestEveryEntryWithoutScores(t *testing.T) {
	for _, spec := range mechanisms.Catalogue() {
		for _, selected := range []bool{false, true} {
			kind := spec.Name
			if selected {
				kind = "select"
			}
			e, err := NewEntry(kind)
			if err == nil && selected {
				err = e.put("of.mechanism", param.ChoiceValue(spec.Name))
			}
			if err != nil {
				continue // it is not run by a selection
			}
			for _, p := range e.Spec().Params {
				if p.Type == param.Scores && !e.Values.Has(p.Name) && !p.Named {
					e.Values[p.Name] = p.Initial
				}
			}
			priced := func(e Entry) string {
				s := New()
				s.Stack, s.Records, s.Budget.Delta = []Entry{e}, 60_000, 1e-6
				if err := s.Validate(); err != nil {
					return err.Error()
				}
				stack, err := Stack(s)
				text := fmt.Sprint(err)
				for _, x := range stack {
					text += fmt.Sprintf("; %g × %s", x.Count, x.Release.Key())
				}
				return text
			}
			if with, without := priced(e), priced(e.WithoutScores()); with != without {
				t.Errorf("%s of %s: %s; without scores: %s", kind, spec.Name, with, without)
			}
		}
	}
}

// Scores are left out of what is run too.
func TestRunWithoutScores(t *testing.T) {
	s := mustParse(t, "version: 1\nstack: [{mechanism: select, of: {mechanism: exponential, epsilon: 1, scores: [3, 5, 9]}, runs: {distribution: geometric, mean: 3}}]")
	bare := s.Stack[0].WithoutScores()
	if bare.Values.Has("of.scores") || bare.Values["of.outputs"].Number != 3 || len(bare.Values) != len(s.Stack[0].Values) {
		t.Errorf("%v", bare.Values)
	}
}
