package pld

import (
	"context"
	"math"
	"testing"
	"time"
)

// The spectrum alone, direction by direction, against the figures of the reference and
// against the grid.
func TestSpectralTruths(t *testing.T) {
	for _, c := range truths {
		directions, err := new(Accountant).directions(c.parts, false)
		if err != nil {
			t.Fatal(err)
		}
		for _, width := range []float64{1e-3, 1e-4, 1e-6} {
			var all ends
			start := time.Now()
			for _, d := range directions {
				e, ok, err := d.spectral(context.Background(), c.delta, width)
				if err != nil || !ok {
					t.Logf("%s at %g: %s not evaluated, %v", c.name, c.delta, d.name, err)
					e.upper = math.Inf(1)
				}
				all.lower, all.upper = math.Max(all.lower, e.lower), math.Max(all.upper, e.upper)
			}
			if all.lower > c.want+c.tolerance || all.upper < c.want-c.tolerance {
				t.Errorf("%s at %g: [%.12g, %.12g] misses %.12g", c.name, c.delta, all.lower, all.upper, c.want)
			}
			t.Logf("%s at %g: [%.12g, %.12g] %.1e of %.0e %.1f ms", c.name, c.delta, all.lower, all.upper, (all.upper-all.lower)/all.upper, width, time.Since(start).Seconds()*1e3)
		}
	}
}
