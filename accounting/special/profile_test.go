package special

import (
	"math"
	"testing"
)

// Reference: Φ(μ/2−ε/μ) − e^ε Φ(−μ/2−ε/μ) at 50 digits.
func TestLogGaussianProfile(t *testing.T) {
	for _, c := range []struct{ mu, epsilon, delta, tolerance float64 }{
		{1, 1, 0.12693673750664394, 1e-14},
		{1, 20, 2.6647067053654977e-86, 1e-12},
		{0.1, 0.7, 2.495013000648605e-14, 1e-12},
		{0.1, 0.01, 0.035252970759279495, 1e-14},
		{5, 0, 0.9875806693484477, 1e-14},
		{1e11, 5e21, 0.5, 1e-4}, // e^ε Φ is far below what ε + ln Φ can resolve
		{1e11, 4e21, 1, 1e-15},
		{1e-12, 0, 1e-12 / math.Sqrt(2*math.Pi), 1e-14},
	} {
		near(t, "δ", math.Exp(LogGaussianProfile(c.mu, c.epsilon)), c.delta, c.tolerance)
	}
}

// Either side of the switch between the two forms of the difference.
func TestLogGaussianProfileIsSmoothAcrossItsBranches(t *testing.T) {
	for _, c := range []float64{-20, -3, 0, 2.9, 3.1, 4.9, 5.1, 30, 1000} {
		a := LogGaussianProfile(0.1, 0.1*c)
		b := LogGaussianProfile(math.Nextafter(0.1, 1), math.Nextafter(0.1, 1)*c)
		if math.Abs(a-b) > 1e-11*math.Max(1, math.Abs(a)) {
			t.Errorf("c=%g: %.15g and %.15g", c, a, b)
		}
	}
	for _, mu := range []float64{60, 100} { // around low = −25
		a := LogGaussianProfile(mu, mu*(mu/2-24.999999999))
		b := LogGaussianProfile(mu, mu*(mu/2-25.000000001))
		if math.Abs(a-b) > 1e-9 {
			t.Errorf("μ=%g: %.15g and %.15g", mu, a, b)
		}
	}
}
