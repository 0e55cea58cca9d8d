package certificate

import (
	"encoding/json"
	"os/exec"
	"slices"
	"testing"
)

// Both checkers know the same kinds with the same numbers, in the same order, and every number is one of a release. A
// kind in PLAIN brings its sampled twin with it, which Go lists by itself.
func TestBothCheckersKnowTheSameKinds(t *testing.T) {
	for kind, names := range parameters {
		for _, name := range names {
			_ = Release{Kind: kind}.number(name) // panics if it is none
		}
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no Python here: the checker in Python was not tested")
	}
	cmd := exec.Command(python, "-c", "import json, runpy; print(json.dumps(runpy.run_path('check.py')['KINDS']))")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var kinds map[string][]string
	if err := json.Unmarshal(out, &kinds); err != nil {
		t.Fatal(err)
	}
	for kind, names := range parameters {
		if !slices.Equal(kinds[kind], names) {
			t.Errorf("%s: Go reads %q, check.py %q", kind, names, kinds[kind])
		}
	}
	for kind, names := range kinds {
		if parameters[kind] == nil {
			t.Errorf("%s %q is in check.py only", kind, names)
		}
	}
}

// A release is printed with all of its numbers.
func TestReleaseHasAllItsNumbers(t *testing.T) {
	for want, r := range map[string]Release{
		"3 x sampled_approx (q 0.1, eps 0.5, delta 1e-6)": {Kind: "sampled_approx", Count: "3", Q: "0.1", Epsilon: "0.5", Delta: "1e-6"},
		"2 x finite (within 0, rest 0, outcomes 2)": {Kind: "finite", Count: "2", Within: "0", Rest: "0",
			Outcomes: [][2]string{{"0.5", "0.25"}, {"0.5", "0.75"}}},
	} {
		if got := r.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
