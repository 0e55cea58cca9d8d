package chart

import (
	"context"
	"math"
	"strings"
	"testing"

	"epsiloscope/internal/samples"
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

// One band is independent noise; as many bands as an epoch has steps gain nothing by
// sampling, and between them amplification never hurts.
func TestBandsAgainstAmplification(t *testing.T) {
	c, err := Bands.Build(context.Background(), samples.Training("batch: 100, epochs: 10"), Options{})
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
	if _, err := Bands.Build(context.Background(), samples.Training("batch: 100, epochs: 10, batches: shuffled"), Options{}); err == nil {
		t.Error("shuffled batches are amplified")
	}
}

// Against ε the curves fall, the amplified one is the training's own at its ε, and bands without
// amplification win where ε is large, independent noise where it is small; in between
// amplified bands have the least error.
func TestBandsCost(t *testing.T) {
	s, err := scenarios.LoadBundled("dp-ftrl-amplified")
	if err != nil {
		t.Fatal(err)
	}
	c, err := BandsCost.Build(context.Background(), s, Options{})
	if err != nil || len(c.Series) != 3 {
		t.Fatalf("%d curves, %v", len(c.Series), err)
	}
	for _, series := range c.Series {
		for i := range series.X {
			if i > 0 && !(series.Y[i] < series.Y[i-1]) {
				t.Errorf("%s: %v at ε = %v, %v before", series.Name, series.Y[i], series.X[i], series.Y[i-1])
			}
		}
	}
	alone, amplified, plain := c.Series[0].Y, c.Series[1].Y, c.Series[2].Y
	last := len(alone) - 1
	if !(alone[0] < amplified[0] && amplified[0] < plain[0] && plain[last] < amplified[last] &&
		amplified[last] < alone[last]) {
		t.Errorf("at both ends: %v, %v and %v", alone, amplified, plain)
	}
	middle := last / 2 // the present ε
	_, rms := mechanisms.BandedRootError(2048, 16)
	if own := 2 * rms; math.Abs(amplified[middle]-own) > 2e-3*own ||
		math.Abs(c.Series[1].X[middle]-c.Read) > 1e-9*c.Read {
		t.Errorf("at ε = %v: %v, with noise 2 it is %v", c.Series[1].X[middle], amplified[middle], own)
	}
	if len(c.Notes) != 4 || !strings.HasSuffix(c.Notes[1], ": amplified") ||
		!strings.HasSuffix(c.Notes[2], ": no amplification") || !strings.Contains(c.Notes[3], "; 16 bands with amplification") {
		t.Error(c.Notes)
	}
	if _, err := RunningSums.Build(context.Background(), s, Options{}); err == nil ||
		!strings.Contains(err.Error(), BandsCost.Name) {
		t.Errorf("running sums of sampled groups: %v", err)
	}
}
