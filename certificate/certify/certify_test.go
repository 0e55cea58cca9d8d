package certify_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"epsiloscope/accounting"
	"epsiloscope/certificate"
	"epsiloscope/certificate/certify"
	"epsiloscope/internal/gauge"
	"epsiloscope/scenarios"
)

func parse(t testing.TB, text string) *scenarios.Scenario {
	t.Helper()
	s, err := scenarios.Parse("test", []byte("version: 1\n"+text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// number reads an end; an absent one is 0.
func number(text string) float64 {
	x, _ := strconv.ParseFloat(text, 64)
	return x
}

// contradiction says how a certificate and the numerical accountant exclude each other, or "". The accountant's
// interval is about the releases; a certificate's lower end is about the pairs, and claimed only if these are equal.
func contradiction(s *scenarios.Scenario, e certify.Expectation) string {
	b, err := scenarios.NewEvaluator().Bound(context.Background(), s, accounting.Numerical, 1e-4)
	if err != nil || !b.Finite() {
		return ""
	}
	if upper := number(e.Upper); upper < b.Lower*(1-1e-9)-1e-12 {
		return fmt.Sprintf("proved ε ≤ %v, the accountant's lower end is %v", upper, b.Lower)
	}
	if lower := number(e.Lower); lower > b.Epsilon*(1+1e-9)+1e-8 {
		return fmt.Sprintf("proved ε ≥ %v, the accountant's upper end is %v", lower, b.Epsilon)
	}
	return ""
}

// TestBundled certifies bundled scenarios of every kind and checks what is claimed: some of them by the Go checker, in
// the long form all of them by check.py. Of these at least 100 must have a certificate, each proved within a minute.
func TestBundled(t *testing.T) {
	quick := map[string]float64{ // relative width of the claimed interval, if there is one
		"welcome": 0, "adv-vs-basic-small": 1e-3, "bob-10000": 1e-6, "whole-number-tables": 1e-6, "survey-local": 1e-6, "spectus": 0,
		"sample-release": 1e-2, "gaussian-classic": 1e-2, "thresholdout": 1e-2, "correlated-queries": 0, "dp-sgd": 1e-3,
	}
	certified, refused := 0, 0
	for _, info := range scenarios.LibraryInfos() {
		width, inQuick := quick[info.Name]
		if !inQuick && !gauge.All() {
			continue
		}
		s, err := scenarios.LoadBundled(info.Name)
		if err != nil {
			t.Fatal(err)
		}
		c, e, err := certify.Make(context.Background(), s)
		var reason *certify.UnsupportedError
		if errors.As(err, &reason) && !inQuick {
			t.Logf("%s: %v", info.Name, err)
			refused++
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", info.Name, err)
			continue
		}
		if text := contradiction(s, e); text != "" {
			t.Errorf("%s: %s", info.Name, text)
		}
		if err := certify.CheckMatch(c, s); err != nil {
			t.Errorf("%s does not match its own certificate: %v", info.Name, err)
		}
		if upper, lower := number(e.Upper), number(e.Lower); inQuick && width > 0 && !(upper-lower <= width*upper) {
			t.Errorf("%s: claimed only %v to %v", info.Name, lower, upper)
		}
		line := checkWithPython(t, c)
		if line == "" && info.Name != "dp-sgd" { // which takes the Go checker a minute
			v, err := c.Check(context.Background())
			if line = v.Line; err != nil {
				t.Error(err)
			}
		}
		if line != "" && !strings.HasPrefix(line, "proved: ") {
			t.Errorf("%s: the check says %s", info.Name, line)
			continue
		}
		t.Logf("%s: %v", info.Name, e)
		certified++
	}
	if t.Logf("%d certified, %d refused", certified, refused); gauge.All() && certified < 100 {
		t.Errorf("only %d bundled scenarios are certified", certified)
	}
}

// checkWithPython returns the last line of check.py in the long form, "" without Python.
func checkWithPython(t *testing.T, c *certificate.Certificate) string {
	if !gauge.All() {
		return ""
	}
	python := gauge.Python("python3")
	if python == "" {
		return ""
	}
	dir := t.TempDir()
	data, err := c.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	program, file := filepath.Join(dir, "check.py"), filepath.Join(dir, "c.json")
	if err := errors.Join(os.WriteFile(program, certificate.Checker(), 0o644),
		os.WriteFile(file, data, 0o644)); err != nil {
		t.Fatal(err)
	}
	command := exec.Command(python, program, file)
	out, _ := command.CombinedOutput()
	if used := command.ProcessState.UserTime(); used > time.Minute {
		t.Errorf("%s: check.py takes %v", c.About.Scenario, used)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return lines[len(lines)-1]
}

// TestRefusals names what has no certificate, and why.
func TestRefusals(t *testing.T) {
	const byTable = "is a table that this program computes"
	training := func(adjacency, more string) string {
		return "adjacency: " + adjacency + "\nstack: [{mechanism: dp-sgd, noise_multiplier: 1, sampling_rate: 0.1, steps: 10, " + more + "}]"
	}
	for name, c := range map[string]struct{ stack, want string }{
		"zCDP":                   {"stack: [{mechanism: zcdp, rho: 0.1}]", "ρ-zCDP: cannot be certified: no dominating pair"},
		"Rényi":                  {"stack: [{mechanism: rdp, points: {2: 0.1}}]", "Rényi points: cannot be certified: no dominating pair"},
		"unequal block":          {"stack: [{parallel: [[{mechanism: laplace, epsilon: 0.1}], [{mechanism: gaussian, sigma: 9}]]}]", "parallel block: cannot be certified: its dominating pair " + byTable},
		"sampled group":          {"group: 2\nstack: [{mechanism: dp-sgd, noise_multiplier: 1, sampling_rate: 0.01, steps: 10}]", "mixes more normal distributions"},
		"sampled group, Laplace": {"group: 2\nstack: [{mechanism: laplace, epsilon: 1, sampling: {rate: 0.1}}]", byTable},
		"shuffle":                {"adjacency: replace\nstack: [{mechanism: shuffle, people: 1000, of: {mechanism: randomized-response, epsilon: 1, categories: 2}}]", "shuffled reports: cannot be certified: its dominating pair " + byTable},
		"allocated":              {training("zero-out", "batches: allocated"), "a pass over allocated batches: cannot be certified: its dominating pair " + byTable},
		"truncated":              {training("add-remove", "batches: truncated, max_batch: 200, records: 1000"), "a truncated batch: cannot be certified: its dominating pair is one of several"},
		"too little noise":       {"stack: [{mechanism: gaussian, sigma: 0.1}]", "σ/Δ must be from 0.3"},
		"too many":               {"stack: [{mechanism: laplace, epsilon: 0.1, count: 1e9}]", "at most 10,000,000"},
		"nothing":                {"stack: []", "nothing is released"},
		"Gaussian and δ = 0":     {"budget: {epsilon: 1, delta: 0}\nstack: [{mechanism: gaussian, sigma: 9}]", "delta must be above 0"},
		"all of δ stated":        {"stack: [{mechanism: approximate, epsilon: 1, delta: 5e-7, count: 2}]", "leave nothing of δ = 1e-6"},
	} {
		head := "budget: {epsilon: 1, delta: 1e-6}\n"
		if strings.Contains(c.stack, "budget") {
			head = ""
		}
		_, _, err := certify.Make(context.Background(), parse(t, head+c.stack))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// TestRefusalOfAFullDeltaHelps takes the advice of a refusal: with the δ that it names there is a certificate.
func TestRefusalOfAFullDeltaHelps(t *testing.T) {
	s := parse(t, "budget: {epsilon: 1, delta: 1e-5}\nstack: [{mechanism: approximate, epsilon: 0.4, delta: 1e-5}, {mechanism: laplace, epsilon: 0.1}]")
	_, _, err := certify.Make(context.Background(), s)
	if err == nil || !strings.Contains(err.Error(), "--delta 1.001e-5") {
		t.Fatal(err)
	}
	s.Budget.Delta = 1.001e-5
	c, e, err := certify.Make(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	if v, err := c.Check(context.Background()); err != nil || !v.Proved || number(v.Upper) > 1 || number(e.Upper) > 1 {
		t.Errorf("%v %v %v", v, e, err)
	}
}

// TestReplaceIsAnotherPair: DP-SGD under replace is certified as such, and costs more than under add-remove.
func TestReplaceIsAnotherPair(t *testing.T) {
	made := map[string]certify.Expectation{}
	for _, adjacency := range []string{"add-remove", "replace"} {
		s := parse(t, "adjacency: "+adjacency+"\nbudget: {epsilon: 1, delta: 1e-5}\nstack: [{mechanism: dp-sgd, noise_multiplier: 4, sampling_rate: 0.1, steps: 20}]")
		c, e, err := certify.Make(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		if want := map[string]string{"add-remove": "sampled_gaussian", "replace": "replaced_gaussian"}[adjacency]; c.Releases[0].Kind != want {
			t.Errorf("%s: certified as %s, want %s", adjacency, c.Releases[0].Kind, want)
		}
		if text := contradiction(s, e); text != "" {
			t.Errorf("%s: %s", adjacency, text)
		}
		made[adjacency] = e
	}
	if !(number(made["replace"].Lower) > number(made["add-remove"].Upper)) {
		t.Errorf("replace %v should exceed add-remove %v", made["replace"], made["add-remove"])
	}
}

// TestMatches plays a hurried author who quotes the certificate of another scenario.
func TestMatches(t *testing.T) {
	const base = "unit: person\nadjacency: add-remove\nbudget: {epsilon: 1, delta: 1e-6}\nrounds: 2\ngroup: 1\nstack: [{mechanism: laplace, epsilon: 0.1, count: 10, label: a}]"
	c, _, err := certify.Make(context.Background(), parse(t, base))
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range [][3]string{
		{"person\n", "person-day\n", "unit"}, {"adjacency: add-remove", "adjacency: replace", "adjacency"}, {"1e-6", "1e-5", "δ"},
		{"rounds: 2", "rounds: 1", "rounds"}, {"group: 1", "group: 2", "group"}, {"count: 10", "count: 20", "stack"},
		{"epsilon: 0.1,", "epsilon: 0.11,", "stack"}, {"laplace", "pure", "stack"},
		{"rounds: 2\ngroup: 1\nstack: [{mechanism: laplace, epsilon: 0.1, count: 10", "rounds: 1\ngroup: 1\nstack: [{mechanism: laplace, epsilon: 0.1, count: 20", "rounds"},
	} {
		other := strings.Replace(base, change[0], change[1], 1)
		if err := certify.CheckMatch(c, parse(t, other)); err == nil || !strings.Contains(err.Error(), change[2]) {
			t.Errorf("%s for %s: %v", change[1], change[0], err)
		}
	}
	// What no guarantee depends on may change.
	for _, change := range [][2]string{{"label: a", "label: b"}, {"epsilon: 1,", "epsilon: 2,"}} {
		if err := certify.CheckMatch(c, parse(t, strings.Replace(base, change[0], change[1], 1))); err != nil {
			t.Errorf("%s: %v", change[1], err)
		}
	}
	// A certificate whose list was edited, with the hash of the scenario left as it was.
	c.Releases[0].Count = "19"
	if err := certify.CheckMatch(c, parse(t, base)); err == nil {
		t.Error("a certificate with another count matches")
	}
}

// TestRandomStacks certifies random stacks and compares both ends with the numerical accountant's: a contradiction
// means that one of two independent programs is wrong. The soak has 300.
func TestRandomStacks(t *testing.T) {
	cases := gauge.Cases(3, 20)
	if gauge.Long() {
		cases = 300
	}
	gauge.Check(t, cases, func(r *rapid.T) {
		s := parse(t, randomStack(r))
		c, e, err := certify.Make(context.Background(), s)
		var refused *certify.UnsupportedError
		if errors.As(err, &refused) {
			return
		}
		if err != nil {
			r.Fatal(err)
		}
		if text := contradiction(s, e); text != "" {
			r.Fatal(text)
		}
		line := checkWithPython(t, c)
		if line == "" {
			v, err := c.Check(context.Background())
			if line = v.Line; err != nil {
				r.Fatal(err)
			}
		}
		if !strings.HasPrefix(line, "proved: ε ≤ ") {
			r.Fatal(line)
		}
	})
}

func randomStack(r *rapid.T) string {
	entries := []string{}
	for range rapid.IntRange(1, 3).Draw(r, "entries") {
		eps := math.Round(100*rapid.Float64Range(0.05, 1).Draw(r, "ε")) / 100
		sigma := math.Round(10*rapid.Float64Range(2, 20).Draw(r, "σ")) / 10
		count := rapid.IntRange(1, 60).Draw(r, "count")
		entries = append(entries, fmt.Sprintf(rapid.SampledFrom([]string{
			"{mechanism: laplace, epsilon: %[1]v, count: %[3]d}", "{mechanism: gaussian, sigma: %[2]v, count: %[3]d}",
			"{mechanism: pure, epsilon: %[1]v, count: %[3]d}", "{mechanism: approximate, epsilon: %[1]v, delta: 1e-9, count: %[3]d}",
			"{mechanism: discrete-gaussian, sigma: %[2]v, count: %[3]d}", "{mechanism: geometric, epsilon: %[1]v, sensitivity: 2, count: %[3]d}",
			"{mechanism: exponential, epsilon: %[1]v, count: %[3]d}", "{mechanism: randomized-response, epsilon: %[1]v, categories: 4, count: %[3]d}",
			"{mechanism: laplace, epsilon: %[1]v, count: %[3]d, sampling: {rate: 0.2}}",
			"{mechanism: dp-sgd, noise_multiplier: %[2]v, sampling_rate: 0.1, steps: %[3]d}",
		}).Draw(r, "mechanism"), eps, sigma, count))
	}
	return "budget: {epsilon: 1, delta: " + rapid.SampledFrom([]string{"1e-6", "1e-4", "1e-9"}).Draw(r, "δ") + "}\nstack: [" + strings.Join(entries, ", ") + "]"
}

// TestAtomsOfLossZero certifies atoms of loss 0 on a lattice that other releases chose. With an edge's very slope on
// the lattice, the check's rounding decided whether the edge was followed: it claimed 2.2175 and proved 2.0891.
func TestAtomsOfLossZero(t *testing.T) {
	s := parse(t, "adjacency: replace\nbudget: {epsilon: 1, delta: 1e-6}\nstack: [{mechanism: approximate, epsilon: 0.1, delta: 1e-9, count: 20}, "+
		"{mechanism: discrete-gaussian, sigma: 19.5, sensitivity: 1}, {mechanism: randomized-response, epsilon: 0.11, categories: 4, count: 33}]")
	c, _, err := certify.Make(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	v, err := c.Check(context.Background())
	if err != nil || !strings.HasPrefix(v.Line, "proved: ε ≤ ") {
		t.Errorf("%s %v", v.Line, err)
	}
}

// TestSelectionsHaveNoLowerEnd: a certificate names the Laplace noise that dominates report noisy max, and a lower end
// of the noise is none of the selection; thirty with two candidates cost at most 15.68, and ε ≥ 27.73 was claimed.
func TestSelectionsHaveNoLowerEnd(t *testing.T) {
	for _, noise := range []string{"laplace", "exponential"} {
		for _, entry := range []string{"count: 30", "count: 30, sampling: {rate: 0.5}"} {
			s := parse(t, "adjacency: add-remove\nbudget: {epsilon: 1, delta: 1e-6}\nstack: [{mechanism: noisy-max, epsilon: 1, sensitivity: 1, outputs: 2, noise: "+noise+", "+entry+"}]")
			_, e, err := certify.Make(context.Background(), s)
			var reason *certify.UnsupportedError
			if errors.As(err, &reason) && strings.Contains(entry, "sampling") {
				continue
			}
			if err != nil || e.Lower != "" || contradiction(s, e) != "" {
				t.Errorf("%s noise, %s: %v, %v", noise, entry, e, err)
			}
		}
	}
}

// TestLoneApproximate certifies one (ε, δ) guarantee at its own δ, of which the lists of losses leave nothing: exactly
// ε, both ways.
func TestLoneApproximate(t *testing.T) {
	s := parse(t, "budget: {epsilon: 1, delta: 1e-6}\nstack: [{mechanism: approximate, epsilon: 0.7, delta: 1e-6}]")
	c, e, err := certify.Make(context.Background(), s)
	if err != nil || e.Upper != "0.7" || e.Lower != "0.7" {
		t.Fatalf("%v %v", e, err)
	}
	if v, err := c.Check(context.Background()); err != nil || v.Line != "proved: ε ≤ 0.7 at δ = 1e-6 and ε ≥ 0.7" {
		t.Errorf("%v %v", v, err)
	}
	c.Upper, c.Lower = "0.69999999", "0"
	if v, err := c.Check(context.Background()); err != nil || v.Proved {
		t.Errorf("too small a claim: %v %v", v, err)
	}
}
