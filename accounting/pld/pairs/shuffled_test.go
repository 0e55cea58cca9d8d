package pairs

import (
	"math"
	"testing"
)

// The attack on all batches of a pass of two, against a plain sum over a grid of the plane: other records pull by 0 and
// the target by 1 against 0 under zero-out, other records by −1 and the target by +1 against −1 under replace. Lower
// ends are not above it, and hardly below.
func TestShuffledEpochBySumOfTwoBatches(t *testing.T) {
	for _, c := range []struct {
		z, share float64
		replace  bool
	}{{1, 1, false}, {1, 1, true}, {3, 0.8, true}, {2, 0.9, false}} {
		shift := 1.0
		if c.replace {
			shift = 2
		}
		normal := func(x, mean float64) float64 {
			return math.Exp(-(x-mean)*(x-mean)/(2*c.z*c.z)) / (c.z * math.Sqrt(2*math.Pi))
		}
		pair := ShuffledEpochBySum(2, c.z, c.share, c.replace)
		for _, epsilon := range []float64{0, 0.2, 0.5} {
			remove, add, step := 0.0, 0.0, c.z/60
			for x := -8 * c.z; x < shift+8*c.z; x += step {
				for y := -8 * c.z; y < shift+8*c.z; y += step {
					q := normal(x, 0) * normal(y, 0)
					p := (1-c.share)*q + c.share/2*(normal(x, shift)*normal(y, 0)+normal(x, 0)*normal(y, shift))
					remove += math.Max(0, p-math.Exp(epsilon)*q) * step * step
					add += math.Max(0, q-math.Exp(epsilon)*p) * step * step
				}
			}
			for way, truth := range map[*Loss]float64{pair.Remove: remove, pair.Add: add} {
				if got := math.Exp(way.Lower().LogDelta(epsilon)); got > truth*(1+1e-5)+1e-9 || got < 0.95*truth-1e-6 {
					t.Errorf("%+v at ε = %v: %v, by the sum %v", c, epsilon, got, truth)
				}
			}
		}
	}
}
