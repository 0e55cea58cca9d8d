package chart_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"epsiloscope/report/chart"
	"epsiloscope/scenarios"
)

// A million outputs at ε = 1 and t = 3 lose at most 2(ln 10⁶ + 3) = 33.63 points
// (Machanavajjhala, "utility depends on log |Outputs|"); ten thousand by the same scores
// written out agree with the worst case.
func TestUtilityOfANumberOfOutputs(t *testing.T) {
	s, err := scenarios.LoadBundled("exponential-million")
	if err != nil {
		t.Fatal(err)
	}
	c, err := chart.Utility.Build(context.Background(), s, chart.Options{})
	if err != nil || math.Abs(c.Marks[0].X-33.631) > 1e-3 {
		t.Fatalf("%+v, %v", c.Marks, err)
	}
	worst, theorem := c.Series[0], c.Series[1]
	for i := range worst.X {
		if worst.Y[i] > theorem.Y[i] {
			t.Errorf("at %v the worst case %v is above the theorem %v", worst.X[i], worst.Y[i], theorem.Y[i])
		}
	}
	listed, err := scenarios.Parse("test.yaml", []byte("version: 1\nbudget: {epsilon: 1, delta: 1e-6}\nstack: [{mechanism: exponential, epsilon: 1, sensitivity: 1, scores: [5, 0"+strings.Repeat(", 0", 98)+"]}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	exact, err := chart.Utility.Build(context.Background(), listed, chart.Options{})
	if err != nil {
		t.Fatal(err)
	}
	counted := listed.Clone()
	delete(counted.Stack[0].Values, "scores")
	if err := counted.Set("1.outputs", "100"); err != nil {
		t.Fatal(err)
	}
	c, err = chart.Utility.Build(context.Background(), counted, chart.Options{Points: 1001})
	if err != nil {
		t.Fatal(err)
	}
	for i, g := range c.Series[0].X {
		if math.Abs(g-5) < 0.02 && math.Abs(c.Series[0].Y[i]-exact.Series[0].Y[1]) > 0.01 {
			t.Errorf("at %v: %v, with the scores written out %v", g, c.Series[0].Y[i], exact.Series[0].Y[1])
		}
	}
}
