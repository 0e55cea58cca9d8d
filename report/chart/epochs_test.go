package chart

import (
	"context"
	"math"
	"strings"
	"testing"

	"epsiloscope/internal/samples"
	"epsiloscope/scenarios"
)

// The curve goes through what the training costs, and at another number of epochs through
// what a training of so many costs.
func TestEpochsChart(t *testing.T) {
	for _, c := range []struct {
		fields, unit string
		now          float64
	}{
		{"batch: 100, epochs: 10", "epochs", 10},
		{"batch: 100, epochs: 10, batches: shuffled", "epochs", 10},
		{"sampling_rate: 0.01, steps: 1000", "epochs", 10},
		{"sampling_rate: 0.01, steps: 1001", "epochs", 10.01}, // not the figure of eleven hundred steps, nor of a thousand
		{"sampling_rate: 0.01, steps: 150", "steps", 150},
		{"batch: 100, epochs: 2.5", "steps", 250},
	} {
		s := samples.Training(c.fields)
		drawn, err := Epochs.Build(context.Background(), s, Options{Points: 12})
		if err != nil || drawn.X.Label != c.unit || drawn.Read != c.now {
			t.Fatalf("%s: against %q, now %v, %v", c.fields, drawn.X.Label, drawn.Read, err)
		}
		r, err := scenarios.Evaluate(context.Background(), s, scenarios.Options{ClosedFormsOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, series := range drawn.Series {
			for _, b := range r.Bounds {
				if string(b.Method) != series.Name {
					continue
				}
				for i, x := range series.X {
					if x == c.now && math.Abs(series.Y[i]-b.Epsilon) > 1e-9*b.Epsilon {
						t.Errorf("%s, %s: %v on the curve, %v in the table", c.fields, series.Name, series.Y[i], b.Epsilon)
					}
				}
			}
		}
	}
	if _, err := Epochs.Build(context.Background(), samples.Pure(1, 1, 0), Options{}); err == nil ||
		!strings.Contains(err.Error(), "no entry trains on batches") {
		t.Errorf("%v", err)
	}
}
