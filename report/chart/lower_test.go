package chart

import (
	"math"
	"slices"
	"strings"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
)

// The lower end of a wide interval is a curve of its own: below the numerical one, rounded down, never taken for
// the best bound. If the interval is narrow there is none.
func TestWideIntervalsShowTheirLowerEnd(t *testing.T) {
	for name, wide := range map[string]bool{"batches-shuffled": true, "laplace-count": false} {
		s, err := scenarios.LoadBundled(name)
		if err != nil {
			t.Fatal(err)
		}
		c, err := EpsilonK.Build(t.Context(), s, Options{Numerical: true, Points: 5, Precision: 1e-2, MaxK: 20})
		if err != nil {
			t.Fatal(err)
		}
		at := func(name string) int {
			return slices.IndexFunc(c.Series, func(s Series) bool { return s.Name == name })
		}
		lower := at(LowerEnd)
		if (lower >= 0) != wide {
			t.Fatalf("%s: wide %t, %d series", name, wide, len(c.Series))
		}
		if !wide {
			continue
		}
		upper, least, drawn := c.Series[at(string(accounting.Numerical))], 0, 0
		best, _ := c.LeastBounds()
		for i, y := range c.Series[lower].Y {
			if math.IsNaN(y) {
				continue
			}
			if drawn++; !(y < upper.Y[i]) {
				t.Errorf("%s: lower end %v, upper end %v", name, y, upper.Y[i])
			}
			if best[i] <= y {
				least++
			}
		}
		if drawn == 0 || least > 0 {
			t.Errorf("%s: %d points, %d taken for the best bound", name, drawn, least)
		}
		if a := c.ReadingAxis(lower); a.Upper || !a.Lower {
			t.Error("a lower end is rounded up")
		}
		if !strings.Contains(strings.Join(c.Notes, "\n"), "between the lower end and numerical") || c.WithLabels().Series[lower].Name != "lower end" {
			t.Errorf("it is not explained: %q", c.Notes)
		}
	}
}
