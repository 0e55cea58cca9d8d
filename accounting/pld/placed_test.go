package pld

import (
	"math"
	"testing"
)

// The lattice goes through the atoms of the line with the most copies.
func TestPlacedOnAtoms(t *testing.T) {
	for _, c := range []struct {
		pair  Pair
		apart float64
	}{
		{Laplace(0.7), 1.4},
		{DiscreteLaplace(4, 3), 0.5},                // |x−3| − |x| moves by 2 for every step of x
		{Subsample(0.1, DiscreteGaussian(2, 1)), 0}, // on no lattice
		{Gaussian(1), 0},
	} {
		if got := apart(c.pair.Remove.(law)); math.Abs(got-c.apart) > 1e-12 {
			t.Errorf("%s: atoms %g apart, want %g", c.pair.Key(), got, c.apart)
		}
	}
	directions, err := new(Accountant).directions([]Part{{Laplace(0.7), 3}, {Laplace(0.31), 5}, {sgd(0.1, 1), 9}}, true)
	if err != nil {
		t.Fatal(err)
	}
	p, ok := directions[0].patience(1e-6, 1e-3)
	lines, fits := p.place(0.01)
	if !ok || !fits || len(lines) != 3 {
		t.Fatalf("%d lines, %v, %v", len(lines), ok, fits)
	}
	for _, l := range lines {
		if !(l.step <= 0.01 && l.step > 0.005) {
			t.Errorf("%s: step %g", l.key, l.step)
		}
		if k := apart(l.upper) / l.step; l.count == 5 && math.Abs(k-math.Round(k)) > 1e-9 {
			t.Errorf("%s: %g steps between its atoms", l.key, k)
		}
	}
	if _, ok := p.place(1e-9); ok {
		t.Error("a lattice of 1e9 points was laid")
	}
}
