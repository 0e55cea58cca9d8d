package cli

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/cli/selfcheck"
	"epsiloscope/internal/gauge"
	"epsiloscope/scenarios"
)

// referenceFigures returns the reference figures of the project that the command line answers, as
// scenarios. They are the ones of the accountants' tests, to the last digit.
func referenceFigures(t *testing.T) (list []selfcheck.Figure) {
	t.Helper()
	type reference struct {
		ID        string
		Expected  any
		Tolerance float64 `json:"tolerance_rel"`
	}
	list = gauge.ReadFigures[[]selfcheck.Figure](t, "testdata/figures.json")
	all := gauge.ReadFigures[[]reference](t, "../accounting/testdata/figures.json")
	for _, f := range list {
		if !slices.Contains(all, reference{f.ID, f.Expected, f.Tolerance}) {
			t.Errorf("%s is not a reference figure", f.ID)
		}
	}
	return list
}

type comparison struct {
	Bounds []struct {
		Method, Status, Note string
		Epsilon              *float64
		Lower                float64 `json:"epsilon_lower"`
	}
}

// Every reference figure that is the ε of a stack, through the command line: as a
// file on standard input, answered in JSON.
func TestReferenceStacksOnTheCommandLine(t *testing.T) {
	asked := 0
	for _, f := range gauge.Some(3, referenceFigures(t)) {
		method := accounting.Method(f.Ask)
		if _, ok := accounting.TheoremOf(method); !ok {
			continue
		}
		asked++
		args := []string{"compare", "-", "-o", "json"}
		if method == accounting.Numerical {
			args = append(args, "--precision", fmt.Sprint(math.Min(1e-3, f.Tolerance)))
		}
		status, stdout, stderr := run(string(f.Scenario), args...)
		if status != statusDone {
			t.Errorf("%s: status %d: %s", f.ID, status, stderr)
			continue
		}
		var c comparison
		if err := json.Unmarshal([]byte(stdout), &c); err != nil {
			t.Fatal(err)
		}
		told := false
		for _, b := range c.Bounds {
			if b.Method != string(method) {
				continue
			}
			told = true
			switch {
			case b.Epsilon == nil:
				t.Errorf("%s: %s: %s", f.ID, b.Status, b.Note)
			case method == accounting.Numerical:
				if b.Lower > f.Expected*(1+1e-9) || *b.Epsilon < f.Expected*(1-1e-9) ||
					*b.Epsilon-b.Lower > 1.001*f.Tolerance*f.Expected {
					t.Errorf("%s: [%.12g, %.12g] for %.12g", f.ID, b.Lower, *b.Epsilon, f.Expected)
				}
			case math.Abs(*b.Epsilon-f.Expected) > f.Tolerance*f.Expected:
				t.Errorf("%s: %.17g, want %.17g", f.ID, *b.Epsilon, f.Expected)
			}
		}
		if !told {
			t.Errorf("%s: there is no column %s", f.ID, method)
		}
	}
	if asked < gauge.Cases(15, 50) {
		t.Errorf("only %d figures were asked", asked)
	}
}

// The calibrations of the Gaussian are plans for σ.
func TestReferenceCalibrationsOnTheCommandLine(t *testing.T) {
	for _, f := range referenceFigures(t) {
		if f.Ask != "sigma" {
			continue
		}
		s, err := scenarios.Parse(f.ID, f.Scenario)
		if err != nil {
			t.Fatal(err)
		}
		epsilon := s.Stack[0].Values["epsilon"].Number
		text := fmt.Sprintf("version: 1\nname: x\nstack: [{mechanism: gaussian, sigma: 1, sensitivity: %g}]\n", s.Stack[0].Values["sensitivity"].Number)
		status, stdout, stderr := run(text, "plan", "-", "--solve", "sigma", "--method", "gdp", "-o", "json",
			"--epsilon", fmt.Sprint(epsilon), "--delta", fmt.Sprint(s.Stack[0].Values["delta"].Number))
		var p struct {
			Value    float64
			Achieved struct{ Epsilon float64 }
		}
		if err := json.Unmarshal([]byte(stdout), &p); status != statusDone || err != nil {
			t.Errorf("%s: status %d: %s", f.ID, status, stderr)
			continue
		}
		if p.Value < f.Expected*(1-f.Tolerance) || p.Value > f.Expected*(1+1e-6) || p.Achieved.Epsilon > epsilon {
			t.Errorf("%s: σ = %.15g at ε = %.15g, want %.15g", f.ID, p.Value, p.Achieved.Epsilon, f.Expected)
		}
	}
}

// The Rényi curves are in curve renyi, at a pinned order.
func TestReferenceRenyiCurvesOnTheCommandLine(t *testing.T) {
	for _, f := range referenceFigures(t) {
		if f.Ask != "renyi" {
			continue
		}
		status, stdout, stderr := run(string(f.Scenario), "curve", "-", "renyi", "-o", "json", "--points", "3", "--alpha", fmt.Sprint(f.At))
		var c struct{ Series []struct{ X, Y []float64 } }
		if err := json.Unmarshal([]byte(stdout), &c); status != statusDone || err != nil {
			t.Errorf("%s: status %d: %s", f.ID, status, stderr)
			continue
		}
		found := false
		for i, alpha := range c.Series[0].X {
			if alpha == f.At {
				found = true
				if got := c.Series[0].Y[i]; math.Abs(got-f.Expected) > f.Tolerance*f.Expected {
					t.Errorf("%s: %.17g, want %.17g", f.ID, got, f.Expected)
				}
			}
		}
		if !found {
			t.Errorf("%s: the pinned order is not on the curve", f.ID)
		}
	}
}

// Where the stated δ's alone exceed δ there is no finite ε: null, and a reason
// (reference figure kov-eps-e0.1-k100-d01e-08-d5e-07).
func TestNoFiniteEpsilonIsSaidOnTheCommandLine(t *testing.T) {
	text := "version: 1\nname: x\nbudget: {epsilon: 1, delta: 5e-7}\nstack: [{mechanism: approximate, epsilon: 0.1, delta: 1e-8, count: 100}]\n"
	status, stdout, stderr := run(text, "compare", "-", "-o", "json")
	var c comparison
	if err := json.Unmarshal([]byte(stdout), &c); status != statusDone || err != nil {
		t.Fatalf("status %d: %s", status, stderr)
	}
	for _, b := range c.Bounds {
		if b.Method == "optimal" && (b.Epsilon != nil || b.Status != "vacuous" || b.Note == "") {
			t.Errorf("optimal: %+v", b)
		}
	}
}
