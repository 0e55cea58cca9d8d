package labs

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
)

// unattacked are the labs that look at accuracy only and compare no two neighbours.
var unattacked = map[string]bool{"dp-sgd": true, "running-sums": true, "stopping-early": true}

// dataUnattacked is the only lab with data that keeps no attack: it is one entry of the mechanism that it runs. Of any
// other, nothing would hold the cost against what is published.
const dataUnattacked = "dp-sgd"

// uncovered returns the first attack of a run that its cost does not cover, by the best bound at the δ that the attack
// reached, five standard deviations less if that was sampled.
func uncovered(ctx context.Context, t *testing.T, out *Outcome) *Leak {
	t.Helper()
	for _, l := range out.Leaks {
		delta := l.Delta - 5*l.Deviation
		if delta <= 0 {
			continue
		}
		if len(out.Stack) == 0 {
			return &l
		}
		s, err := out.Scenario()
		if err != nil {
			t.Fatal(err)
		}
		s.Budget.Delta = delta
		r, err := scenarios.Evaluate(ctx, s, scenarios.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if b := r.BestBound(); !(b.Epsilon >= l.Epsilon) {
			return &l
		}
	}
	return nil
}

// A lab whose own attack beats its cost charges too little. If no ε covers what it ran, it says so and has no scenario.
func TestCostCoversWhatTheLabMeasures(t *testing.T) {
	ctx := sharedAccountant()
	cases := map[string][]param.Values{"exponential": {}, "composition": {}, "adaptive-gaussian": {
		quick["adaptive-gaussian"],
		{"trials": param.WholeValue(10), "final": param.ChoiceValue(exactFinal)},
	}}
	for _, name := range exampleNames() {
		cases["exponential"] = append(cases["exponential"], param.Values{"example": param.ChoiceValue(name), "samples": param.WholeValue(500)})
	}
	for _, kind := range []string{"laplace", "randomized-response", "gaussian"} {
		cases["composition"] = append(cases["composition"], param.Values{"mechanism": param.ChoiceValue(kind), "samples": param.WholeValue(2000)})
	}
	for _, lab := range All() {
		values := cases[lab.Name]
		if values == nil {
			values = []param.Values{nil} // as firstRun has them
		}
		for _, v := range values {
			run := firstRun
			if v != nil {
				run = func(name string) (*Outcome, error) { return Run(ctx, name, Options{Seed: 1, Values: v}) }
			}
			out, err := run(lab.Name)
			if err != nil {
				t.Fatal(err)
			}
			hasData := noData[lab.Name] == ""
			switch {
			case len(out.Leaks) == 0 && hasData && lab.Name != dataUnattacked:
				t.Errorf("%s keeps no attack: compare what it publishes on two neighbours, and add by how much an event differs (addLeak)", lab.Name)
			case (len(out.Leaks) == 0) != unattacked[lab.Name]:
				t.Errorf("%s: %d attacks; list it in unattacked if and only if it compares no two neighbours", lab.Name, len(out.Leaks))
			}
			for _, l := range out.Leaks {
				if !(l.Delta > 0 && l.Delta < 1 && l.Epsilon >= 0) {
					t.Errorf("%s: %+v", lab.Name, l)
				}
			}
			if l := uncovered(ctx, t, out); (l != nil) != (out.NoGuarantee != "") {
				t.Errorf("%s %v: guarantee refused for %q, and the attack that the cost does not cover is %+v", lab.Name, v, out.NoGuarantee, l)
			}
		}
	}
}

// Attacker: a reader who takes the cost printed under a run for its cost.
func TestRunWithoutGuaranteeHasNoPrice(t *testing.T) {
	for lab, values := range map[string]param.Values{
		"exponential":    {"example": param.ChoiceValue("from-data"), "samples": param.WholeValue(500)},
		"natural-filter": {"samples": param.WholeValue(500)},
		// The slide's version: the average of the picked blocks without noise.
		"adaptive-gaussian": {"final": param.ChoiceValue(exactFinal), "trials": param.WholeValue(10)},
	} {
		out, err := Run(context.Background(), lab, Options{Seed: 1, Values: values})
		if err != nil {
			t.Fatal(err)
		}
		var none ErrNoGuarantee
		if s, err := out.Scenario(); s != nil || !errors.As(err, &none) || none.Reason == "" || len(out.Stack) > 0 {
			t.Errorf("%s: a run without a guarantee gives the scenario %v, %v", lab, s, err)
		}
		for _, format := range []string{"table", "markdown", "json"} {
			var text strings.Builder
			if err := out.Sheet().Write(&text, format); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(text.String(), "ε = 0.99") ||
				!strings.Contains(text.String(), out.NoGuarantee) && format != "json" ||
				strings.Contains(text.String(), " by basic") {
				t.Errorf("%s as %s:\n%s", lab, format, &text)
			}
		}
	}
}

// The entries of a run are the mechanisms it drew from, under the adjacency of its deck.
func TestEntriesAreWhatWasRun(t *testing.T) {
	number := func(e scenarios.Entry, name string) float64 { return e.Values[name].Number }
	for _, c := range []struct {
		lab       string
		values    param.Values
		adjacency mechanisms.Adjacency
		check     func(o *Outcome) bool
	}{
		{"laplace-vs-exponential", param.Values{"epsilon": param.NumberValue(0.5), "sensitivity": param.NumberValue(3)}, mechanisms.Replace,
			func(o *Outcome) bool {
				e := o.Stack[0] // drawn: Lap(2Δ/ε) with mean |x| 2Δ/ε = 12
				return e.Mechanism == "exponential" && math.Abs(o.Figures[2].Value/(2*number(e, "sensitivity")/number(e, "epsilon"))-1) < 0.05
			}},
		{"median", param.Values{"queries": param.WholeValue(100), "rows": param.WholeValue(1000)}, mechanisms.Replace,
			func(o *Outcome) bool {
				return number(o.Stack[0], "sensitivity") == 1/(1000*0.1) && number(o.Stack[1], "sensitivity") == 1/1000.0
			}},
		{"generalization", param.Values{"n": param.WholeValue(100), "tau": param.NumberValue(0.01), "trials": param.WholeValue(10)},
			mechanisms.Replace, func(o *Outcome) bool {
				// the theorem allows no ε: the run took τ
				return o.Stack[0].Mechanism == "exponential" && number(o.Stack[0], "epsilon") == 0.01 && number(o.Stack[0], "sensitivity") == 0.01
			}},
		{"exponential", param.Values{"example": param.ChoiceValue("nationality")}, mechanisms.Replace, func(o *Outcome) bool { return number(o.Stack[0], "epsilon") == 1 }},
		{"exponential", param.Values{"example": param.ChoiceValue("price-machanavajjhala")}, mechanisms.Replace, func(o *Outcome) bool { return number(o.Stack[0], "sensitivity") == 402 }},
		{"exponential", nil, mechanisms.AddRemove, func(o *Outcome) bool { return strings.Contains(o.settings(), "epsilon = 0.1 ·") }},
		{"adaptive-gaussian", quick["adaptive-gaussian"], mechanisms.Replace, func(o *Outcome) bool {
			return number(o.Stack[0], "sensitivity") == 6.0/7 && // 2·3/⌊ln 2000⌋
				number(o.Stack[1], "sensitivity") == 6.0/7/16 // ⌊√(2000/7)⌋ blocks are averaged
		}},
		{"shuffled-batches", quick["shuffled-batches"], mechanisms.ZeroOut, func(o *Outcome) bool { return o.Stack[0].Values["batches"].Text == "shuffled" }},
	} {
		out, err := Run(context.Background(), c.lab, Options{Seed: 1, Values: c.values})
		if err != nil {
			t.Fatal(err)
		}
		s, err := out.Scenario()
		if err != nil || s.Adjacency != c.adjacency || s.Unit == "" || !c.check(out) {
			t.Errorf("%s: %v, %s, %+v", c.lab, err, s.Adjacency, out.Stack)
		}
	}
}
