package chart

import (
	"context"
	"math"
	"testing"

	"epsiloscope/scenarios/internal/samples"
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
