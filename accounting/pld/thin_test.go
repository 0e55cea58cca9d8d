package pld

import (
	"fmt"
	"math"
	"testing"

	"epsiloscope/accounting/pld/spectrum"
	"epsiloscope/internal/gauge"
)

// Rényi sums over every m-th point of a wide discrete Gaussian are those over all.
func TestThinnedRenyiSums(t *testing.T) {
	gauge.Sequential(t)
	for _, c := range []struct {
		sigma float64
		d     int
	}{{33, 1}, {40, 40}, {100, 3}, {100, 100}, {100, 300}, {300, 2000}} {
		whole := DiscreteGaussian(c.sigma, c.d)
		d := whole.Remove.upper
		full := newList("all of "+d.key, d.list, d.top, d.flow)
		if thinness(c.sigma, float64(c.d)) < 2 || d.thin == nil {
			t.Fatalf("%+v is not thinned", c)
		}
		for _, q := range []float64{1, 0.9, 0.1, 1e-3, 1e-6} {
			thin, all := Subsample(q, symmetric(known(d))), Subsample(q, symmetric(known(full)))
			for _, share := range []float64{0, 1e-6, 1e-3, 0.05, 0.3, 1} {
				alpha := 1 + share*(28*c.sigma/float64(c.d)-1)
				for _, way := range []func(Pair) *Loss{func(p Pair) *Loss { return p.Remove }, func(p Pair) *Loss { return p.Add }} {
					got, want := summed(way(thin).upper, alpha), summed(way(all).upper, alpha)
					// Sums of the losses themselves cancel: what is left is rounded, and padded, in
					// proportion to their size.
					if !(math.Abs(got-want) <= 1e-10*want+1e-13*q*float64(c.d)/c.sigma) {
						t.Errorf("%s: D_%g = %.15g, over all points %.15g", fmt.Sprint(c, q), alpha, got, want)
					}
				}
			}
		}
	}
}

// summed is a divergence by its sum, without what round-off is charged with; where what
// lies beyond the list counts, closed bounds are less.
func summed(l *law, alpha float64) float64 {
	of := l.of
	if l.thin != nil {
		of = l.thin
	}
	d, theta := of(), math.Max(1e-12, alpha-1)
	log, _ := spectrum.LogMoment(&d, theta)
	if l.bound == nil {
		return log / theta
	}
	return math.Min(log/theta, l.bound(alpha))
}
