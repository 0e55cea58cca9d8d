package plot

import (
	"slices"

	"epsiloscope/report/scale"
)

// drawCursor draws the crosshair over a finished picture.
func (p *Plot) drawCursor() {
	g := &p.geo
	col := g.px + p.column()
	p.down(col, g.py, g.ph, p.pen.Glyphs.CursorV, &p.pen.Accent, ruleLayer)
	readings := p.readings(p.cursorX)
	for _, i := range slices.Backward(p.ranks.Order) {
		if t := g.y.Fraction(readings[i].Y); scale.IsVisible(t) {
			mark := p.pen.Glyphs.CursorDot
			switch {
			case p.pen.Glyphs.ASCII:
				mark = p.letter(i)
			case p.monochrome():
				mark = p.look(i).Marker
			}
			p.set(col, g.row(t), mark, p.ink(i), textLayer)
		}
	}
	p.drawX()
	if g.legend.values {
		p.drawValues(readings)
		p.drawHead("at ", p.cursorX, &p.pen.Accent)
	}
}

// drawX writes x below the crosshair, in place of the tick labels it would touch.
func (p *Plot) drawX() {
	g := &p.geo
	if !g.axes {
		return
	}
	row := g.py + g.ph + 1
	text := g.x.Label(p.cursorX)
	x := max(0, min(g.px+p.column()-(len(text)-1)/2, p.w-len(text)))
	for _, t := range g.xTicks {
		if t.start < x+len(text)+1 && x < t.end()+1 {
			p.clear(t.start, row, len(t.label))
		}
	}
	if t := g.xTitle; t.y == row && t.text != "" && x+len(text) >= t.x {
		p.clear(t.x, row, p.w-t.x)
	}
	p.text(x, row, text, &p.pen.Accent)
}
