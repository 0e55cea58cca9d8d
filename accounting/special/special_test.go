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

// The quantile is, to the last digit, what a search of ln Φ that starts from nothing finds.
func TestNormalQuantileIsThatOfABlindSearch(t *testing.T) {
	for k := range 3000 {
		p := math.Exp(-math.Ln2 - 744*math.Pow(float64(k)/3000, 3))
		want := math.Log(p)
		blind, _ := Bisect(-40, 1, 1e-15, func(x float64) bool { return LogNormalCDF(x) < want })
		if got := NormalQuantile(p); got != blind && p <= 0.5 {
			t.Errorf("p = %g: %v, a search from nothing finds %v", p, got, blind)
		}
	}
}

// What is kept of ln n! is what math.Lgamma says, to the last bit, and so are numbers beyond or between.
func TestLogChooseIsTheDifferenceOfLgamma(t *testing.T) {
	direct := func(n, k float64) float64 {
		all, _ := math.Lgamma(n + 1)
		some, _ := math.Lgamma(k + 1)
		others, _ := math.Lgamma(n - k + 1)
		return all - some - others
	}
	const last = keptFactorials
	for _, n := range []float64{0, 1, 2, 7, 2.5, 100, 999, last - 1, last, last + 1, 1e6, 1e12} {
		for _, k := range []float64{0, 1, 2, 0.5, 3, 50, last / 2, last, n - 1, n} {
			if 0 <= k && k <= n && LogChoose(n, k) != direct(n, k) {
				t.Errorf("n = %v, k = %v: %v, not %v", n, k, LogChoose(n, k), direct(n, k))
			}
		}
	}
}
