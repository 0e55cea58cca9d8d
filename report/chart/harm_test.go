package chart

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"epsiloscope/accounting/special"
	"epsiloscope/internal/samples"
	"epsiloscope/scenarios"
)

// Gaussian noise has closed forms: Φ(Φ⁻¹(α)+μ) members found at α; the best guess by the posterior. The curves
// enclose them.
func TestHarmChartsEncloseGaussianNoise(t *testing.T) {
	const mu = 0.5
	s := samples.Gaussian(1/mu, 1, 1e-6)
	c, err := TPR.Build(context.Background(), s, Options{Numerical: true})
	if err != nil {
		t.Fatal(err)
	}
	most, attack := series(t, c, foundSeries), series(t, c, foundAttack)
	for i, x := range most.X {
		want := special.NormalCDF(special.NormalQuantile(x) + mu)
		if most.Y[i] < want || most.Y[i] > want*1.02 || attack.Y[i] > want*(1+1e-9) || attack.Y[i] < want*0.9 {
			t.Errorf("at %g: %g to %g, want %g", x, attack.Y[i], most.Y[i], want)
		}
	}
	for _, other := range c.Series {
		if strings.HasPrefix(other.Name, "cleared") {
			t.Error("both sides are the same, and are drawn apart")
		}
	}
	if c, err = Bayes.Build(context.Background(), s, Options{Numerical: true}); err != nil {
		t.Fatal(err)
	}
	right := series(t, c, rightSeries)
	for i, p := range right.X {
		cut := mu/2 + math.Log((1-p)/p)/mu // the posterior of an output above it exceeds ½
		want := p*special.NormalCDF(mu-cut) + (1-p)*special.NormalCDF(cut)
		if right.Y[i] < want-1e-12 || right.Y[i] > want+1e-6 {
			t.Errorf("prior %g: %g, want %g", p, right.Y[i], want)
		}
	}
}

// A sampled stack has two sides, a budget is a point, and the line of (ε, δ) alone lies above both sides.
func TestHarmChartsShowTheBudget(t *testing.T) {
	s, err := scenarios.Parse("", []byte("version: 1\nbudget: {tpr: 0.04, fpr: 0.02}\nstack:\n  - {mechanism: dp-sgd, noise_multiplier: 0.83, sampling_rate: 0.004, steps: 5000}\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []Kind{TPR, Tradeoff} {
		c, err := kind.Build(context.Background(), s, Options{Numerical: true, Points: 12})
		if err != nil {
			t.Fatal(err)
		}
		if m := c.WithoutAnswer().Marks; len(m) != 1 || m[0].X != 0.02 || !m[0].Alert {
			t.Errorf("%s: marks %v", kind.Name, c.Marks)
		}
		alone := Series{}
		for _, one := range c.Series {
			if strings.HasSuffix(one.Name, "alone") {
				alone = one
			}
		}
		if alone.Name == "" || alone.Look != aloneLook {
			t.Fatalf("%s: the line that the curve replaces is missing", kind.Name)
		}
		if kind.Name == TPR.Name {
			found, cleared := series(t, c, foundSeries), series(t, c, clearedSeries)
			for i := range found.X {
				if found.Y[i] > alone.Y[i]*1.001 || cleared.Y[i] > alone.Y[i]*1.001 {
					t.Errorf("at %g: found %g, cleared %g, through ε %g", found.X[i], found.Y[i], cleared.Y[i], alone.Y[i])
				}
			}
			continue
		}
		attack := series(t, c, foundAttack)
		for i, y := range c.Series[0].Y { // the certified bound comes first
			if attack.Y[i] < y-1e-9 {
				t.Errorf("at %g an attack misses %g, fewer than the certified %g", attack.X[i], attack.Y[i], y)
			}
		}
	}
}

// What an attack reaches is never overstated: its values are rounded the other way than the bounds, and
// the chart is read at one of its points, where nothing has to be taken from a neighbour.
func TestAttacksAreRoundedTheOtherWay(t *testing.T) {
	s := samples.Gaussian(2, 1, 1e-6)
	for _, kind := range []Kind{TPR, Bayes, Tradeoff} {
		c, err := kind.Build(context.Background(), s, Options{Numerical: true, Points: 12})
		if err != nil {
			t.Fatal(err)
		}
		attacks := 0
		for i, one := range c.Series {
			attack := strings.Contains(one.Name, "by an attack")
			if a := c.ReadingAxis(i); attack && (a.Upper == c.Y.Upper || a.Lower == c.Y.Lower) || !attack &&
				(a.Upper != c.Y.Upper || a.Lower != c.Y.Lower) {
				t.Errorf("%s, %s: up %t, down %t; the chart: up %t, down %t", kind.Name, one.Name, a.Upper, a.Lower, c.Y.Upper, c.Y.Lower)
			}
			if attack {
				attacks++
			}
			if c.Read != 0 && !slices.Contains(one.X, c.Read) {
				t.Errorf("%s, %s: read at %v, where it has no point", kind.Name, one.Name, c.Read)
			}
			if attack && c.WithLabels().Series[i].Name != one.Name {
				t.Errorf("%s: %s became %s", kind.Name, one.Name, c.WithLabels().Series[i].Name)
			}
		}
		if attacks == 0 {
			t.Errorf("%s draws no attack", kind.Name)
		}
	}
}
