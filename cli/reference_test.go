package cli

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/cli/selfcheck"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
)

// referenceFigures are all the reference figures of the project.
func referenceFigures(t *testing.T) []selfcheck.Figure {
	t.Helper()
	data, err := os.ReadFile("../accounting/testdata/figures.json")
	if err != nil {
		t.Fatal(err)
	}
	var raw []json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		t.Fatal(err)
	}
	var list []selfcheck.Figure
	for _, r := range raw {
		var head struct{ Expected any }
		if err := json.Unmarshal(r, &head); err != nil {
			t.Fatal(err)
		}
		if head.Expected == "inf" {
			continue // asked by TestNoFiniteEpsilonIsSaidOnTheCommandLine
		}
		var f selfcheck.Figure
		if err := json.Unmarshal(r, &f); err != nil {
			t.Fatal(err)
		}
		list = append(list, f)
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
	for _, f := range referenceFigures(t) {
		s, method, ok := f.Scenario()
		if !ok || f.Quantity != "eps" || f.Params["direction"] == "add" { // the program reports the worse direction
			continue
		}
		asked++
		text, err := s.Marshal()
		if err != nil {
			t.Errorf("%s: %v", f.ID, err)
			continue
		}
		args := []string{"compare", "-", "-o", "json"}
		if method == accounting.Numerical {
			args = append(args, "--precision", fmt.Sprint(math.Min(1e-3, f.Tolerance)))
		}
		status, stdout, stderr := run(string(text), args...)
		if status != statusDone {
			t.Errorf("%s: status %d: %s", f.ID, status, stderr)
			continue
		}
		var c comparison
		if err := json.Unmarshal([]byte(stdout), &c); err != nil {
			t.Fatal(err)
		}
		for _, b := range c.Bounds {
			if b.Method != string(method) {
				continue
			}
			switch {
			case b.Epsilon == nil:
				t.Errorf("%s: %s: %s", f.ID, b.Status, b.Note)
			case method == accounting.Numerical:
				if b.Lower > f.Expected*(1+1e-9) || *b.Epsilon < f.Expected*(1-1e-9) || *b.Epsilon-b.Lower > 1.001*f.Tolerance*f.Expected {
					t.Errorf("%s: [%.12g, %.12g] for %.12g", f.ID, b.Lower, *b.Epsilon, f.Expected)
				}
			case math.Abs(*b.Epsilon-f.Expected) > f.Tolerance*f.Expected:
				t.Errorf("%s: %.17g, want %.17g", f.ID, *b.Epsilon, f.Expected)
			}
		}
	}
	if asked < 50 {
		t.Errorf("only %d figures were asked", asked)
	}
}

// The calibrations of the Gaussian are plans for σ.
func TestReferenceCalibrationsOnTheCommandLine(t *testing.T) {
	for _, f := range referenceFigures(t) {
		if f.Kind != "gaussian_sigma_analytic" {
			continue
		}
		sensitivity, _ := f.Params["sensitivity"].(float64)
		text := fmt.Sprintf("version: 1\nname: x\nstack: [{mechanism: gaussian, sigma: 1, sensitivity: %g}]\n", sensitivity)
		status, stdout, stderr := run(text, "plan", "-", "--solve", "sigma", "--method", "gdp", "-o", "json",
			"--epsilon", fmt.Sprint(f.Epsilon), "--delta", fmt.Sprint(f.Delta))
		var p struct {
			Value    float64
			Achieved struct{ Epsilon float64 }
		}
		if err := json.Unmarshal([]byte(stdout), &p); status != statusDone || err != nil {
			t.Errorf("%s: status %d: %s", f.ID, status, stderr)
			continue
		}
		if p.Value < f.Expected*(1-f.Tolerance) || p.Value > f.Expected*(1+1e-6) || p.Achieved.Epsilon > f.Epsilon {
			t.Errorf("%s: σ = %.15g at ε = %.15g, want %.15g", f.ID, p.Value, p.Achieved.Epsilon, f.Expected)
		}
	}
}

// The Rényi curves are in curve renyi, at a pinned order.
func TestReferenceRenyiCurvesOnTheCommandLine(t *testing.T) {
	stacks := map[string]func(selfcheck.Params) (string, param.Values){
		"laplace_rdp": func(p selfcheck.Params) (string, param.Values) {
			return "laplace", param.Values{"scale": number(p["scale"])}
		},
		"gaussian_rdp": func(p selfcheck.Params) (string, param.Values) {
			return "gaussian", param.Values{"sigma": number(p["sigma"]), "sensitivity": number(p["sensitivity"])}
		},
		"pure_dp_rdp": func(p selfcheck.Params) (string, param.Values) {
			return "pure", param.Values{"epsilon": number(p["eps0"])}
		},
		"subsampled_gaussian_rdp": func(p selfcheck.Params) (string, param.Values) {
			return "dp-sgd", param.Values{"noise_multiplier": number(p["sigma"]), "sampling_rate": number(p["q"]), "steps": param.WholeValue(1)}
		},
	}
	for _, f := range referenceFigures(t) {
		stack, ok := stacks[f.Kind]
		if !ok || f.Alpha <= 1 || f.Params["direction"] == "add" {
			continue
		}
		s := scenarios.New()
		s.Name = f.ID
		kind, values := stack(f.Params)
		s.Stack = []scenarios.Entry{{Mechanism: kind, Values: values, Count: 1, Sampling: 1}}
		text, err := s.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		status, stdout, stderr := run(string(text), "curve", "-", "renyi", "-o", "json", "--points", "3", "--alpha", fmt.Sprint(f.Alpha))
		var c struct{ Series []struct{ X, Y []float64 } }
		if err := json.Unmarshal([]byte(stdout), &c); status != statusDone || err != nil {
			t.Errorf("%s: status %d: %s", f.ID, status, stderr)
			continue
		}
		found := false
		for i, alpha := range c.Series[0].X {
			if alpha == f.Alpha {
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

func number(v any) param.Value {
	x, _ := v.(float64)
	return param.NumberValue(x)
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
