package scenarios

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"epsiloscope/internal/gauge"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
)

// contractExample is the example of the file format's description.
const contractExample = `version: 1
name: Monthly usage release
description: free text
unit: person-month             # whose data one "record" is
adjacency: add-remove          # or replace
budget: {epsilon: 1, delta: 1e-6}
alpha: auto                    # or a number > 1
rounds: 1                      # the whole stack, this many times
group: 1                       # records one person may contribute (group privacy)
stack:
  - {mechanism: laplace, label: counts by region, epsilon: 0.1, sensitivity: 1, count: 20}
  - {mechanism: gaussian, sigma: 40, count: 100}
  - mechanism: exponential
    epsilon: 0.1
    candidates: {dark: 500, brown: 400, blond: 400, red: 400}
  - mechanism: dp-sgd
    noise_multiplier: 1.1
    sampling_rate: 0.01
    steps: 10000
  - parallel:                  # disjoint parts of the data: branches, each a stack
      - [{mechanism: laplace, epsilon: 0.1}]
      - [{mechanism: laplace, epsilon: 0.1}]
expect:                        # optional: figures this scenario must reproduce
  - {method: basic, epsilon: 2.64, tolerance: 1e-9, source: "..."}
`

func TestParseExample(t *testing.T) {
	s := mustParse(t, contractExample)
	if s.Name != "Monthly usage release" || s.Unit != "person-month" || s.Budget != (Budget{Epsilon: 1, Delta: 1e-6}) || s.Rounds != 1 {
		t.Errorf("got %+v", s)
	}
	if len(s.Stack) != 5 || s.Stack[0].Count != 20 || s.Stack[1].Values["sigma"].Number != 40 {
		t.Errorf("stack %+v", s.Stack)
	}
	if c := s.Stack[2].Values["candidates"].Items; len(c) != 4 || c[0] != (param.Item{Name: "dark", Value: 500}) {
		t.Errorf("candidates %+v", c)
	}
	if len(s.Stack[4].Parallel) != 2 {
		t.Errorf("branches %+v", s.Stack[4].Parallel)
	}
	if want := (Expectation{Method: "basic", Epsilon: 2.64, Tolerance: 1e-9, Source: "..."}); s.Expect[0] != want {
		t.Errorf("expectation %+v", s.Expect[0])
	}
}

func TestParseDefaults(t *testing.T) {
	s := mustParse(t, "version: 1\nstack: []\n")
	if s.Adjacency != mechanisms.AddRemove || s.Rounds != 1 || s.Group != 1 || s.Alpha != 0 || s.Budget != (Budget{}) {
		t.Errorf("got %+v", s)
	}
	if got := mustParse(t, "version: 1\nstack:\n").Stack; len(got) != 0 {
		t.Errorf("stack %+v", got)
	}
	e := mustParse(t, "version: 1\nstack: [{mechanism: laplace, scale: 2}]\n").Stack[0]
	if e.Count != 1 || e.Sampling != 1 || e.Disabled {
		t.Errorf("entry %+v", e)
	}
}

// one puts an entry into a file; the entry starts at 3:5.
func one(entry string) string { return "version: 1\nstack:\n  - " + entry + "\n" }

// fieldNames returns the fields of a scenario file, in order.
func fieldNames() (names []string) {
	for _, f := range scenarioFields() {
		names = append(names, f.Name)
	}
	return names
}

