package chart

import (
	"math"
	"testing"

	"epsiloscope/internal/samples"
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

// A loss with few values is drawn value by value, with masses that add up to one, and categories are all as wide.
func TestDiscreteIsDrawnDiscrete(t *testing.T) {
	// from −8 to 8 in steps of 1: twelve answers of ±½, one of five choices of ±2 or 0
	for name, values := range map[string]int{"coin-survey": 2, "survey-local": 17} {
		s, err := scenarios.LoadBundled(name)
		if err != nil {
			t.Fatal(err)
		}
		c := build(t, "loss", s, Options{Numerical: true})
		for _, one := range c.Series {
			sum := 0.0
			for _, y := range one.Y {
				sum += y
			}
			if !one.Stems || len(one.X) != values || math.Abs(sum-1) > 1e-9 {
				t.Fatalf("%s, %s: %d values of mass %g", name, one.Name, len(one.X), sum)
			}
		}
		here, there := c.Series[0], c.Series[1]
		for i, l := range here.X { // the loss is the logarithm of the ratio
			if math.Abs(math.Log(here.Y[i]/there.Y[i])-l) > 1e-9 {
				t.Errorf("%s: %g on D and %g on D′ at a loss of %g", name, here.Y[i], there.Y[i], l)
			}
		}
		if noise := build(t, "noise", s, Options{}); noise.X.Min != -0.5 || noise.X.Max != 1.5 {
			t.Errorf("%s: the categories reach from %g to %g", name, noise.X.Min, noise.X.Max)
		}
	}
}

// Noise of the other shape at equal variance has the same standard deviation, whichever it is compared with.
func TestEqualVariance(t *testing.T) {
	gauss, name, ok := equalVariance(mechanisms.Laplace{Epsilon: 0.1, Sensitivity: 2})
	if want := math.Sqrt2 * 20; !ok || name != "Gaussian at equal variance" || math.Abs(gauss.Quantile(gaussianSigma)-want) > 1e-9*want {
		t.Errorf("beside Laplace: %s of deviation %g, want %g", name, gauss.Quantile(gaussianSigma), want)
	}
	c := build(t, "noise", samples.Gaussian(10, 1, 1e-6), Options{EqualVariance: true})
	laplace := series(t, c, "Laplace at equal variance")
	peak := 0.0
	for _, y := range laplace.Y {
		peak = math.Max(peak, y)
	}
	if want := math.Sqrt2 / 20; math.Abs(peak-want) > 1e-3*want { // 1/(2b) with b = σ/√2
		t.Errorf("beside Gaussian: a peak of %g, want %g", peak, want)
	}
}
