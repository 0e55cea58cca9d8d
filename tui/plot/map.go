package plot

import (
	"math"
	"slices"

	"epsiloscope/tui/draw"
	"epsiloscope/tui/theme"
)

// Map is a heat map: one value a place, the line where a budget ends, and a cursor. That of
// ntcharts tells values apart by the background colour alone: where colour is off it would be blank.
type Map struct {
	Rows   [][]float64 // from the top; NaN is a gap
	Budget float64     // 0 for none
	X, Y   int         // the cursor
}

// Shade is how values up to To times the budget are drawn.
type Shade struct {
	Rune rune
	To   float64
}

// Shades are those of a map, from the least; what lies beyond the last is drawn in it.
func Shades(g theme.Glyphs) []Shade {
	shades := make([]Shade, len(g.Shades))
	for i, r := range g.Shades {
		shades[i] = Shade{r, math.Ldexp(0.25, i)}
	}
	return shades
}

// Ink is the colour of a shade: what fits, and what does not.
func (shade Shade) Ink(p *draw.Pen) *draw.Ink {
	if shade.To > 1 {
		return &p.Beyond
	}
	return &p.Good
}

// Place is the place of a cell in a drawing of w×h cells.
func (m Map) Place(cx, cy, w, h int) (x, y int) {
	return cx * len(m.Rows[0]) / w, cy * len(m.Rows) / h
}

// Cell is the cell in the middle of a place.
func (m Map) Cell(x, y, w, h int) (cx, cy int) {
	middle := func(i, n, cells int) int { return ((i*cells+n-1)/n + ((i+1)*cells+n-1)/n - 1) / 2 } // of its first and last
	return middle(x, len(m.Rows[0]), w), middle(y, len(m.Rows), h)
}

// View draws the map on w×h cells, at least one a place. A place that fits the budget has a
// line on each side towards one that does not.
func (m Map) View(p *draw.Pen, w, h int) string {
	if len(m.Rows) == 0 || w < len(m.Rows[0]) || h < len(m.Rows) {
		return ""
	}
	within := func(cx, cy int) bool {
		x, y := m.Place(min(max(cx, 0), w-1), min(max(cy, 0), h-1), w, h)
		return m.Rows[y][x] <= m.Budget
	}
	s, shades := surface{w: w, h: h}, Shades(p.Glyphs)
	s.reset()
	for k := range w * h {
		cx, cy := k%w, k/w
		x, y := m.Place(cx, cy, w, h)
		value := m.Rows[y][x]
		if math.IsNaN(value) {
			continue
		}
		i := slices.IndexFunc(shades, func(shade Shade) bool { return m.Budget <= 0 || value <= shade.To*m.Budget })
		if i < 0 {
			i = len(shades) - 1
		}
		r, ink := shades[i].Rune, shades[i].Ink(p)
		switch {
		case m.Budget <= 0 || !within(cx, cy):
		case !within(cx-1, cy) || !within(cx+1, cy):
			r, ink = p.Glyphs.EdgeV, &p.Winner
		case !within(cx, cy-1) || !within(cx, cy+1):
			r, ink = p.Glyphs.EdgeH, &p.Winner
		}
		s.set(cx, cy, r, ink, curveLayer)
	}
	cx, cy := m.Cell(m.X, m.Y, w, h)
	s.text(cx, cy, p.Glyphs.SliderKnob, &p.Accent)
	return s.render()
}
