package renyi

import (
	"math"
	"testing"
)

// An order asks the inner curve no further than it needs, and once.
func TestSampledCurvesAskUpToTheOrder(t *testing.T) {
	for name, amplify := range map[string]func(Curve, float64) Curve{"Poisson": SampledCurve, "replace": SampledReplace} {
		asked := map[float64]int{}
		curve := amplify(func(alpha float64) float64 { asked[alpha]++; return alpha / 8 }, 0.01)
		twelve := curve(12)
		curve(7.5)
		delete(asked, math.Inf(1))
		if len(asked) != 11 || asked[2] != 1 || asked[12] != 1 {
			t.Errorf("%s: orders up to 12 ask for %v", name, asked)
		}
		if curve(40); curve(12) != twelve || asked[12] != 1 {
			t.Errorf("%s: at 12 first %v, then %v", name, twelve, curve(12))
		}
	}
}
