package pld

import (
	"context"
	"testing"

	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/internal/gauge"
)

// A group of records sampled at a rate of next to nothing: the lower face has a lattice
// so fine that a window of the upper one would take gigabytes of it.
func TestFineLowerFace(t *testing.T) {
	pair := pairs.Group(pairs.Replace(pairs.Subsample(4.765571830970242e-08, pairs.Gaussian(1))), 2)
	if _, err := Epsilon(context.Background(), []pairs.Part{{Pair: pair, Count: 1}}, 0.44022634420985346,
		Options{Width: 1e-2}); err != nil {
		t.Error(err)
	}
}

// Few points of a fine law far apart, on a common grid as fine as the tiny losses of
// another ask for: once 150 GB.
func TestFineCommonGrid(t *testing.T) {
	gauge.Sequential(t)
	parts := []pairs.Part{{Pair: pairs.Subsample(1e-200, pairs.Gaussian(1)), Count: 2},
		{Pair: pairs.Subsample(1e-9, pairs.Laplace(30)), Count: 2}}
	for _, delta := range gauge.Some(2, []float64{0.9, 1e-6}) {
		if i, err := Epsilon(context.Background(), parts, delta, Options{}); err != nil || i.Upper > 1e-9 {
			t.Errorf("δ = %g: [%g, %g], %v", delta, i.Lower, i.Upper, err)
		}
	}
}
