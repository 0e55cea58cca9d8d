package special

import (
	"math"
	"testing"
)

// ln Φ on both sides of every branch, by mpmath with 40 digits: log(ncdf(x)). Between 0 and 5 it had ten digits only.
func TestLogNormalCDF(t *testing.T) {
	for x, want := range map[float64]float64{
		-40: -804.608442013753788, -20: -203.917155371097264, -19.999: -203.897106116797065,
		-1: -1.84102164500926351, 0: -math.Ln2,
		0.001: -0.692349614272688243, 0.5: -0.368946415288656393, 1: -0.172753779023449890, 2: -0.0230129093289634885,
		3: -0.00135080996474819380,
		4: -3.16717433774892639e-5, 4.5: -3.39767889683446614e-6, 4.999: -2.88142055659331294e-7,
		5: -2.86651612963763593e-7, 5.001: -2.85168603883739059e-7,
		8: -6.22096057427178606e-16,
	} {
		if got := LogNormalCDF(x); math.Abs(got-want) > 8e-15*math.Abs(want) { // 4.999 itself is rounded
			t.Errorf("ln Φ(%g) = %.17g, want %.17g", x, got, want)
		}
	}
}
