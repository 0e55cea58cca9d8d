package plot

import (
	"math"
	"strings"

	"epsiloscope/scenarios/report/chart"
	"epsiloscope/scenarios/report/scale"
	"epsiloscope/tui/draw"
)

// drawCursor draws the crosshair over a finished picture.
func (p *Plot) drawCursor() {
	g := &p.geo
	col := g.px + p.column()
	p.down(col, g.py, g.ph, p.pen.Glyphs.CursorV, &p.pen.Accent, ruleLayer)
	readings := p.readings(p.cursorX)
	for _, i := range p.chart.Order() {
		if t := g.y.Fraction(readings[i].Y); scale.Visible(t) {
			look := p.look(i)
			if !p.monochrome() && !p.pen.Glyphs.ASCII {
				look.Marker = p.pen.Glyphs.CursorDot
			}
			p.set(col, g.row(t), look.Marker, look.Ink, textLayer)
		}
	}
	p.drawX()
	if g.legend.values {
		p.drawLegendValues(readings)
	}
}

// drawRest writes the values at the chart's own x beside the names, where there is no crosshair,
// and below them which x that is. Curves a hair apart, as those of good theorems are, cannot be
// told by eye.
func (p *Plot) drawRest() {
	g, l := &p.geo, &p.geo.legend
	if !l.values || p.chart.Read == 0 || !scale.Visible(g.x.Fraction(p.chart.Read)) {
		return
	}
	p.drawLegendValues(p.readings(p.chart.Read))
	label, value := p.label(p.chart.X.Label), " = "+g.x.Label(p.chart.Read)
	if width(label+value) > l.w { // its symbol, which comes last
		label = label[strings.LastIndexByte(label, ' ')+1:]
	}
	at := label + value
	if y := l.y + l.step*len(l.names); y < g.py+g.ph {
		p.text(p.w-min(l.w, max(width(at), valueWidth)), y, p.pen.Cut(at, l.w), &p.pen.Muted)
	}
}

func (p *Plot) drawLegendValues(readings []Reading) {
	l := &p.geo.legend
	for k, n := range l.names {
		r := readings[n.series]
		text := fitValue(p.chart.Reads(n.series), r.Y)
		x, y := p.w-width(text), l.y+k*l.step
		if l.step > 1 {
			x, y = l.x+sampleWidth+1, y+1
		}
		if p.cursorOn || !math.IsNaN(r.Y) { // else nobody asked what it is there
			p.text(x, y, text, p.valueInk(n.series, r))
		}
	}
}

// fitValue prints v with as many of four digits as a value of the legend has room for; one
// always fits.
func fitValue(axis chart.Axis, v float64) (s string) {
	for digits := 4; digits > 0; digits-- {
		if s = scale.Reading(axis, v, digits); len(s) <= valueWidth {
			break
		}
	}
	return s
}

func (p *Plot) valueInk(i int, r Reading) *draw.Ink {
	if math.IsNaN(r.Y) {
		return &p.pen.Muted
	}
	return p.look(i).Ink
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
