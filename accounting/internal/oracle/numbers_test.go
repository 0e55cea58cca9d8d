package oracle

import (
	"math"
	"testing"
)

// 50 digits from tables: e, ln 10, π, Φ(−10), δ(1) of the Gaussian with μ = 1.
func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		name string
		got  Real
		want string
	}{
		{"e", R(1).Exp(), "2.7182818284590452353602874713526624977572470937"},
		{"ln 10", R(10).Log(), "2.3025850929940456840179914546843642076011014886"},
		{"π", pi, "3.1415926535897932384626433832795028841971693994"},
		{"ln 2", ln2, "0.69314718055994530941723212145817656807550013436"},
	} {
		if got := c.got.v.Text('g', 47); got != c.want {
			t.Errorf("%s = %s, want %s", c.name, got, c.want)
		}
	}
	near := func(what string, got, want float64) {
		if math.Abs(got-want) > 4e-16*math.Abs(want) {
			t.Errorf("%s = %.17g, want %.17g", what, got, want)
		}
	}
	near("Φ(−10)", Normal(R(-10)).Float(), 7.61985302416052606597337e-24)
	near("Φ(−1)", Normal(R(-1)).Float(), 0.15865525393145705141476745436796)
	near("Φ(2.6)", Normal(R(2.6)).Float(), 0.99533881197628125)
	near("δ(1)", GaussianProfile(R(1), R(1)).Float(), 0.12693673750664394)
	near("δ(20)", GaussianProfile(R(1), R(20)).Float(), 2.6647067053654977e-86)
}

// Both routes to Φ agree where they meet.
func TestNormalIsOneFunction(t *testing.T) {
	for _, x := range []float64{2.4999999, -2.4999999, 7.9999, -7.9999} {
		a, b := Normal(R(x)), Normal(R(math.Nextafter(x, 10*x)))
		if math.Abs(a.Float()-b.Float()) > 1e-14*a.Float() {
			t.Errorf("Φ jumps at %g", x)
		}
	}
	a, b := Normal(R(2.4)).v, R(1).Sub(Normal(R(-2.4))).v
	if d := empty().Sub(a, b); d.Sign() != 0 && d.MantExp(nil) > -290 {
		t.Errorf("Φ(2.4) + Φ(−2.4) is off 1 by %s", d.Text('g', 5))
	}
}
