package mechanisms

import (
	"math"
	"testing"
)

// A pass over the data has as many full batches as fit, and T steps begin as many passes
// as they need.
func TestShuffledPasses(t *testing.T) {
	for _, c := range []struct{ q, steps, passes float64 }{
		{1, 7, 7}, // full batches: every step is a pass
		{0.5, 7, 4},
		{0.01, 100, 1},
		{0.01, 101, 2},
		{256.0 / 60000, 14062, 61}, // 234 full batches, the rest left out: 60.1 passes
		{1.0 / 3, 3, 1},            // 1/q is whole but for rounding
		{0.4, 4, 2},
	} {
		noise, passes, _ := DPSGD{NoiseMultiplier: 1.1, SamplingRate: c.q, Steps: c.steps}.Shuffled(0)
		if passes != c.passes || noise.Sigma != 1.1 || noise.Sensitivity != 2 {
			t.Errorf("q %v, T %v: %v passes with %+v, want %v", c.q, c.steps, passes, noise, c.passes)
		}
	}
}

// Without amplification training never costs less than with it.
func TestShuffledCostsMore(t *testing.T) {
	for _, q := range []float64{1, 0.5, 0.1, 0.01} {
		d := DPSGD{NoiseMultiplier: 2, SamplingRate: q, Steps: 100}
		noise, passes, _ := d.Shuffled(0)
		for _, alpha := range []float64{2, 8} {
			sampled, err := d.Releases()[0].Release.Renyi(alpha)
			if err != nil {
				t.Fatal(err)
			}
			shuffled, err := noise.Release().Renyi(alpha)
			if err != nil {
				t.Fatal(err)
			}
			if got, least := shuffled*passes, sampled*d.Steps; got < least || math.IsNaN(got) {
				t.Errorf("q %v, α %v: %v shuffled, %v sampled", q, alpha, got, least)
			}
		}
	}
}

// A changed record turns its clipped gradient round: the sums lie two norms apart.
func TestDPSGDAnswers(t *testing.T) {
	for _, c := range []struct {
		a       Adjacency
		batches Drawing
		apart   float64
	}{{AddRemove, Poisson, 1}, {ZeroOut, Poisson, 1}, {Replace, Poisson, 2}, {AddRemove, Fixed, 2}} {
		here, there, ok := Answers(DPSGD{NoiseMultiplier: 3, SamplingRate: 0.1, Steps: 1, Batches: c.batches}, c.a)
		if apart := there.Quantile(0.5) - here.Quantile(0.5); !ok || apart != c.apart {
			t.Errorf("%s, %s: %v apart, want %v", c.a, c.batches, apart, c.apart)
		}
	}
}
