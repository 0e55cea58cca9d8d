package plot

import (
	"math"
	"strings"

	"epsiloscope/scenarios/report"
	"epsiloscope/scenarios/report/scale"
)

// drawOver draws the crosshair, or else what the legend reads off, over a finished picture.
func (p *Plot) drawOver(s *surface) {
	if p.cursorOn {
		p.drawCursor(s)
	} else {
		p.drawRest(s)
	}
}

func (p *Plot) drawCursor(s *surface) {
	g := &p.geo
	if len(p.chart.Bars) > 0 || !g.ok() {
		return // bars mark the selected one themselves
	}
	col := g.px + p.cursorCol
	s.down(col, g.py, g.ph, p.glyphs.CursorV, accentPen, ruleLayer)
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
	p.drawX(s)
	p.drawReadingLine(s, readings)
}

// resting reports that the legend reads the curves off though there is no crosshair.
// Curves a hair apart, as those of good theorems are, cannot be told by eye.
func (p *Plot) resting() bool {
	return p.geo.legendValues && p.chart.Read != 0 && len(p.chart.Bars) == 0 && visible(p.geo.x.Fraction(p.chart.Read))
}

// drawRest writes the values at the chart's own x beside the names, and below them
// which x that is.
func (p *Plot) drawRest(s *surface) {
	g := &p.geo
	p.drawLegendValues(s, p.readings(p.chart.Read))
	label, value := p.label(p.chart.X.Label), " = "+g.x.Label(p.chart.Read)
	if width(label+value) > g.legendW { // its symbol, which comes last
		label = label[strings.LastIndexByte(label, ' ')+1:]
	}
	at := label + value
	y := g.py + g.legendStep*len(g.names)
	if y < g.py+g.ph {
		s.text(p.w-min(g.legendW, max(width(at), valueWidth)), y, p.pen.Cut(at, g.legendW), mutedPen)
	}
}

func (p *Plot) drawLegendValues(s *surface, readings []Reading) {
	for k, n := range p.geo.names {
		i, y := n.series, p.geo.py+k*p.geo.legendStep
		r := readings[i]
		text := p.fitValue(r.Y)
		if math.IsNaN(r.Y) && !p.cursorOn { // nobody asked what it is there
			text = ""
		}
		if p.geo.legendStep == 1 {
			s.text(p.w-width(text), y, text, p.valuePen(i, r))
		} else {
			s.text(p.geo.legendX+sampleWidth+1, y+1, text, p.valuePen(i, r))
		}
	}
}

// fitValue prints v with as many of four digits as a value of the legend has room for; one
// always fits.
func (p *Plot) fitValue(v float64) (s string) {
	for digits := 4; digits > 0; digits-- {
		if s = p.readOff(v, digits); len(s) <= valueWidth {
			break
		}
	}
	return s
}

// readOff prints a value of the y axis. An upper bound is rounded up: a privacy loss
// must not be read as smaller than it is.
func (p *Plot) readOff(v float64, digits int) string {
	switch {
	case !p.chart.Y.Upper || !finite(v) || v <= 0:
		return scale.Format(v, digits)
	case digits >= 4:
		return report.Upper(v)
	}
	return scale.Format(v*(1+5*math.Pow10(-digits)), digits) // more than rounding can take away
}

func (p *Plot) valuePen(i int, r Reading) pen {
	if math.IsNaN(r.Y) {
		return mutedPen
	}
	return p.seriesPen(i)
}

// drawX writes x below the crosshair, in place of the tick labels it would touch.
func (p *Plot) drawX(s *surface) {
	g := &p.geo
	if !g.axes {
		return
	}
	row := g.py + g.ph + 1
	text := g.x.Label(p.cursorX)
	x := max(0, min(g.px+p.cursorCol-(len(text)-1)/2, p.w-len(text)))
	for _, t := range g.xTicks {
		if t.start < x+len(text)+1 && x < t.start+len(t.label)+1 {
			s.clear(t.start, row, len(t.label))
		}
	}
	if g.xTitleX > 0 && x+len(text) >= g.xTitleX {
		s.clear(g.xTitleX, row, p.w-g.xTitleX)
	}
	s.text(x, row, text, accentPen)
}

// drawReadingLine writes the values where the legend cannot show them on the title
// row, in place of a legend there.
func (p *Plot) drawReadingLine(s *surface, readings []Reading) {
	g := &p.geo
	if g.titleRow < 0 || g.legendValues {
		return
	}
	x := max(width(p.label(p.chart.Y.Label)), g.px-1) + 2
	if g.legend == legendTop {
		s.clear(x, g.titleRow, max(0, p.w-x))
	}
	for i, r := range readings {
		text := p.name(r.Name) + " " + r.Text
		if x+width(text) > p.w {
			return
		}
		x = s.text(x, g.titleRow, text, p.valuePen(i, r)) + 2
	}
}
