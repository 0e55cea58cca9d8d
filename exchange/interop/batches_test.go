package interop

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"epsiloscope/scenarios"
)

// Batches of fixed size and truncated ones go to dp_accounting and come back as what they were: their events name the
// sampling scheme.
func TestBatchesThereAndBack(t *testing.T) {
	for _, c := range []struct{ adjacency, batches, event string }{
		{"replace", "batches: fixed", "dpa.SelfComposedDpEvent(dpa.SampledWithoutReplacementDpEvent(10000, 100, dpa.GaussianDpEvent(0.6)), 50)"},
		{"add-remove", "batches: truncated, max_batch: 130", "dpa.SelfComposedDpEvent(dp_event.TruncatedSubsampledGaussianDpEvent(10000, 0.01, 130, 1.2), 50)"},
		{"replace", "batches: truncated, max_batch: 130", "dpa.SelfComposedDpEvent(dp_event.TruncatedSubsampledGaussianDpEvent(10000, 0.01, 130, 1.2), 50)"},
		{"add-remove", "batches: fixed", ""}, // dp_accounting samples without replacement under replace only
		{"replace", "batches: shuffled", ""}, {"zero-out", "batches: shuffled", ""}, {"add-remove", "batches: allocated", ""},
	} {
		text := fmt.Sprintf("version: 1\nadjacency: %s\nrecords: 10000\nbudget: {delta: 1e-5}\nstack:\n  - {mechanism: dp-sgd, noise_multiplier: 1.2, batch: 100, steps: 50, %s}\n", c.adjacency, c.batches)
		s, err := scenarios.Parse("", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		code, _, err := Export("dp-accounting", s)
		if c.event == "" {
			if err == nil {
				t.Errorf("%s, %s is exported as %s", c.adjacency, c.batches, code)
			}
			continue
		}
		if err != nil || !strings.Contains(string(code), c.event) {
			t.Errorf("%s, %s: %v\n%s", c.adjacency, c.batches, err, code)
			continue
		}
		back, err := Import("dp-accounting", code)
		if err != nil {
			t.Errorf("%s, %s does not come back: %v", c.adjacency, c.batches, err)
			continue
		}
		was, is := epsilonHere(t, s), epsilonHere(t, back.Scenario)
		if math.Abs(is-was) > 1e-9*was {
			t.Errorf("%s, %s: ε %v came back as %v", c.adjacency, c.batches, was, is)
		}
	}
}

// Noise over what a changed record moves is half of what is over one record's contribution: without the line that says
// so the smaller reading, which costs more, is taken.
func TestFixedBatchesByReading(t *testing.T) {
	event := "SampledWithoutReplacementDpEvent(10000, 100, GaussianDpEvent(1.2))"
	price := func(script string) float64 {
		rec, err := Import("dp-accounting", []byte(script))
		if err != nil {
			t.Fatal(err)
		}
		return epsilonHere(t, rec.Scenario)
	}
	plain := price(event + "\n")
	stated := price("reading = \"" + replaceReading + "\"\na = RdpAccountant(neighboring_relation=NeighboringRelation.REPLACE_ONE)\na.compose(" + event + ")\n")
	if !(plain > 1.5*stated) {
		t.Errorf("ε %v without the reading, %v with it", plain, stated)
	}
}

func epsilonHere(t *testing.T, s *scenarios.Scenario) float64 {
	t.Helper()
	r, err := scenarios.Evaluate(context.Background(), s, scenarios.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r.BestBound().Epsilon
}

// The state of the client's own accountant for Opacus is a history of Poisson steps, too.
func TestImportOwnAccountant(t *testing.T) {
	rec, err := Import("opacus", []byte(`{"history": [[1.1, 0.01, 1000]], "mechanism": "epsiloscope"}`))
	if err != nil {
		t.Fatal(err)
	}
	if e := rec.Scenario.Stack[0]; e.Mechanism != "dp-sgd" || e.Values["steps"].Number != 1000 {
		t.Errorf("%+v", e)
	}
}
