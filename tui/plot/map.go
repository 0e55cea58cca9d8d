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

// Shades are those of a map, from the least; what is beyond the last is drawn as it.
func Shades(g theme.Glyphs) []Shade {
	r := []rune("·░▒▓█")
	if g.ASCII {
		r = []rune(".:+%#")
	}
	return []Shade{{r[0], 0.25}, {r[1], 0.5}, {r[2], 1}, {r[3], 2}, {r[4], 4}}
}

// Ink is the colour of a shade: what fits, and what does not.
func (shade Shade) Ink(p *draw.Pen) lipgloss.Style {
	if shade.To > 1 {
		return p.Style(p.Theme.Over)
	}
	return p.Style(p.Theme.Good)
}

// Border is the line where the budget ends.
func Border(g theme.Glyphs) rune {
	if g.ASCII {
		return '|'
	}
	return '┃'
}

// View draws the map, each place so many cells wide and deep.
func (m Map) View(p *draw.Pen, wide, deep int) string {
	h := len(m.Rows)
	if h == 0 || wide < 1 || deep < 1 {
		return ""
	}
	w := len(m.Rows[0])
	c := canvas.New(w*wide, h*deep, canvas.WithViewWidth(w*wide), canvas.WithViewHeight(h*deep))
	for y := range m.Rows {
		for x, value := range m.Rows[y] {
			r, ink := m.cell(p, value)
			for k := range wide * deep {
				at := canvas.Point{X: x*wide + k%wide, Y: y*deep + k/wide}
				c.SetCell(at, canvas.NewCellWithStyle(r, ink))
			}
			m.border(&c, p, x, y, wide, deep)
		}
	}
	knob, _ := utf8.DecodeRuneInString(p.Glyphs.SliderKnob)
	c.SetCell(canvas.Point{X: m.X*wide + wide/2, Y: m.Y*deep + deep/2}, canvas.NewCellWithStyle(knob, p.Style(p.Theme.Accent).Bold(true)))
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

// within reports whether a place fits; a gap does not.
func (m Map) within(x, y int) bool { return m.Rows[y][x] <= m.Budget }

// border marks the side of a place that fits towards one that does not.
func (m Map) border(c *canvas.Model, p *draw.Pen, x, y, wide, deep int) {
	if m.Budget <= 0 || !m.within(x, y) {
		return
	}
	side := func(dx, dy int) bool {
		nx, ny := x+dx, y+dy
		return nx >= 0 && ny >= 0 && ny < len(m.Rows) && nx < len(m.Rows[y]) && !m.within(nx, ny)
	}
	upright, level := Border(p.Glyphs), '━'
	if p.Glyphs.ASCII {
		level = '-'
	}
	put := func(px, py int, r rune) {
		c.SetCell(canvas.Point{X: px, Y: py}, canvas.NewCellWithStyle(r, p.Style(p.Theme.Good).Bold(true)))
	}
	for k := range wide {
		if side(0, -1) {
			put(x*wide+k, y*deep, level)
		}
		if side(0, +1) {
			put(x*wide+k, y*deep+deep-1, level)
		}
	}
	for k := range deep {
		if side(-1, 0) {
			put(x*wide, y*deep+k, upright)
		}
		if side(+1, 0) {
			put(x*wide+wide-1, y*deep+k, upright)
		}
	}
}
