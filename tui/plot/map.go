package plot

import (
	"math"
	"slices"

	"epsiloscope/accounting/numeral"
	"epsiloscope/report"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/theme"
)

// Map is a heat map: one value a place, in bands that end at parts and multiples of a budget, and a cursor. That of
// ntcharts tells values apart by the background colour alone: where colour is off it would be blank.
type Map struct {
	Rows   [][]float64 // from the top; NaN is a gap
	Budget float64     // 0 for none
	X, Y   int         // the cursor
}

// Band is a range of values of a map: those up to To times the budget that the bands before it leave.
type Band struct {
	Rune rune // where the terminal has no shades of colours
	To   float64
}

// Bands returns the five bands of a map, from the least: three fit the budget, two do not. Values beyond the last are
// drawn in it.
func Bands(g theme.Glyphs) []Band {
	bands := make([]Band, len(g.Shades))
	for i, r := range g.Shades {
		bands[i] = Band{r, math.Ldexp(0.25, i)}
	}
	return bands
}

// Ink returns the colour of a band: what fits, and what does not.
func (band Band) Ink(p *draw.Pen) *draw.Ink {
	if band.To > 1 {
		return &p.Beyond
	}
	return &p.Good
}

// shares are the parts of its colour that the bands have in the ground: as much as their runes cover of a cell, so that
// the map is as bright on every terminal.
var shares = [...]float64{0.1, 0.25, 0.5, 0.75, 1}

// Tint returns the ground of a band, on a terminal with shades.
func (m Map) Tint(p *draw.Pen, band int) draw.Tint {
	if Bands(p.Glyphs)[band].To > 1 {
		return p.Tint(p.Theme.Over, shares[band])
	}
	return p.Tint(p.Theme.Good, shares[band])
}

// bandOf returns the place of the band of a value; -1 for a gap.
func (m Map) bandOf(bands []Band, value float64) int {
	if math.IsNaN(value) {
		return -1
	}
	i := slices.IndexFunc(bands, func(b Band) bool { return m.Budget <= 0 || value <= b.To*m.Budget })
	if i < 0 {
		i = len(bands) - 1
	}
	return i
}

// field returns the value between places, smooth on a logarithmic scale; at the middle of a place it is
// the value there, and beside a gap the nearest one.
func (m Map) field(x, y float64) float64 {
	w, h := len(m.Rows[0]), len(m.Rows)
	x, y = math.Max(0, math.Min(float64(w-1), x)), math.Max(0, math.Min(float64(h-1), y))
	x0, y0 := int(x), int(y)
	x1, y1 := min(x0+1, w-1), min(y0+1, h-1)
	tx, ty := x-float64(x0), y-float64(y0)
	log := (math.Log(m.Rows[y0][x0])*(1-tx)+math.Log(m.Rows[y0][x1])*tx)*(1-ty) +
		(math.Log(m.Rows[y1][x0])*(1-tx)+math.Log(m.Rows[y1][x1])*tx)*ty
	if math.IsNaN(log) || math.IsInf(log, 0) {
		return m.Rows[int(math.Round(y))][int(math.Round(x))]
	}
	return math.Exp(log)
}

// positions returns where the middles of cells lie between n places that share them. A cell that holds the middle of a
// place lies on the place itself, so that every place is seen in its own colour, and the others on their side of it.
func positions(n, cells int) []float64 {
	at := make([]float64, cells)
	half := float64(n) / float64(2*cells)
	for i := range at {
		at[i] = float64(2*i+1)*half - 0.5
		if place := math.Round(at[i]); math.Abs(at[i]-place) <= half*(1+1e-9) {
			at[i] = place
		}
	}
	for place := range n {
		at[middleCell(place, n, cells)] = float64(place)
	}
	return at
}

// middleCell returns the cell in the middle of a place, of those from its first to its last.
func middleCell(place, n, cells int) int {
	first, last := (place*cells+n-1)/n, ((place+1)*cells+n-1)/n-1
	return (first + last) / 2
}

// Place returns the place of a cell in a drawing of w×h cells.
func (m Map) Place(cx, cy, w, h int) (x, y int) {
	return cx * len(m.Rows[0]) / w, cy * len(m.Rows) / h
}

// Cell returns the cell in the middle of a place.
func (m Map) Cell(x, y, w, h int) (cx, cy int) {
	return middleCell(x, len(m.Rows[0]), w), middleCell(y, len(m.Rows), h)
}

// View draws the map on w×h cells, at least one per place: in bands, the same on every terminal, with the value at
// which one ends on the line between it and the next.
func (m Map) View(p *draw.Pen, w, h int) string {
	if len(m.Rows) == 0 || w < len(m.Rows[0]) || h < len(m.Rows) {
		return ""
	}
	bands, fine := Bands(p.Glyphs), p.FineColours() && !p.Glyphs.ASCII
	s := surface{w: w, h: h}
	s.reset()
	at := make([]int, w*h)
	xs, ys := positions(len(m.Rows[0]), w), positions(len(m.Rows), h)
	for k := range at {
		at[k] = m.bandOf(bands, m.field(xs[k%w], ys[k/w]))
	}
	for k := range at {
		switch {
		case at[k] < 0:
		case fine:
			ground := m.Tint(p, at[k]).Ground
			s.cells[k] = cell{r: ' ', on: tintLayer, behind: ground, tint: ground}
		default:
			s.set(k%w, k/w, bands[at[k]].Rune, bands[at[k]].Ink(p), tintLayer)
		}
	}
	cx, cy := m.Cell(m.X, m.Y, w, h)
	s.writeBare(cx, cy, p.Glyphs.SliderKnob, &p.Accent)
	for i := range bands[1:] {
		m.labelContour(p, &s, at, i)
	}
	return s.render()
}

// labelContour writes the value at which a band ends on the line between it and the next, at the first place that is
// free, from a row of its own on.
func (m Map) labelContour(p *draw.Pen, s *surface, at []int, band int) {
	if m.Budget <= 0 || s.w < 40 || s.h < 8 {
		return
	}
	text := " " + report.FormatGiven(numeral.Round(Bands(p.Glyphs)[band].To*m.Budget, 4)) + " "
	n := width(text)
	for d := range s.h {
		row := (d + (2*band+1)*s.h/9) % s.h
		for x := 1; x < s.w; x++ {
			a, b := at[row*s.w+x-1], at[row*s.w+x]
			if start := x - n/2; a >= 0 && b >= 0 && (a <= band) != (b <= band) && start >= 0 && start+n <= s.w &&
				s.free(start, row, n, tintLayer) {
				s.writeBare(start, row, text, &p.Strong)
				return
			}
		}
	}
}

// writeBare writes on the ground of the terminal, on which every ink can be read, also where a cell has a tint.
func (s *surface) writeBare(x, y int, text string, ink *draw.Ink) {
	for i := range width(text) {
		s.cells[y*s.w+x+i] = cell{r: ' '}
	}
	s.text(x, y, text, ink)
}
