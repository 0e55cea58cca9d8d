package pld

import (
	"context"
	"testing"

	"epsiloscope/internal/gauge"
)

// The spectrum alone holds the figures of the reference, and is as narrow as asked.
func TestSpectralTruths(t *testing.T) {
	for _, c := range truths {
		for _, width := range gauge.Some(2, []float64{1e-3, 1e-4, 1e-6}) {
			directions, err := enclose(context.Background(), c.parts,
				query{quantity: epsilonAt{}, at: []float64{c.delta}, width: width}, bySpectrum)
			if err != nil {
				t.Fatal(err)
			}
			all := directions.intervalAt(0)
			if all.Lower > c.want+c.tolerance || all.Upper < c.want-c.tolerance {
				t.Errorf("%s at %g: [%.12g, %.12g] misses %.12g", c.name, c.delta, all.Lower, all.Upper, c.want)
			}
			if !(all.Upper-all.Lower <= width*all.Upper) {
				t.Errorf("%s at %g: [%.12g, %.12g] is wider than %g", c.name, c.delta, all.Lower, all.Upper, width)
			}
		}
	}
}
