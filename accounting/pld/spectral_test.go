package pld

import (
	"context"
	"math"
	"testing"
)

// The spectrum alone holds the figures of the reference, and is as narrow as asked.
func TestSpectralTruths(t *testing.T) {
	for _, c := range truths {
		directions, err := new(Accountant).directions(c.parts, false)
		if err != nil {
			t.Fatal(err)
		}
		for _, width := range []float64{1e-3, 1e-4, 1e-6} {
			var all ends
			for _, d := range directions {
				e, _, err := d.spectral(context.Background(), c.delta, width)
				if err != nil {
					t.Fatal(err)
				}
				all.lower, all.upper = math.Max(all.lower, e.lower), math.Max(all.upper, e.upper)
			}
			if all.lower > c.want+c.tolerance || all.upper < c.want-c.tolerance {
				t.Errorf("%s at %g: [%.12g, %.12g] misses %.12g", c.name, c.delta, all.lower, all.upper, c.want)
			}
			if !(all.upper-all.lower <= width*all.upper) {
				t.Errorf("%s at %g: [%.12g, %.12g] is wider than %g", c.name, c.delta, all.lower, all.upper, width)
			}
		}
	}
}
