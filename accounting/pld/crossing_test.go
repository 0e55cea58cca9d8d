package pld

import (
	"math"
	"testing"
)

// Where to look first is a hint: the answer is found, and soon, without one.
func TestMeetingWithoutAHint(t *testing.T) {
	for _, centre := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, 3} {
		for _, spread := range []float64{math.NaN(), math.Inf(1), 0, 1} {
			asked := 0
			e, ok := meeting(func(e float64) float64 { asked++; return math.Exp(5 - e - e*e/100) }, centre, spread, true)
			if !ok || !(e >= 4.77 && e < 4.78) || asked > 300 {
				t.Errorf("centre %g, spread %g: ε = %g (%v) after %d questions", centre, spread, e, ok, asked)
			}
		}
	}
}
