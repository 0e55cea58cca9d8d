package plot

import (
	"testing"

	"pgregory.net/rapid"
)

// Every place of a smooth map has a cell that is drawn in its own colour, not in one between it and the next.
func TestEveryPlaceHasItsOwnColour(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "places")
		cells := rapid.IntRange(n, 300).Draw(t, "cells")
		seen := map[float64]bool{}
		for c := range cells {
			seen[middleOf(c, n, cells)] = true
		}
		for place := range n {
			if !seen[float64(place)] {
				t.Fatalf("place %d of %d in %d cells is drawn nowhere", place, n, cells)
			}
		}
	})
}
