package pld

import (
	"context"
	"math"
	"testing"
)

// The spectrum alone holds the figures of the reference, and is as narrow as asked.
func TestSpectralTruths(t *testing.T) {
	for _, c := range truths {
		directions, err := directionsOf(context.Background(), c.parts, false)
		if err != nil {
			t.Fatal(err)
		}
		for _, width := range []float64{1e-3, 1e-4, 1e-6} {
			var all Interval
			for _, d := range directions {
				d.known = unknown
				if _, err := d.spectral(context.Background(), c.delta, width); err != nil {
					t.Fatal(err)
				}
				all.Lower, all.Upper = math.Max(all.Lower, d.known.Lower), math.Max(all.Upper, d.known.Upper)
			}
			if all.Lower > c.want+c.tolerance || all.Upper < c.want-c.tolerance {
				t.Errorf("%s at %g: [%.12g, %.12g] misses %.12g", c.name, c.delta, all.Lower, all.Upper, c.want)
			}
			if !(all.Upper-all.Lower <= width*all.Upper) {
				t.Errorf("%s at %g: [%.12g, %.12g] is wider than %g", c.name, c.delta, all.Lower, all.Upper, width)
			}
		}
	}
}