// TestParseErrors holds the exact message of every kind of mistake.
func TestParseErrors(t *testing.T) {
	if names := fieldNames(); len(names) < 13 || names[0] != "version" || len(methods()) < 11 || methods()[0] != "basic" {
		t.Errorf("fields %v, methods %v", names, methods())
	}
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "f.yaml: the file is empty; a scenario starts with version: 1"},
		{"not a mapping", "- a\n", "f.yaml:1:1: a scenario is a list of fields, starting with version: 1; got a list"},
		{"no version", "stack: []\n", "f.yaml:1:1: version: is missing; must be 1"},
		{"unknown version", "version: 2\nstak: []\n", "f.yaml:1:10: version: is not known; this program reads version 1, got the number 2"},
		{"version as text", "version: '1'\nstack: []\n", `f.yaml:1:10: version: is not known; this program reads version 1, got the text "1"`},
		{"no version, and more", "versions: 1\nstack: [{mechanism: pure, epsilon: -1}]\n", "f.yaml:1:1: version: is missing; must be 1\nf.yaml:1:1: versions: unknown field; did you mean version?\nf.yaml:2:36: stack[1].epsilon: must be greater than 0, got -1"},
		{"no stack", "version: 1\n", "f.yaml:1:1: stack: is missing; must be a list of mechanisms"},
		{"stack of another type", "version: 1\nstack: 3\n", "f.yaml:2:8: stack: must be a list of mechanisms, got the number 3"},
		{"unknown field", "version: 1\nstack: []\nadjacenci: replace\n", "f.yaml:3:1: adjacenci: unknown field; did you mean adjacency?"},
		{"far from every field", "version: 1\nstack: []\nfrobnicate: 1\n",
			"f.yaml:3:1: frobnicate: unknown field; known: " + strings.Join(fieldNames(), ", ")},
		{"adjacency", "version: 1\nadjacency: both\nstack: []\n", `f.yaml:2:12: adjacency: must be one of add-remove, replace, zero-out, got "both"`},
		{"budget of another type", "version: 1\nbudget: 1\nstack: []\n", "f.yaml:2:9: budget: must be a mapping such as {epsilon: 1, delta: 1e-6}, got the number 1"},
		{"budget ε", "version: 1\nbudget: {epsilon: 0}\nstack: []\n", "f.yaml:2:19: budget.epsilon: must be greater than 0, got 0"},
		{"budget δ", "version: 1\nbudget: {epsilon: 1, delta: 1}\nstack: []\n", "f.yaml:2:29: budget.delta: must be at least 0 and less than 1, got 1"},
		{"claim without ε", "version: 1\nclaim: {delta: 1e-6, by: us}\nstack: []\n", "f.yaml:2:8: claim.epsilon: is missing; a claim needs an ε greater than 0, as in claim: {epsilon: 1, delta: 1e-6}"},
		{"claim of nothing", "version: 1\nclaim: {epsilon: 0}\nstack: []\n", "f.yaml:2:18: claim.epsilon: must be greater than 0, got 0"},
		{"claimed δ", "version: 1\nclaim: {epsilon: 1, delta: 1}\nstack: []\n", "f.yaml:2:28: claim.delta: must be at least 0 and less than 1, got 1"},
		{"unknown point", "version: 1\nanswers: {tunning: none}\nstack: []\n", "f.yaml:2:11: answers.tunning: unknown field of answers; did you mean tuning?"},
		{"answer without its first word", "version: 1\nanswers: {tuning: fixed}\nstack: []\n",
			"f.yaml:2:19: answers.tuning: must begin with no, none, public, yes or data, which answers “Was this training chosen among several runs on the same data?”; what follows is quoted, as in \"no, mail of 3 May\""},
		{"answer where none is asked", "version: 1\nanswers: {unit: yes}\nstack: []\n", "f.yaml:2:17: answers.unit: is not answered in words: write unit: person, or whatever one record is"},
		{"control character in an answer", "version: 1\nanswers: {tuning: \"none\\x1b[2J\"}\nstack: []\n", "f.yaml:2:19: answers.tuning: control character U+001B is not allowed"},
		{"alpha", "version: 1\nalpha: 1\nstack: []\n", "f.yaml:2:8: alpha: must be greater than 1, got 1"},
		{"alpha of 0, which in memory is auto", "version: 1\nalpha: 0\nstack: []\n", "f.yaml:2:8: alpha: must be greater than 1, got 0"},
		{"a formula for δ, not finite", "version: 1\nbudget: {delta: 10^-6/0}\nstack: []\n", `f.yaml:2:17: budget.delta: must be at least 0 and less than 1, got the text "10^-6/0"`},
		{"no records", "version: 1\nrecords: 0\nstack: []\n", "f.yaml:2:10: records: must be at least 1 and at most 1e15, got 0"},
		{"adjacency left empty", "version: 1\nadjacency:\nstack: []\n", `f.yaml:2:11: adjacency: must be one of add-remove, replace, zero-out, got nothing`},
		{"alpha as a word", "version: 1\nalpha: best\nstack: []\n", `f.yaml:2:8: alpha: must be auto or a number greater than 1, got the text "best"`},
		{"rounds", "version: 1\nrounds: 1e13\nstack: []\n", "f.yaml:2:9: rounds: must be at least 1 and at most 1e12, got 1e13"},
		{"half a round", "version: 1\nrounds: 1.5\nstack: []\n", "f.yaml:2:9: rounds: must be a whole number, got 1.5"},
		{"infinity", "version: 1\nrounds: .inf\nstack: []\n", "f.yaml:2:9: rounds: must be finite, got ∞"},
		{"overflow", "version: 1\nrounds: 1e999\nstack: []\n", "f.yaml:2:9: rounds: must be finite, got ∞"},
		{"control character", "version: 1\nname: \"a\\x1b[2J\"\nstack: []\n", "f.yaml:2:7: name: control character U+001B is not allowed"},
		{"line end in a label", one(`{mechanism: pure, epsilon: 1, label: "a\nb"}`), "f.yaml:3:42: stack[1].label: control character U+000A is not allowed"},
		{"raw control character", "version: 1\nname: a\x07\nstack: []\n", "f.yaml:2:8: control character U+0007 is not allowed"},
		{"not UTF-8", "version: 1\nname: \xff\nstack: []\n", "f.yaml:2:7: the text is not valid UTF-8"},
		{"twice", "version: 1\nname: a\nstack: []\nname: b\n", "f.yaml:4:1: name: is given twice; the first is on line 2"},
		{"entry of another type", one("laplace"), `f.yaml:3:5: stack[1]: must be a mapping such as {mechanism: laplace, epsilon: 0.1}, got the text "laplace"`},
		{"no mechanism", one("{epsilon: 1}"), "f.yaml:3:5: stack[1].mechanism: is missing; must be the name of a mechanism, such as laplace, or use parallel"},
		{"a path for a field", "version: 1\nstack: []\nbudget.delta: 1e-6\n", "f.yaml:3:1: budget.delta: is a field inside another: write budget: {delta: …}"},
		{"a path for a parameter", one("{mechanism: pure, epsilon: 1, sampling.rate: 0.1}"), "f.yaml:3:35: stack[1].sampling.rate: is a field inside another: write sampling: {rate: …}"},
		{"unknown mechanism", one("{mechanism: gausian, sigma: 1}"), `f.yaml:3:17: stack[1].mechanism: unknown mechanism "gausian"; did you mean gaussian?`},
		{"unknown parameter", one("{mechanism: gaussian, sgma: 1, sigma: 1}"), "f.yaml:3:27: stack[1].sgma: unknown field of gaussian; did you mean sigma?"},
		{"missing parameter", one("{mechanism: dp-sgd, noise_multiplier: 1, steps: 5}"), "f.yaml:3:5: stack[1].sampling_rate: is missing; give sampling_rate or batch"},
		{"both of an alternative", one("{mechanism: laplace, epsilon: 1, scale: 2}"), "f.yaml:3:45: stack[1].scale: give only one of epsilon or scale"},
		{"none of an alternative", one("{mechanism: laplace}"), "f.yaml:3:5: stack[1].epsilon: is missing; give epsilon or scale"},
		{"half of an alternative", one("{mechanism: gaussian, epsilon: 0.5}"), "f.yaml:3:5: stack[1].delta: is missing; give sigma, or epsilon and delta"},
		{"number as text", one("{mechanism: laplace, epsilon: '1'}"), `f.yaml:3:35: stack[1].epsilon: must be greater than 0, got the text "1"; write 1`},
		{"a formula out of range", one("{mechanism: laplace, epsilon: 1-2}"), `f.yaml:3:35: stack[1].epsilon: must be greater than 0, got -1`},
		{"a formula of words", one("{mechanism: laplace, epsilon: a/b}"), `f.yaml:3:35: stack[1].epsilon: must be greater than 0, got the text "a/b"`},
		{"out of range", one("{mechanism: gaussian, sigma: -1}"), "f.yaml:3:34: stack[1].sigma: must be greater than 0, got -1"},
		{"NaN", one("{mechanism: gaussian, sigma: .nan}"), "f.yaml:3:34: stack[1].sigma: must be a number, got NaN"},
		{"no δ at all", one("{mechanism: approximate, epsilon: 1, delta: 1e-400}"), `f.yaml:3:49: stack[1].delta: must be at least 0 and less than 1, got the text "1e-400"`},
		{"infinite parameter", one("{mechanism: gaussian, sigma: .inf}"), "f.yaml:3:34: stack[1].sigma: must be finite, got ∞"},
		{"nothing", one("{mechanism: gaussian, sigma: }"), "f.yaml:3:34: stack[1].sigma: must be greater than 0, got nothing"},
		{"choice", one("{mechanism: noisy-max, epsilon: 1, noise: pink}"), `f.yaml:3:47: stack[1].noise: must be one of laplace, exponential, gumbel, got "pink": of discrete noise nothing better than its pure ε is proven; give it as pure`},
		{"flag", one("{mechanism: exponential, epsilon: 1, monotone: 1}"), "f.yaml:3:52: stack[1].monotone: must be true or false, got the number 1"},
		{"scores", one("{mechanism: exponential, epsilon: 1, scores: {a: 1}}"), "f.yaml:3:50: stack[1].scores: must be a list of scores, such as [3, 5], got a mapping"},
		{"one score", one("{mechanism: exponential, epsilon: 1, scores: [1, x]}"), `f.yaml:3:54: stack[1].scores[2]: must be a number, got the text "x"`},
		{"one candidate", one("{mechanism: exponential, epsilon: 1, candidates: {a: x}}"), `f.yaml:3:58: stack[1].candidates.a: must be a number, got the text "x"`},
		{"point", one("{mechanism: rdp, points: {1: 0.1}}"), "f.yaml:3:30: stack[1].points: an order must be a finite number greater than 1, got 1"},
		{"count", one("{mechanism: pure, epsilon: 1, count: 0}"), "f.yaml:3:42: stack[1].count: must be at least 1 and at most 1e12, got 0"},
		{"sampling of another type", one("{mechanism: pure, epsilon: 1, sampling: 0.1}"), "f.yaml:3:45: stack[1].sampling: must be a mapping such as {rate: 0.01}, got the number 0.1"},
		{"sampling", one("{mechanism: pure, epsilon: 1, sampling: {rate: 2}}"), "f.yaml:3:52: stack[1].sampling.rate: must be greater than 0 and at most 1, got 2"},
		{"classic beyond its proof", one("{mechanism: gaussian, epsilon: 2, delta: 1e-5, calibration: classic}"),
			"f.yaml:3:36: stack[1].epsilon: must be less than 1 with the classic calibration, which is proven only there, got 2; use calibration: analytic"},
		{"branches", one("parallel: [{mechanism: pure, epsilon: 1}]"), "f.yaml:3:16: stack[1].parallel[1]: must be a list of mechanisms, got a mapping"},
		{"in a branch", one("parallel: [[{mechanism: pure, epsilon: 0}]]"), "f.yaml:3:44: stack[1].parallel[1][1].epsilon: must be greater than 0, got 0"},
		{"also", one("{mechanism: pure, epsilon: 1, also: replace}"), `f.yaml:3:41: stack[1].also: must be add-remove, or {add-remove: NUMBER} if add-remove has its own number, got the text "replace"`},
		{"also left empty", one("{mechanism: pure, epsilon: 1, also: }"), `f.yaml:3:41: stack[1].also: must be add-remove, or {add-remove: NUMBER} if add-remove has its own number, got nothing`},
		{"also without a number", one("{mechanism: pure, epsilon: 1, also: {}}"), `f.yaml:3:41: stack[1].also: must be add-remove, or {add-remove: NUMBER} if add-remove has its own number, got a mapping`},
		{"also of nothing", one("{mechanism: pure, epsilon: 1, also: {add-remove: 0}}"), `f.yaml:3:54: stack[1].also.add-remove: must be greater than 0, got 0`},
		{"also of less", one("{mechanism: pure, epsilon: 1, also: {add-remove: -1}}"), `f.yaml:3:54: stack[1].also.add-remove: must be greater than 0, got -1`},
		{"also of text", one("{mechanism: pure, epsilon: 1, also: {add-remove: '1'}}"), `f.yaml:3:54: stack[1].also.add-remove: must be greater than 0, got the text "1"; write 1`},
		{"also of something else", one("{mechanism: pure, epsilon: 1, also: {add-remove: 1, replace: 2}}"), `f.yaml:3:57: stack[1].also.replace: unknown field of also; known: add-remove`},
		{"also on a block", one("{parallel: [], also: add-remove}"), `f.yaml:3:20: stack[1].also: unknown field of a parallel block; known: ` + listFieldsOf("block")},
		{"moves", one("{parallel: [], moves: often}"), `f.yaml:3:27: stack[1].moves: must be one of never, got "often"`},
		{"moves left empty", one("{parallel: [], moves: }"), `f.yaml:3:27: stack[1].moves: must be one of never, got nothing`},
		{"moves on a mechanism", one("{mechanism: pure, epsilon: 1, moves: never}"), `f.yaml:3:35: stack[1].moves: unknown field of pure; it has epsilon, ` + listFieldsOf("mechanism")},
		{"field of another run", one("{mechanism: select, of: {mechanism: pure, epsilon: 1}, runs: {distribution: geometric, mean: 5}, colour: 3}"),
			`f.yaml:3:102: stack[1].colour: unknown field of select; it has of.mechanism, of.epsilon, of.count, of.sampling.rate, runs.distribution, runs.mean, runs.shape, ` + listFieldsOf("mechanism")},
		{"mechanism beside parallel", one("{parallel: [], mechanism: pure}"), "f.yaml:3:20: stack[1].mechanism: a parallel block has no mechanism of its own; put it into a branch"},
		{"expectation", "version: 1\nstack: []\nexpect: [{method: best, epsilon: 1}]\n",
			"f.yaml:3:19: expect[1].method: must be one of " + strings.Join(methods(), ", ") + `, got "best"`},
		{"alias", "version: 1\nstack: [*x]\n", "f.yaml:2:9: no anchor &x stands before this alias"},
		{"merge key", "version: 1\nstack: [&x {mechanism: pure, epsilon: 1}, {<<: *x}]\n",
			"f.yaml:2:43: stack[2].mechanism: is missing; must be the name of a mechanism, such as laplace, or use parallel"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse("f.yaml", []byte(c.text))
			if err == nil || err.Error() != c.want {
				t.Errorf("\n got %v\nwant %s", err, c.want)
			}
		})
	}
}

