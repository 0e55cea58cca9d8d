package plot

import (
	"math"
	"slices"
	"unicode/utf8"

	"epsiloscope/tui/draw"
	"epsiloscope/tui/theme"

	"github.com/NimbleMarkets/ntcharts/canvas"
	"github.com/charmbracelet/lipgloss"
)

// Map is a heat map: one value a place, the line where a budget ends, and a cursor. It is
// drawn on ntcharts' canvas. Its heat map is not used: that tells values apart by the
// background colour alone, and where colour is off it would be blank.
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
func (shade Shade) Ink(p *draw.Pen) lipgloss.Style {
	if shade.To > 1 {
		return p.Style(p.Theme.Over)
	}
	return p.Style(p.Theme.Good)
}

// Place is the place of a cell in a drawing of w×h cells.
func (m Map) Place(cx, cy, w, h int) (x, y int) {
	return cx * len(m.Rows[0]) / w, cy * len(m.Rows) / h
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
	border := p.Style(p.Theme.Good).Bold(true)
	c := canvas.New(w, h, canvas.WithViewWidth(w), canvas.WithViewHeight(h))
	for k := range w * h {
		at := canvas.Point{X: k % w, Y: k / w}
		x, y := m.Place(at.X, at.Y, w, h)
		r, ink := m.cell(p, m.Rows[y][x])
		switch {
		case m.Budget <= 0 || !within(at.X, at.Y):
		case !within(at.X-1, at.Y) || !within(at.X+1, at.Y):
			r, ink = p.Glyphs.EdgeV, border
		case !within(at.X, at.Y-1) || !within(at.X, at.Y+1):
			r, ink = p.Glyphs.EdgeH, border
		}
		c.SetCell(at, canvas.NewCellWithStyle(r, ink))
	}
	knob, _ := utf8.DecodeRuneInString(p.Glyphs.SliderKnob)
	middle := canvas.Point{X: (2*m.X + 1) * w / (2 * len(m.Rows[0])), Y: (2*m.Y + 1) * h / (2 * len(m.Rows))}
	c.SetCell(middle, canvas.NewCellWithStyle(knob, p.Style(p.Theme.Accent).Bold(true)))
	return c.View()
}

func (m Map) cell(p *draw.Pen, value float64) (rune, lipgloss.Style) {
	if math.IsNaN(value) {
		return ' ', p.Style(nil)
	}
	shades := Shades(p.Glyphs)
	i := slices.IndexFunc(shades, func(shade Shade) bool { return m.Budget <= 0 || value <= shade.To*m.Budget })
	if i < 0 {
		i = len(shades) - 1
	}
	return shades[i].Rune, shades[i].Ink(p)
}
