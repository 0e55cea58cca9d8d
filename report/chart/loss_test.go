package chart_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/accounting/special"
	"epsiloscope/report/chart"
	"epsiloscope/scenarios"
)

func lossChart(t *testing.T, stack string) (chart.Chart, *scenarios.Scenario) {
	t.Helper()
	s, err := scenarios.Parse("test.yaml", []byte("version: 1\nbudget: {epsilon: 1, delta: 1e-5}\nstack: ["+stack+"]\n"))
	if err != nil {
		t.Fatal(err)
	}
	c, err := chart.Loss.Build(context.Background(), s, chart.Options{Numerical: true})
	if err != nil {
		t.Fatal(err)
	}
	return c, s
}

// area returns the integral of a series; gaps count as 0.
func area(s chart.Series) float64 {
	sum := 0.0
	for i := 1; i < len(s.X); i++ {
		if a, b := s.Y[i-1], s.Y[i]; !math.IsNaN(a) && !math.IsNaN(b) {
			sum += (a + b) / 2 * (s.X[i] - s.X[i-1])
		}
	}
	return sum
}

// The loss of Gaussian noise is N(±μ²/2, μ²), on D and on D′.
func TestLossOfGaussians(t *testing.T) {
	c, _ := lossChart(t, "{mechanism: gaussian, sigma: 10, count: 10}, {mechanism: gaussian, sigma: 5}")
	mu := math.Sqrt(10/100. + 1/25.)
	for i, mean := range []float64{mu * mu / 2, -mu * mu / 2} {
		for k, x := range c.Series[i].X {
			z := (x - mean) / mu
			if want := special.NormalPDF(z) / mu; math.Abs(z) < 4 && math.Abs(c.Series[i].Y[k]/want-1) > 2e-3 {
				t.Fatalf("%s at %v: density %v, want %v", c.Series[i].Name, x, c.Series[i].Y[k], want)
			}
		}
	}
}

// Whatever the mechanism: both densities hold 1, and the part beyond ε is the δ that was
// asked for, as the numerical accountant certifies ε there on its own.
func TestLossAreas(t *testing.T) {
	for _, stack := range []string{
		"{mechanism: gaussian, sigma: 4}",
		"{mechanism: laplace, epsilon: 0.1, count: 100}",
		"{mechanism: laplace, epsilon: 0.3, count: 8}, {mechanism: gaussian, sigma: 3}",
		"{mechanism: pure, epsilon: 0.05, count: 200}",
		"{mechanism: pure, epsilon: 0.0005, count: 1000000}", // too small for the grid: normal in sum
		"{mechanism: dp-sgd, noise_multiplier: 1.1, sampling_rate: 0.01, steps: 1000}",
		"{mechanism: exponential, epsilon: 0.2, outputs: 10, count: 40}",
	} {
		c, s := lossChart(t, stack)
		for _, d := range c.Series[:2] {
			if got := area(d); math.Abs(got-1) > 0.01 {
				t.Errorf("%s: the density %s holds %v", stack, d.Name, got)
			}
		}
		entries, err := scenarios.Stack(s)
		if err != nil {
			t.Fatal(err)
		}
		lower, upper, err := accounting.DeltaAt(context.Background(), entries, c.Marks[0].X, 1e-3)
		if err != nil {
			t.Fatal(err)
		}
		if got := area(c.Series[2]); got < 0.8*lower || got > 1.25*upper {
			t.Errorf("%s: %v lies beyond ε, certified %v to %v", stack, got, lower, upper)
		}
	}
}

// The figure that the slide on (ε, δ) and the loss is corrected with.
func TestLossNotes(t *testing.T) {
	s, err := scenarios.LoadBundled("privacy-loss")
	if err != nil {
		t.Fatal(err)
	}
	c, err := chart.Loss.Build(context.Background(), s, chart.Options{Numerical: true})
	if err != nil || !strings.Contains(strings.Join(c.Notes, "\n"), "with probability 1.6") {
		t.Errorf("%q, %v", c.Notes, err)
	}
	c, _ = lossChart(t, "{mechanism: laplace, epsilon: 0.5}")
	if !strings.Contains(strings.Join(c.Notes, "\n"), "with probability 0") || len(c.Series[2].X) != 0 {
		t.Errorf("a pure loss exceeds its ε: %q", c.Notes)
	}
	if c.Y.Min < 1e-3 { // its density is nowhere below 0.1
		t.Errorf("the axis begins at %g, and most of the chart is empty", c.Y.Min)
	}
}

// Of a stated ρ the loss is not known, and of a stated δ it may be infinite: the chart says so.
func TestLossNeedsAPair(t *testing.T) {
	for entry, want := range map[string]string{
		"{mechanism: zcdp, rho: 0.1}":                         "only a bound on its loss is known",
		"{mechanism: approximate, epsilon: 0.1, delta: 1e-6}": "its loss may be infinite, and then there is no curve to draw",
	} {
		s, err := scenarios.Parse("test.yaml", []byte("version: 1\nbudget: {epsilon: 1, delta: 1e-5}\nstack: ["+entry+"]\n"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := chart.Loss.Build(context.Background(), s, chart.Options{}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("got %v", err)
		}
	}
}

// Next to the largest loss, where the noise that smooths a density is much wider than the loss, there is a gap and no
// density of 1e169: none is above 40 divided by the step, as fast as a density may change.
func TestNoDensityIsHuge(t *testing.T) {
	for _, name := range []string{"harm-error-rates", "top-k-selection"} {
		s, err := scenarios.LoadBundled(name)
		if err != nil {
			t.Fatal(err)
		}
		c, err := chart.Loss.Build(t.Context(), s, chart.Options{Numerical: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range c.Series[:2] {
			for i, y := range line.Y {
				if y > 40/(line.X[1]-line.X[0]) {
					t.Errorf("%s, %s: %v at %v", name, line.Name, y, line.X[i])
				}
			}
		}
	}
}