func TestParseListsEveryError(t *testing.T) {
	_, err := Parse("f.yaml", []byte(`version: 1
stak: 3
rounds: 1.5
rounds: 2
stack:
  - {mechanism: gaussian, sigma: -1, count: 0}
  - {mechanism: laplac}
`))
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != 6 {
		t.Fatalf("%d errors, want 6:\n%v", len(lines), err)
	}
	var list Errors
	if !errors.As(err, &list) || list[4].Line != 6 || list[4].Field != "stack[1].count" {
		t.Errorf("got %+v", list)
	}
}

func TestParseLimits(t *testing.T) {
	million := "version: 1\nstack: [{mechanism: exponential, epsilon: 1, scores: [" + strings.Repeat("1,", 1_000_000) + "]}]\n"
	if gauge.All() {
		if s := mustParse(t, million); len(s.Stack[0].Values["scores"].Items) != 1_000_000 {
			t.Error("a million scores must be read")
		}
	}
	_, err := Parse("f.yaml", []byte(strings.Replace(million, "[1,", "[1,1,", 1)))
	if err == nil || !strings.Contains(err.Error(), "stack[1].scores: may hold at most 1000000 scores") &&
		!strings.Contains(err.Error(), "stack[1].scores: may hold at most 1e6 scores") {
		t.Errorf("one more: %v", err)
	}
	if _, err := Parse("f.yaml", make([]byte, 5<<20)); err == nil || err.Error() != "f.yaml: the file is larger than 4 MiB" {
		t.Errorf("got %v", err)
	}
	if _, err := Parse("f.yaml", []byte("version: 1\nstack: "+strings.Repeat("[", 100_000))); err == nil ||
		!strings.HasSuffix(err.Error(), "nested deeper than 64 levels") {
		t.Errorf("got %v", err)
	}
	bomb := "version: 1\na: &a [1,1,1,1,1,1,1,1,1,1]\n"
	for c := 'b'; c < 'i'; c++ {
		bomb += fmt.Sprintf("%c: &%c [%s]\n", c, c, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*%c,", c-1), 10), ","))
	}
	if _, err := Parse("f.yaml", []byte(bomb)); err == nil || !strings.Contains(err.Error(), "aliases expand to more than 100000 values") {
		t.Errorf("got %v", err)
	}
}

func TestAliasesAreUnderstood(t *testing.T) {
	s := mustParse(t, "version: 1\nstack:\n  - &q {mechanism: pure, epsilon: 1}\n  - *q\n")
	if !s.Stack[0].Equal(s.Stack[1]) {
		t.Fatalf("got %+v", s.Stack)
	}
	// Changing the first alone cannot be done in place; what is saved is still right.
	s.Stack[0].Count = 5
	data, err := s.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	if back := mustParse(t, string(data)); !back.Equal(s) {
		t.Errorf("got\n%s", data)
	}
}

func TestManyErrorsStayLinear(t *testing.T) {
	n := gauge.Cases(5_000, 50_000)
	_, err := Parse("f.yaml", []byte("version: 1\nstack:\n"+strings.Repeat("  - {mechanism: x}\n", n)))
	var list Errors
	if !errors.As(err, &list) || len(list) != n {
		t.Errorf("%d errors", len(list))
	}
}

func TestErrorsNeverPrintControls(t *testing.T) {
	_, err := Parse("f.yaml", []byte("version: 1\n\"\\e[2J\": 1\nstack: [{mechanism: \"\\a\"}]\n"))
	if err == nil || strings.ContainsAny(err.Error(), "\x1b\a") {
		t.Errorf("got %q", err)
	}
}

func TestLoadNamed(t *testing.T) {
	t.Chdir(t.TempDir())
	if s, err := LoadNamed("welcome", nil); err != nil || s.Path() != "" {
		t.Errorf("bundled: %v", err)
	}
	if err := os.WriteFile("welcome", []byte("version: 1\nname: mine\nstack: []\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if s, err := LoadNamed("welcome", nil); err != nil || s.Name != "mine" || s.Path() != "welcome" {
		t.Errorf("a path must win over a name: %v", err)
	}
	if s, err := LoadNamed("-", strings.NewReader("version: 1\nname: piped\nstack: []\n")); err != nil || s.Name != "piped" {
		t.Errorf("standard input: %v", err)
	}
	for name, want := range map[string]string{
		"welcom":     "welcom: no such file; did you mean the bundled scenario welcome?",
		"x/y/z.yaml": "x/y/z.yaml: no such file; epsiloscope scenarios list shows the bundled ones",
		".":          ".: is a directory",
	} {
		if _, err := LoadNamed(name, nil); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if _, err := Load(filepath.Join("no", "such")); err == nil || err.Error() != filepath.Join("no", "such")+": no such file" {
		t.Errorf("got %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(contractExample))
	f.Add([]byte(commented))
	f.Add([]byte("version: 1\nstack: [{mechanism: rdp, points: {2.0: 0.1}}, *x]\n"))
	f.Add([]byte("version: 1\nadjacency: zero-out\nstack:\n  - mechanism: pure\n    epsilon: 1\n    also: {add-remove: 5e-1} # its own\n  - {parallel: [[], []], moves: never}\n"))
	for _, b := range bundledFiles() {
		f.Add([]byte(b.source))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Parse("f.yaml", data)
		if err != nil {
			if text := err.Error(); text == "" || strings.ContainsAny(text, "\x00\x1b") {
				t.Fatalf("message %q", text)
			}
			return
		}
		out, err := s.Marshal()
		if err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		if string(out) != string(data) {
			t.Fatalf("writing an unchanged scenario changed it:\n%q\n%q", data, out)
		}
	})
}

// A formula counts in a file as it does in a form, and stays as it was written.
func TestFormulas(t *testing.T) {
	text := "version: 1\nbudget: {epsilon: 1, delta: 10^-6}\nstack:\n  - {mechanism: dp-sgd, noise_multiplier: 1.1, sampling_rate: 256/60000, steps: 60*234}\n"
	s, err := Parse("f.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	v := s.Stack[0].Values
	if v["sampling_rate"].Number != 256.0/60000 || v["steps"].Number != 14040 || s.Budget.Delta != 1e-6 {
		t.Errorf("read as %v, δ %v", v, s.Budget.Delta)
	}
	if err := s.Set("1.noise_multiplier", "2"); err != nil {
		t.Fatal(err)
	}
	if out, err := s.Marshal(); err != nil || !strings.Contains(string(out), "sampling_rate: 256/60000, steps: 60*234") {
		t.Errorf("written as %s, %v", out, err)
	}
}
