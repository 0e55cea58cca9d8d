package spectrum

import (
	"math"
	"testing"

	"epsiloscope/accounting/pld/loss"
	"epsiloscope/accounting/special"

	"pgregory.net/rapid"
)

// Moments in closed form: Gaussian noise (Mironov 2017, Corollary 3), Laplace noise (Table II
// there), and bounded range, whose density is an exponential. The error claimed covers what
// is off, and is small.
func TestLogMoment(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := math.Exp(rapid.Float64Range(-6, 2).Draw(t, "ln size"))
		theta := math.Exp(rapid.Float64Range(-25, 6).Draw(t, "ln θ"))
		for name, c := range map[string]struct {
			of   loss.Distribution
			want float64
		}{
			"Gaussian": {loss.Gaussian(size), theta * (1 + theta) * size * size / 2},
			"Laplace":  {loss.Laplace(size), theta * special.LaplaceRenyi(size, 1+theta)},
			"range":    {loss.BoundedRange(size), math.Log(math.Sinh((theta+0.5)*size) / (theta + 0.5) * math.Exp(-size/2) / -math.Expm1(-size))},
		} {
			log, err := LogMoment(&c.of, theta)
			rounded := 1e-13 * (1 + math.Abs(c.want)) // of the closed form
			if name != "range" {
				rounded = 1e-12 * c.want
			}
			if name == "range" && theta*size > 600 {
				continue // its closed form overflows
			}
			if math.Abs(log-c.want) > err+rounded || err > 1e-9*log { // of the moment: the closed form may round to 0
				t.Fatalf("%s(%v) at %v: %.15g ± %.2g, want %.15g", name, size, theta, log, err, c.want)
			}
		}
	})
}
