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
		var others, target []float64 // the densities on an axis
		step := c.z / 60
		for x := -8 * c.z; x < shift+8*c.z; x += step {
			others, target = append(others, normal(x, 0)), append(target, normal(x, shift))
		}
		for _, epsilon := range []float64{0, 0.2, 0.5} {
			remove, add, times := 0.0, 0.0, math.Exp(epsilon)
			for i := range others {
				for j := range others {
					q := others[i] * others[j]
					p := (1-c.share)*q + c.share/2*(target[i]*others[j]+others[i]*target[j])
					remove += max(0, p-times*q) * step * step
					add += max(0, q-times*p) * step * step
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
