package report

import (
	"context"
	"math"
	"strings"
	"testing"

	"epsiloscope/scenarios"
)

func trainingOf(t *testing.T, fields string) *scenarios.Scenario {
	t.Helper()
	s, err := scenarios.Parse("", []byte("version: 1\nadjacency: zero-out\nrecords: 10000\nbudget: {delta: 1e-6}\nstack:\n  - {mechanism: dp-sgd, noise_multiplier: 1, "+fields+"}\n"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

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
		{"sampling_rate: 0.01, steps: 150", "steps", 150},
		{"batch: 100, epochs: 2.5", "steps", 250},
	} {
		s := trainingOf(t, c.fields)
		chart, err := Epochs(context.Background(), s, ChartOptions{Points: 12})
		if err != nil || chart.X.Label != c.unit || chart.Read != c.now {
			t.Fatalf("%s: against %q, now %v, %v", c.fields, chart.X.Label, chart.Read, err)
		}
		r, err := scenarios.Evaluate(context.Background(), s, scenarios.Options{Closed: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, series := range chart.Series {
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
	if _, err := Epochs(context.Background(), pureOf(1, 1, 0), ChartOptions{}); err == nil || !strings.Contains(err.Error(), "trains on no batches") {
		t.Errorf("%v", err)
	}
}

func TestCourseInWords(t *testing.T) {
	s := trainingOf(t, "batch: 100, epochs: 10")
	e := s.Stack[0]
	want := "batches of 100, 100 steps an epoch, 1000 in 10 epochs; each coordinate of an average gradient has noise of 0.01000 clipping norms"
	if got := CourseOf(s, e.Mechanism, e.Values); got != want {
		t.Errorf("%q", got)
	}
	s.Records = 0
	if got := CourseOf(s, e.Mechanism, e.Values); got != "" {
		t.Errorf("a batch of unknown records: %q", got)
	}
}

// One band is independent noise; as many bands as an epoch has steps gain nothing by
// sampling, and between them amplification never hurts.
func TestBandsAgainstAmplification(t *testing.T) {
	c, err := Bands(context.Background(), trainingOf(t, "batch: 100, epochs: 10"), ChartOptions{})
	if err != nil {
		t.Fatal(err)
	}
	amplified, plain := c.Series[0], c.Series[1]
	if want := math.Sqrt(1001.0 / 2); math.Abs(amplified.Y[0]-want) > 1e-3*want {
		t.Errorf("one band: %v, independent noise has %v", amplified.Y[0], want)
	}
	last := len(amplified.X) - 1
	if amplified.X[last] != 100 || math.Abs(amplified.Y[last]-plain.Y[last]) > 1e-3*plain.Y[last] {
		t.Errorf("%v bands: %v amplified, %v without", amplified.X[last], amplified.Y[last], plain.Y[last])
	}
	for i := range amplified.X {
		if amplified.Y[i] > plain.Y[i]*(1+1e-3) {
			t.Errorf("%v bands: %v amplified, %v without", amplified.X[i], amplified.Y[i], plain.Y[i])
		}
	}
	if _, err := Bands(context.Background(), trainingOf(t, "batch: 100, epochs: 10, batches: shuffled"), ChartOptions{}); err == nil {
		t.Error("shuffled batches are amplified")
	}
}
