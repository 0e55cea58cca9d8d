package certificate

import (
	"encoding/json"
	"fmt"
	"math/big"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"epsiloscope/internal/gauge"
)

// Both checkers know the same kinds with the same numbers, in the same order, and every number is one of a release. A
// kind in PLAIN brings its sampled twin with it, which Go lists by itself.
func TestBothCheckersKnowTheSameKinds(t *testing.T) {
	for kind, names := range parameters {
		for _, name := range names {
			_ = Release{Kind: kind}.number(name) // panics if it is none
		}
	}
	python := gauge.Python("python3")
	if python == "" {
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

// A decimal that certify writes is rounded, sigma and z down and every other up. That may lower f at no x, in neither
// direction, while the other numbers stay: else a certificate would claim less than its releases cost.
func TestRoundedNumbersCostMore(t *testing.T) {
	read := func(r Release) (*pair, error) {
		in := &reader{}
		p := in.pair(&r)
		if p.table && in.err == nil {
			p.tabulate(remove)
			p.tabulate(insert)
		}
		return p, in.err
	}
	var points []*big.Float
	for l := -3.0; l <= 3; l += 1 / float64(gauge.Cases(2, 8)) {
		points = append(points, exp(newFloat().SetFloat64(l)))
	}
	values := func(p *pair) (list []*big.Float) {
		for _, x := range points {
			list = append(list, p.curve(remove, x), p.curve(insert, x))
		}
		return list
	}
	for _, s := range samples() {
		if s.releases[0].Kind == "finite" {
			continue // certify does not write it
		}
		original, err := read(s.releases[0])
		if err != nil {
			t.Fatal(err)
		}
		before := values(original)
		for _, name := range parameters[s.releases[0].Kind] {
			for _, factor := range []string{"1.001", "2"} {
				r := s.releases[0]
				value, by := rational(r.number(name)), rational(factor)
				if name == "sigma" || name == "z" {
					by.Inv(by)
				}
				changed := fmt.Sprintf("{%q: %q}", name, decimalText(value.Mul(value, by)))
				if err := json.Unmarshal([]byte(changed), &r); err != nil {
					t.Fatal(err)
				}
				after, err := read(r)
				if err != nil && strings.Contains(err.Error(), "whole number") {
					break // it is not rounded
				}
				if err != nil {
					t.Fatalf("%v: %v; let a sample have numbers that can be doubled, or halved", r, err)
				}
				for i, value := range values(after) {
					if fall := sub(before[i], value); fall.Cmp(pad) > 0 {
						t.Fatalf("%s: f(%.3g) falls by %.3g in the direction %s where %s is rounded to %s; choose another number, of which f is monotone",
							s.releases[0], points[i/2], fall, []direction{remove, insert}[i%2], name, r.number(name))
					}
				}
			}
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
