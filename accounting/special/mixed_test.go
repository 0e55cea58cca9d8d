package special

import (
	"math"
	"testing"
)

// ln(1−q+q·e^x) to the last digits, where q·(e^x−1) is next to −1 and where it is next to
// 0, and back again.
func TestLogMix(t *testing.T) {
	near := 1 - math.Ldexp(1, -40) // 1 − q is a power of two
	for _, c := range []struct{ q, x, want float64 }{
		{near, -200, -40 * math.Ln2},
		{near, -40 * math.Ln2, -39 * math.Ln2},
		{near, -1, -1 + math.Ldexp(1, -40)*(math.E-1)},
		{0.5, -100, -math.Ln2},
		{1e-12, -1, 1e-12 * math.Expm1(-1)},
		{1e-12, 1, 1e-12 * math.Expm1(1)},
		{0.25, 100, 100 - 2*math.Ln2},
	} {
		got := LogMix(c.q, c.x)
		if math.Abs(got-c.want) > 2e-12*math.Abs(c.want) {
			t.Errorf("LogMix(%v, %v) = %.17g, want %.17g", c.q, c.x, got, c.want)
		}
		// The way back loses what the value does not hold of x.
		slope := c.q * math.Exp(c.x-got)
		if back := LogUnmix(c.q, got); slope > 1e-9 && math.Abs(back-c.x) > 1e-14*(1+math.Abs(got))/slope {
			t.Errorf("LogUnmix(%v, LogMix(%v)) = %v", c.q, c.x, back)
		}
	}
	for _, q := range []float64{near, 0.5, 0.1, 1e-12} {
		if got := LogUnmix(q, math.Log1p(-q)-1e-3); !math.IsInf(got, -1) {
			t.Errorf("LogUnmix(%v) below its range = %v", q, got)
		}
	}
}

// 1/q overflows at the smallest rates; the loss of a sample does not.
func TestLogMixAtTheSmallestRates(t *testing.T) {
	for _, q := range []float64{5e-324, 1e-310, 1e-300} {
		for _, x := range []float64{-700, 29, 31, 700} {
			if got, want := LogMix(q, x), math.Log1p(q*math.Expm1(x)); !(math.Abs(got-want) <= 1e-12*math.Abs(want)) {
				t.Errorf("q = %g, x = %g: %g, want %g", q, x, got, want)
			}
		}
	}
}

// ln 2^n is n·ln 2, below the smallest normal number, too.
func TestLogOfSubnormals(t *testing.T) {
	for n := -1074; n <= 0; n++ {
		if got, want := Log(math.Ldexp(1, n)), float64(n)*math.Ln2; math.Abs(got-want) > 1e-15*math.Abs(want) {
			t.Errorf("ln 2^%d = %v, want %v", n, got, want)
		}
	}
}
