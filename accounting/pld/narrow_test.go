package pld

import (
	"context"
	"testing"
)

// A group of records sampled at a rate of next to nothing: the lower face has a lattice
// so fine that a window of the upper one would take gigabytes of it.
func TestFineLowerFace(t *testing.T) {
	pair := Group(Replace(Subsample(4.765571830970242e-08, Gaussian(1))), 2)
	if _, err := Epsilon(context.Background(), []Part{{pair, 1}}, 0.44022634420985346, Options{Width: 1e-2}); err != nil {
		t.Error(err)
	}
}
