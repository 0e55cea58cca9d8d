package renyi

import (
	"fmt"
	"math"
	"testing"
)

// Orders between whole ones, by quadrature at 40 digits; adding absolute values of
// the series instead of signed ones is up to 15 % off here.
func TestFractionalOrdersOfTheSampledGaussian(t *testing.T) {
	for _, c := range []struct{ q, sigma, alpha, want float64 }{
		{0.01, 1, 1.5, 1.27253743327e-4}, {0.01, 1, 1.1, 9.24147108469e-5}, {0.01, 1, 4.5, 4.14927067325e-4},
		{0.1, 0.8, 2.5, 0.0580875710838}, {0.3, 2, 1.7, 0.021083180362}, {0.5, 1, 3.3, 0.823420331676},
		{1e-3, 0.5, 1.3, 2.92496248025e-5},
	} {
		t.Run(fmt.Sprint(c.q, c.sigma, c.alpha), func(t *testing.T) {
			got, ok := NewSampledGaussian(c.q, 1/c.sigma).Renyi(c.alpha)
			if !ok || math.Abs(got-c.want) > 1e-10*c.want {
				t.Errorf("%.12g, want %.12g", got, c.want)
			}
		})
	}
}
