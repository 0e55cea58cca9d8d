package scenarios

import (
	"strings"
	"testing"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const commented = `# yaml-language-server: $schema=scenario.json
version: 1   # the only one
name: 'Monthly usage'

# What may be spent.
budget: {epsilon: 1.0, delta: 1.0e-6}   # per month
stack:
  # counts first
  - {mechanism: laplace, label: "by region", epsilon: 0.10, count: 20}  # cheap

  # then totals
  - mechanism: gaussian
    sigma: 40     # from the pilot
    count: 100
  - parallel:
      - [{mechanism: laplace, epsilon: 0.1}]   # north
      - [{mechanism: laplace, epsilon: 0.2}]   # south
# the end
`

func mustParse(t testing.TB, text string) *Scenario {
	t.Helper()
	s, err := Parse("test.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestMarshalEdits(t *testing.T) {
	set := func(path, text string) func(*Scenario) {
		return func(s *Scenario) {
			if err := s.Set(path, text); err != nil {
				panic(err)
			}
		}
	}
	for _, c := range []struct {
		name     string
		edit     func(*Scenario)
		old, new string // what the edit replaces in the text
	}{
		{"nothing", func(*Scenario) {}, "", ""},
		{"a number", set("1.epsilon", "0.2"), "epsilon: 0.10,", "epsilon: 0.2,"},
		{"a number on its own line", set("2.sigma", "50"), "sigma: 40 ", "sigma: 50 "},
		{"the name", set("name", "Weekly: usage"), "'Monthly usage'", `"Weekly: usage"`},
		{"an alternative", set("1.scale", "5"), "epsilon: 0.10,", "scale: 5,"},
		{"a new field in braces", set("1.sensitivity", "2"), "epsilon: 0.10,", "epsilon: 0.10, sensitivity: 2,"},
		{"a new field in a block", set("2.label", "x"), "gaussian\n", "gaussian\n    label: x\n"},
		{"sampling", set("2.sampling", "0.5"), "count: 100\n", "count: 100\n    sampling: {rate: 0.5}\n"},
		{"a top field", set("rounds", "12"), "# per month\n", "# per month\nrounds: 12\n"},
		{"a branch", set("3.2.1.epsilon", "1/4"), "epsilon: 0.2}]   # south", "epsilon: 0.25}]   # south"},
		{"removal", func(s *Scenario) { s.Stack = append(s.Stack[:1], s.Stack[2:]...) },
			"  # then totals\n  - mechanism: gaussian\n    sigma: 40     # from the pilot\n    count: 100\n", ""},
		{"a move", func(s *Scenario) { s.Stack[0], s.Stack[1] = s.Stack[1], s.Stack[0] },
			`  # counts first
  - {mechanism: laplace, label: "by region", epsilon: 0.10, count: 20}  # cheap

  # then totals
  - mechanism: gaussian
    sigma: 40     # from the pilot
    count: 100
`, `  # then totals
  - mechanism: gaussian
    sigma: 40     # from the pilot
    count: 100
  # counts first
  - {mechanism: laplace, label: "by region", epsilon: 0.10, count: 20}  # cheap

`},
		{"an addition", func(s *Scenario) {
			e, _ := NewEntry("pure")
			s.Stack = append(s.Stack, e)
		}, "# south\n", "# south\n  - {mechanism: pure, epsilon: 0.1}\n"},
		{"a copy", func(s *Scenario) {
			s.Stack = append(s.Stack[:1:1], append([]Entry{s.Stack[0].Clone()}, s.Stack[1:]...)...)
		}, "\n  # then", "\n  - {mechanism: laplace, label: by region, epsilon: 0.1, count: 20}\n  # then"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := mustParse(t, commented)
			c.edit(s)
			got, err := s.Marshal()
			if err != nil {
				t.Fatal(err)
			}
			if strings.Count(commented, c.old) < 1 {
				t.Fatalf("the test's own text lacks %q", c.old)
			}
			want := strings.Replace(commented, c.old, c.new, 1)
			if diff := cmp.Diff(want, string(got)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestMarshalKeepsStoredForm(t *testing.T) {
	text := "\ufeff" + strings.ReplaceAll(commented, "\n", "\r\n")
	s := mustParse(t, text)
	s.Rounds = 3
	got, err := s.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Replace(text, "# per month\r\n", "# per month\r\nrounds: 3\r\n", 1); string(got) != want {
		t.Errorf("got %q", got)
	}
}

func TestMarshalNew(t *testing.T) {
	s := New()
	s.Name, s.Description, s.Unit = "New: one", "Two\n  lines.\n", "person"
	s.Adjacency = mechanisms.Replace
	s.Budget = Budget{Epsilon: 1, Delta: 1e-6}
	s.Stack = []Entry{
		{Mechanism: "laplace", Label: "yes", Count: 20, Sampling: 1, Values: param.Values{"epsilon": param.NumberValue(0.1)}},
		{Mechanism: "exponential", Count: 1, Sampling: 0.5, Disabled: true, Values: param.Values{
			"epsilon":    param.NumberValue(1),
			"candidates": param.CandidatesValue(param.Item{Name: "a b", Value: 1}, param.Item{Name: "3", Value: -2.5}),
		}},
		{Count: 2, Sampling: 1, Parallel: [][]Entry{
			{{Mechanism: "pure", Count: 1, Sampling: 1, Values: param.Values{"epsilon": param.NumberValue(2)}}}, {}}},
	}
	s.Expect = []Expectation{{Method: "basic", Epsilon: 4, Tolerance: 0.1, Source: "a book, page 3"}}
	got, err := s.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	want := `version: 1
name: "New: one"
description: |
  Two
    lines.
unit: person
adjacency: replace
budget: {epsilon: 1, delta: 1e-6}
stack:
  - {mechanism: laplace, label: "yes", epsilon: 0.1, count: 20}
  - mechanism: exponential
    epsilon: 1
    candidates: {a b: 1, 3: -2.5}
    sampling: {rate: 0.5}
    disabled: true
  - count: 2
    parallel:
      - [{mechanism: pure, epsilon: 2}]
      - []
expect:
  - {method: basic, epsilon: 4, tolerance: 0.1, source: "a book, page 3"}
`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// What is claimed of absence and of moves is put in, changed and taken out where it
// stands; an empty branch stays one.
func TestMarshalClaims(t *testing.T) {
	const text = `version: 1
adjacency: replace # of the agency
stack:
  - {mechanism: laplace, epsilon: 1, sampling: {rate: 0.1}} # drawn
  - mechanism: zcdp # as stated
    rho: 0.1
    also: {add-remove: 0.5} # per record
  - parallel: # by region
      - [{mechanism: pure, epsilon: 1}]
      - [] # all others
`
	for _, c := range []struct{ path, value, old, want string }{
		{"1.also", "add-remove", "{rate: 0.1}}", "{rate: 0.1}, also: add-remove}"},
		{"1.also", "add-remove: 2", "{rate: 0.1}}", "{rate: 0.1}, also: {add-remove: 2}}"},
		{"2.also", "add-remove: 0.7", "{add-remove: 0.5}", "{add-remove: 0.7}"},
		{"2.also", "add-remove", "{add-remove: 0.5}", "add-remove"},
		{"2.also", "none", "    also: {add-remove: 0.5} # per record\n", ""},
		{"3.moves", "never", "# all others\n", "# all others\n    moves: never\n"},
		{"adjacency", "zero-out", "adjacency: replace", "adjacency: zero-out"},
	} {
		s := mustParse(t, text)
		if len(s.Stack[2].Parallel) != 2 || len(s.Stack[2].Parallel[1]) != 0 {
			t.Fatalf("the empty branch was read as %v", s.Stack[2].Parallel)
		}
		if err := s.Set(c.path, c.value); err != nil {
			t.Fatal(err)
		}
		got, err := s.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.Replace(text, c.old, c.want, 1), string(got)); diff != "" {
			t.Errorf("%s=%s: -want +got\n%s", c.path, c.value, diff)
		}
	}
}

func TestMarshalRefusesWhatCannotBeRead(t *testing.T) {
	s := New()
	s.Rounds = 0
	if _, err := s.Marshal(); err == nil || err.Error() != "rounds: must be at least 1 and at most 1e12, got 0" {
		t.Errorf("got %v", err)
	}
}

// Whatever is done to a scenario, what is written reads back the same, and the
// comments of entries that stayed are still there.
func TestMarshalRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScenario(t)
		data, err := s.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		back, err := Parse("x", data)
		if err != nil {
			t.Fatalf("%v\n%s", err, data)
		}
		if !back.Equal(s) {
			t.Fatalf("reads back differently:\n%s", data)
		}
		again, err := back.Marshal()
		if err != nil || string(again) != string(data) {
			t.Fatalf("writing it again changed it:\n%s\n%s", data, again)
		}
	})
}

func TestMarshalRandomEdits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, err := Parse("x", []byte(commented))
		if err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(1, 4).Draw(t, "edits") {
			drawEdit(t, s)
		}
		data, err := s.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		back, err := Parse("x", data)
		if err != nil || !back.Equal(s) {
			t.Fatalf("%v\n%s", err, data)
		}
		for _, comment := range []string{"# the only one", "# What may be spent.", "# per month", "# the end"} {
			if !strings.Contains(string(data), comment) {
				t.Fatalf("%q is gone from\n%s", comment, data)
			}
		}
	})
}
