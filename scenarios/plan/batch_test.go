package plan

import (
	"context"
	"strings"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
)

// The smallest batch that costs less than a thousandth more; one record fewer costs more.
func TestPlanMaxBatch(t *testing.T) {
	text := "version: 1\nrecords: 2000\nbudget: {delta: 1e-5}\nstack:\n  - {mechanism: dp-sgd, noise_multiplier: 2, batch: 100, steps: 100}\n"
	s, err := scenarios.Parse("f.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	r, err := New().Plan(context.Background(), s, Request{Solve: "max_batch"})
	if err != nil || !r.Feasible {
		t.Fatal(r, err)
	}
	at := func(x float64) float64 {
		u, err := newUnknown(s, Request{Solve: "max_batch"})
		if err != nil {
			t.Fatal(err)
		}
		c, _ := u.scenarioAt(s, x)
		stack, err := scenarios.Stack(c)
		if err != nil {
			t.Fatal(err)
		}
		return accounting.Evaluate(context.Background(), accounting.Numerical, stack,
			accounting.Target{Delta: 1e-5, Precision: 1e-5}).Epsilon
	}
	plain := at(2000)
	if r.Value <= 100 || r.Value > 200 || at(r.Value) > plain*1.0012 || at(r.Value-5) < plain*1.0008 {
		t.Errorf("a batch of %v costs %v, five fewer %v, all %v", r.Value, at(r.Value), at(r.Value-5), plain)
	}
	if err := r.Apply(s); err != nil || s.Stack[0].Values["batches"].Text != "truncated" || s.Stack[0].Values["max_batch"].Number != r.Value {
		t.Errorf("applied as %v, %v", s.Stack[0].Values, err)
	}
	s.Records = 0
	if _, err := New().Plan(context.Background(), s, Request{Solve: "max_batch"}); err == nil ||
		!strings.Contains(err.Error(), "number of records") {
		t.Errorf("without the number of records: %v", err)
	}
}
