package plot

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
	"pgregory.net/rapid"
)

// Without shades of colours, what fits a budget is thin, what does not is dense, and nothing stands between them.
func TestMapWithoutColours(t *testing.T) {
	m := Map{Rows: [][]float64{{0.2, 0.9, 1.1, 5}, {0.2, 0.9, 1.1, 5}}, Budget: 1, X: 3, Y: 1}
	for _, c := range []struct {
		ascii bool
		want  string
	}{
		{false, "··▒▒▓▓██\n··▒▒▓▓●█"},
		{true, "..--%%##\n..--%%O#"},
	} {
		p := styles(t, "dark", termenv.Ascii, c.ascii)
		want := strings.NewReplacer("O", p.Glyphs.SliderKnob).Replace(c.want)
		if got := ansi.Strip(m.View(p, 8, 2)); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}

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
