package plot

import (
	"cmp"
	"math"

	"epsiloscope/scenarios/report/scale"
	"epsiloscope/tui/theme"

	"github.com/NimbleMarkets/ntcharts/canvas"
	"github.com/NimbleMarkets/ntcharts/canvas/runes"
)

// dots is a raster of braille cells, two dots wide and four high each. It does the
// work of graph.BrailleGrid for one series after another without allocating a grid
// for each: of 100×30 cells a grid takes 244 allocations and 280 µs, which was two thirds of
// the cost of a frame; a raster that is used again takes none and 1 µs.
type dots struct {
	w, h    int // in cells
	bits    []uint8
	touched []int // cells with a dot, in the order first touched
}

// brailleBits are the dots of a cell by row and column, after the Unicode block
// "Braille Patterns".
var brailleBits = [4][2]uint8{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}

func (d *dots) reset(w, h int) {
	for _, c := range d.touched {
		d.bits[c] = 0
	}
	d.touched = d.touched[:0]
	d.w, d.h = w, h
	if len(d.bits) < w*h {
		d.bits = make([]uint8, w*h)
	}
}

func (d *dots) set(p canvas.Point) {
	if p.X < 0 || p.Y < 0 || p.X >= 2*d.w || p.Y >= 4*d.h {
		return
	}
	c := p.Y/4*d.w + p.X/2
	if d.bits[c] == 0 {
		d.touched = append(d.touched, c)
	}
	d.bits[c] |= brailleBits[p.Y%4][p.X%2]
}

func (d *dots) rune(cell int) rune { return runes.BrailleBlockOffset | rune(d.bits[cell]) }

// at is the dot of a place in the picture.
func (d *dots) at(p scale.Point) canvas.Point {
	return canvas.Point{
		X: int(math.Round(p.X * float64(2*d.w-1))),
		Y: 4*d.h - 1 - int(math.Round(p.Y*float64(4*d.h-1))),
	}
}

// stroke draws clipped lines and carries the dash pattern along them.
type stroke struct {
	dots  *dots
	dash  theme.Dash
	n     int // dots walked
	last  canvas.Point
	drawn bool
}

// lift ends a line: the pattern starts anew after a gap.
func (s *stroke) lift() { s.n, s.drawn = 0, false }

// line walks the dots of a segment. They are those of graph.GetLinePoints, which appends them
// to a slice dot by dot: a third of the allocations of a frame.
func (s *stroke) line(a, b scale.Point) {
	a, b, ok := scale.Clip(a, b)
	if !ok {
		return
	}
	q, to := s.dots.at(a), s.dots.at(b)
	right, down := cmp.Compare(to.X, q.X), cmp.Compare(to.Y, q.Y)
	dx, dy := right*(to.X-q.X), down*(to.Y-q.Y)
	n := max(dx, dy)
	ex, ey := n, n
	if dx > dy && right > 0 || dx <= dy && down >= 0 { // half a dot belongs to the end on the left, or above
		ex, ey = n-1, n-1
	}
	for s.dot(q); q != to; s.dot(q) {
		if ex += 2 * dx; ex >= 2*n {
			ex -= 2 * n
			q.X += right
		}
		if ey += 2 * dy; ey >= 2*n {
			ey -= 2 * n
			q.Y += down
		}
	}
}

func (s *stroke) dot(q canvas.Point) {
	if s.drawn && q == s.last {
		return
	}
	if s.dash.On(s.n) {
		s.dots.set(q)
	}
	s.n++
	s.last, s.drawn = q, true
}
