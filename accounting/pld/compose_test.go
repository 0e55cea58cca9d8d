package pld

import (
	"math"
	"testing"
)

// A hundred coins by transform: every probability is off the binomial one by no more
// than what is charged for round-off, and by something.
func TestRoundOffIsCharged(t *testing.T) {
	coin := tilt(masses{0, 1, []int{0, 1}, []float64{0.5, 0.5}}, 0)
	c := coin.power(100, window{lo: 0, hi: 100, sUp: 0.5, sDown: 0.5}, 128, 0)
	off := 0.0
	for i, p := range c.p {
		want := 0.0
		if k := c.loss(i); k >= 0 && k <= 100 {
			a, _ := math.Lgamma(101)
			b, _ := math.Lgamma(k + 1)
			d, _ := math.Lgamma(101 - k)
			want = math.Exp(a - b - d - 100*math.Ln2)
		}
		wrong := math.Abs(p - want)
		if wrong > c.err+1e-13*want { // lgamma has its own errors
			t.Errorf("P(%g) = %g, want %g within %g", c.loss(i), p, want, c.err)
		}
		if want < 1e-20 {
			off = math.Max(off, wrong)
		}
	}
	if off == 0 {
		t.Error("no round-off at all: nothing was tested")
	}
}
