package chart

import (
	"context"
	"strings"
	"testing"

	"epsiloscope/scenarios"
)

// One curve per strategy, each rising from 0 towards 1, and the people for 50, 95 and 99.9 % in the notes: those of
// the recursion for ε/4 and 1−(1−δ)^¼ (ε 1, δ 5e-6, 4 groups).
func TestKept(t *testing.T) {
	s, err := scenarios.LoadBundled("group-by-report")
	if err != nil {
		t.Fatal(err)
	}
	c, err := KeepProbability.Build(context.Background(), s, Options{})
	if err != nil || len(c.Series) != 4 {
		t.Fatalf("%d curves, %v", len(c.Series), err)
	}
	if want := "50, 95 and 99.9 % from 47, 56 and 72 people"; !strings.Contains(c.Notes[0], want) {
		t.Errorf("no %q in %q", want, c.Notes[0])
	}
	for _, series := range c.Series {
		for i, y := range series.Y {
			if y < 0 || y > 1 || i > 0 && y < series.Y[i-1]-1e-12 {
				t.Fatalf("%s: %v people are shown with %v", series.Name, series.X[i], y)
			}
		}
	}
}

// At ε = 1 grr errs least of the oracles without subsets below 3e + 2 = 10.15 values, oue above.
func TestOracles(t *testing.T) {
	s, err := scenarios.LoadBundled("telemetry-oracles")
	if err != nil {
		t.Fatal(err)
	}
	c, err := Oracles.Build(context.Background(), s, Options{})
	if err != nil || len(c.Series) != 6 {
		t.Fatalf("%d curves, %v", len(c.Series), err)
	}
	for i, k := range c.Series[0].X {
		grr, oue := c.Series[0].Y[i], c.Series[1].Y[i]
		if (k < 10.15) != (grr < oue) {
			t.Errorf("%v values: grr %v, oue %v", k, grr, oue)
		}
	}
	if !strings.Contains(c.Notes[1], "10.1") {
		t.Error(c.Notes)
	}
}
