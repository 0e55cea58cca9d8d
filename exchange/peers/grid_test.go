package peers

import (
	"context"
	"math"
	"testing"

	"epsiloscope/internal/gauge"
	"epsiloscope/mechanisms"
)

// What dp_accounting 0.6.0 printed for Poisson-sampled steps, run with its own grid: as many
// digits as were kept.
func TestGridPrintsWhatDPAccountingPrinted(t *testing.T) {
	for _, c := range gauge.Some(3, []struct {
		q, z, steps, delta, epsilon, half float64
	}{
		{1e-4, 10, 1e5, 1e-6, 0.0298, 5e-5},
		{0.04, 1.5, 2250, 1e-5, 6.76879, 5e-6},
		{0.2, 3, 50, 1. / 48000, 1.96081, 5e-6},
		{0.01, 1, 1000, 1e-6, 2.12452, 5e-6},
		{0.01, 1, 1e4, 1e-6, 6.9074, 5e-5},
		{0.01, 1, 1e5, 1e-6, 27.6726, 2e-4},
		{0.01, 1, 1000, 1e-10, 3.2905, 5e-5},
		{0.01, 0.7, 120, 1e-5, 2.4612381, 5e-7},
		{0.01, 0.35, 120, 1e-5, 18.6977407, 5e-7},
		{1, 0.7, 2, 1e-5, 10.1224946, 1e-5},
	}) {
		j := job{delta: c.delta, runs: []run{{mechanisms.DPSGD{SamplingRate: c.q,
			NoiseMultiplier: c.z, Steps: c.steps}, 1}}}
		got, reason, err := gridEpsilon(context.Background(), j)
		if err != nil || !(math.Abs(got-c.epsilon) <= c.half) {
			t.Errorf("q %v, z %v, %v steps at δ %v: %.9g (%s, %v), printed %v", c.q, c.z, c.steps, c.delta, got, reason, err, c.epsilon)
		}
	}
}
