package plot

import (
	"math"

	"epsiloscope/scenarios/report/scale"
)

// drawCursor draws the crosshair over a finished picture.
func (p *Plot) drawCursor(s *surface) {
	g := &p.geo
	if len(p.chart.Bars) > 0 || !g.ok() {
		return // bars mark the selected one themselves
	}
	col := g.px + p.cursorCol
	for y := g.py; y < g.py+g.ph; y++ {
		if s.at(col, y).on < curveLayer {
			s.set(col, y, p.glyphs.CursorV, accentPen, ruleLayer)
		}
	}
	readings := p.Readout()
	for _, i := range p.drawOrder() {
		if t := g.y.Fraction(readings[i].Y); visible(t) {
			dot := p.glyphs.CursorDot
			if p.monochrome() || p.glyphs.ASCII {
				dot = p.markRune(i)
			}
			s.set(col, g.row(t), dot, p.seriesPen(i), textLayer)
		}
	}
	if g.legendValues {
		p.drawLegendValues(s, readings)
	}
	p.drawReadingLine(s, readings)
}

func (p *Plot) drawLegendValues(s *surface, readings []Reading) {
	y := p.geo.py
	for i, r := range readings {
		if p.chart.Series[i].Name == "" {
			continue
		}
		text := fitValue(r.Y, valueWidth)
		if p.geo.legendStep == 1 {
			s.text(p.w-width(text), y, text, p.valuePen(i, r))
		} else {
			s.text(p.geo.legendX+sampleWidth+1, y+1, text, p.valuePen(i, r))
		}
		y += p.geo.legendStep
	}
}

// fitValue prints v in n columns with as many of four digits as fit.
func fitValue(v float64, n int) string {
	for digits := 4; digits > 1; digits-- {
		if s := scale.Format(v, digits); len(s) <= n {
			return s
		}
	}
	return cut(scale.Format(v, 1), n, "")
}

func (p *Plot) valuePen(i int, r Reading) pen {
	if math.IsNaN(r.Y) {
		return mutedPen
	}
	return p.seriesPen(i)
}

// drawReadingLine writes x, and the values where the legend cannot show them, on
// the first row, in place of a legend there.
func (p *Plot) drawReadingLine(s *surface, readings []Reading) {
	g := &p.geo
	name := cut(p.label(p.chart.X.Label), p.w/3, p.glyphs.Ellipsis)
	if name == "" {
		name = "x"
	}
	at := name + " = " + scale.Format(p.cursorX, 4)
	left := 0
	if g.titleRow == 0 {
		left = width(p.label(p.chart.Y.Label))
		left = max(left, g.px-1) + 2
	}
	if g.legendValues {
		s.text(max(left, g.legendX-width(at)-2), 0, at, accentPen)
		return
	}
	x := left
	if g.legend == legendTop {
		for i := left; i < p.w; i++ {
			s.set(i, 0, ' ', plainPen, empty)
		}
	}
	if g.titleRow < 0 {
		x = g.px
	}
	limit := p.w
	if g.legend == legendRight && g.titleRow < 0 {
		limit = g.legendX - 1
	}
	if x+width(at) > limit {
		return
	}
	x = s.text(x, 0, at, accentPen)
	for i, r := range readings {
		text := p.name(r.Name) + " " + r.Text
		if x+2+width(text) > limit {
			return
		}
		x = s.text(x, 0, "  ", plainPen)
		x = s.text(x, 0, text, p.valuePen(i, r))
	}
}
