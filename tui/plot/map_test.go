package plot

import (
	"math"
	"slices"
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
		at := positions(n, cells)
		for place := range n {
			if !slices.Contains(at, float64(place)) {
				t.Fatalf("place %d of %d in %d cells is drawn nowhere", place, n, cells)
			}
		}
		if !slices.IsSorted(at) {
			t.Fatalf("%d places in %d cells are drawn out of order: %v", n, cells, at)
		}
	})
}

// The edge of a band has no teeth: where values grow along a row, the bands along it never fall.
func TestBandsHaveNoTeeth(t *testing.T) {
	m := Map{Budget: 3}
	for y := range 13 {
		row := make([]float64, 25)
		for x := range row {
			row[x] = 0.3 * math.Pow(1.15, float64(x)) * math.Pow(1.3, float64(y))
		}
		m.Rows = append(m.Rows, row)
	}
	p := styles(t, "dark", termenv.Ascii, false)
	shades := string(p.Glyphs.Shades[:])
	for _, size := range [][2]int{{67, 15}, {66, 16}, {107, 27}, {180, 44}, {39, 14}} {
		for _, line := range strings.Split(ansi.Strip(m.View(p, size[0], size[1])), "\n") {
			band := 0
			for _, r := range line {
				if i := strings.IndexRune(shades, r); i >= 0 && i < band {
					t.Fatalf("at %v a band ends and begins again: %s", size, line)
				} else if i >= 0 {
					band = i
				}
			}
		}
	}
}

// On a terminal with shades a band has as much colour as its rune covers elsewhere, and what is written on the map
// stands on the ground of the terminal.
func TestMapIsAsBrightEverywhere(t *testing.T) {
	for i, covered := range []float64{0.1, 0.25, 0.5, 0.75, 1} {
		if shares[i] != covered {
			t.Errorf("band %d has %v of its colour, and its rune covers %v", i, shares[i], covered)
		}
	}
	m := Map{Rows: [][]float64{{0.2, 0.9, 1.1, 5}, {0.2, 0.9, 1.1, 5}}, Budget: 1, X: 3, Y: 1}
	p := styles(t, "dark", termenv.TrueColor, false)
	if view := m.View(p, 8, 2); !strings.Contains(view, p.Accent.Render(p.Glyphs.SliderKnob)) {
		t.Errorf("the cursor stands on a tint: %q", view)
	}
}
