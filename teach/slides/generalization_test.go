package slides

import (
	"math"
	"testing"
)

func TestGeneralization(t *testing.T) {
	for what, c := range map[string]struct{ got, want, tolerance float64 }{
		"ε for n = 1e4, τ = 0.05": {GeneralizationEpsilon(1e4, 0.05), 0.049652, 1e-4},
		"its bound":               {GeneralizationBound(1e4, 0.05), 5.892e-11, 1e-3},
		"ε for n = 1000, τ = 0.1": {GeneralizationEpsilon(1000, 0.1), 0.0983, 1e-3},
		"Hoeffding":               {Hoeffding(1000, 0.1), 2 * math.Exp(-20), 1e-12},
		"bits":                    {MaxInformation(0.01, 1e4), 144.27, 1e-4},
		"approximate bits":        {ApproximateMaxInformation(0.01, 1e4, 0.01), 3.0695, 1e-4},
	} {
		if !(math.Abs(c.got-c.want) <= c.tolerance*c.want) {
			t.Errorf("%s: got %v, want %v", what, c.got, c.want)
		}
	}
	if GeneralizationEpsilon(100, 0.01) != 0 {
		t.Error("τ too small for n must leave no ε")
	}
}
