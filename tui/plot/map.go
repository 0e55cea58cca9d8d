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

// Shade is the rune for values up to To times the budget.
type Shade struct {
	Rune rune
	To   float64
}

// Shades returns the shades of a map, from the least; values beyond the last are drawn in it.
func Shades(g theme.Glyphs) []Shade {
	shades := make([]Shade, len(g.Shades))
	for i, r := range g.Shades {
		shades[i] = Shade{r, math.Ldexp(0.5, i)}
	}
	return shades
}

// Ink returns the colour of a shade: what fits, and what does not.
func (shade Shade) Ink(p *draw.Pen) *draw.Ink {
	if shade.To > 1 {
		return &p.Beyond
	}
	return &p.Good
}

// levels is the number of shades of a colour a smooth map has.
const levels = 8

// Tint returns the colour of a value on a terminal with shades: the fuller the more of the budget it
// takes, and another colour beyond it. The zero tint is a gap.
func (m Map) Tint(p *draw.Pen, value float64) draw.Tint {
	if math.IsNaN(value) {
		return draw.Tint{}
	}
	part := 0.5
	if m.Budget > 0 {
		part = math.Log2(value / m.Budget)
	}
	step := func(t float64) float64 { return math.Round(levels*math.Max(0, math.Min(1, t))) / levels }
	if m.Budget > 0 && value > m.Budget {
		return p.Tint(p.Theme.Over, 0.35+0.5*step(part/3))
	}
	return p.Tint(p.Theme.Good, 0.2+0.5*step(1+part/4))
}

// field returns the value between places, smooth on a logarithmic scale; at the middle of a place it is
// the value there, and beside a gap the nearest one.
func (m Map) field(x, y float64) float64 {
	w, h := len(m.Rows[0]), len(m.Rows)
	x, y = math.Max(0, math.Min(float64(w-1), x)), math.Max(0, math.Min(float64(h-1), y))
	x0, y0 := int(x), int(y)
	x1, y1 := min(x0+1, w-1), min(y0+1, h-1)
	tx, ty := x-float64(x0), y-float64(y0)
	log := (math.Log(m.Rows[y0][x0])*(1-tx)+math.Log(m.Rows[y0][x1])*tx)*(1-ty) + (math.Log(m.Rows[y1][x0])*(1-tx)+math.Log(m.Rows[y1][x1])*tx)*ty
	if math.IsNaN(log) || math.IsInf(log, 0) {
		return m.Rows[int(math.Round(y))][int(math.Round(x))]
	}
	return math.Exp(log)
}

// middleOf returns where the middle of a cell lies between n places that share a number of cells: on the
// place itself if its middle is in the cell, so that every place is seen in its own colour.
func middleOf(cell, n, cells int) float64 {
	x := (float64(cell)+0.5)*float64(n)/float64(cells) - 0.5
	if place := math.Round(x); math.Abs(x-place) <= float64(n)/float64(2*cells)*(1+1e-9) {
		return place
	}
	return x
}

// smooth draws the map in half blocks, two values a cell.
func (m Map) smooth(p *draw.Pen, w, h int) string {
	s := surface{w: w, h: h}
	s.reset()
	at := func(cx, half int) draw.Tint {
		return m.Tint(p, m.field(middleOf(cx, len(m.Rows[0]), w), middleOf(half, len(m.Rows), 2*h)))
	}
	for k := range w * h {
		cx, cy := k%w, k/w
		upper, lower := at(cx, 2*cy), at(cx, 2*cy+1)
		switch c := &s.cells[k]; {
		case upper.IsZero() && lower.IsZero():
		case lower.IsZero():
			*c = cell{r: '▀', on: tintLayer, ink: upper.Ink, tint: upper.Ground}
		case upper.IsZero():
			*c = cell{r: '▄', on: tintLayer, ink: lower.Ink, tint: lower.Ground}
		default:
			*c = cell{r: '▀', on: tintLayer, ink: upper.Ink, behind: lower.Ground, tint: lower.Ground}
		}
	}
	cx, cy := m.Cell(m.X, m.Y, w, h)
	here := m.Tint(p, m.Rows[m.Y][m.X])
	s.cells[cy*w+cx].tint = here.Ground // the colour of the place itself, not of the half cell
	s.text(cx, cy, p.Glyphs.SliderKnob, &p.Strong)
	return s.render()
}

// Place returns the place of a cell in a drawing of w×h cells.
func (m Map) Place(cx, cy, w, h int) (x, y int) {
	return cx * len(m.Rows[0]) / w, cy * len(m.Rows) / h
}

// Cell returns the cell in the middle of a place.
func (m Map) Cell(x, y, w, h int) (cx, cy int) {
	middle := func(i, n, cells int) int { return ((i*cells+n-1)/n + ((i+1)*cells+n-1)/n - 1) / 2 } // of its first and last
	return middle(x, len(m.Rows[0]), w), middle(y, len(m.Rows), h)
}

// View draws the map on w×h cells, at least one per place. What fits the budget has the thin shades, what does not the dense ones: without
// colours a line between them would be a band of its own.
func (m Map) View(p *draw.Pen, w, h int) string {
	if len(m.Rows) == 0 || w < len(m.Rows[0]) || h < len(m.Rows) {
		return ""
	}
	if p.FineColours() && !p.Glyphs.ASCII {
		return m.smooth(p, w, h)
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
		s.set(cx, cy, shades[i].Rune, shades[i].Ink(p), curveLayer)
	}
	cx, cy := m.Cell(m.X, m.Y, w, h)
	s.text(cx, cy, p.Glyphs.SliderKnob, &p.Accent)
	return s.render()
}
