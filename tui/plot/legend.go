package plot

import (
	"strings"

	"epsiloscope/scenarios/report/scale"

	"github.com/NimbleMarkets/ntcharts/canvas/runes"
)

type legendPlace int

const (
	noLegend legendPlace = iota
	legendTop
	legendRight
	legendBottom
)

const (
	sampleWidth = 4 // columns of line shown before a name
	valueWidth  = 8 // columns of a value at the crosshair: 1.234e-6
	maxName     = 28
)

// brief shortens the long words of legends that have to share one narrow row.
var brief = strings.NewReplacer("advanced", "adv.", "Gaussian at equal cost", "Gaussian, equal cost", "exponential = ", "", "Laplace = ", "",
	"exponential noise", "exp.", "exponential", "exp.", "noisy max", "max")

// placeLegend keeps the legend off the data, and always in the same place for the
// same size and names: beside the plot when wide, on the title row when it fits
// there, below when there is height to spare, else nowhere.
func (p *Plot) placeLegend(g *geometry) {
	g.names = p.legendNames()
	widest, total, count := 0, 0, len(g.names)
	if count == 0 {
		return
	}
	for _, n := range g.names {
		widest = max(widest, width(n.name))
		total += sampleWidth + 1 + width(n.name) + 2
	}
	titleWidth := width(p.label(p.chart.Y.Label)) + 3
	switch {
	case count > 1 && p.w >= sideLegendWidth && p.h-3 >= count:
		g.legend = legendRight
		g.legendW = sampleWidth + 1 + widest
		g.legendStep = 1
		switch {
		case p.w >= sideValuesWidth || p.w-g.legendW-1-valueWidth >= leastBeside: // values beside the names
			g.legendValues = true
			g.legendW += 1 + valueWidth
		case p.h-4 >= 2*count: // values below the names
			g.legendValues = true
			g.legendStep = 2
			g.legendW = max(g.legendW, sampleWidth+1+valueWidth)
		}
		g.legendX = p.w - g.legendW
	case p.h >= titleHeight && g.axes && titleWidth+total <= p.w:
		g.legend = legendTop
		g.legendX = p.w - total + 2
	case p.h >= titleHeight && p.h < bottomLegendHeight && g.axes && g.tight() <= p.w: // where it takes the y title's place, the frame has a title
		g.legend, g.legendTight = legendTop, true
		g.legendX, g.untitled = p.w-g.tight(), titleWidth+g.tight() > p.w
	case p.h >= bottomLegendHeight && g.axes && count > 1:
		g.legend = legendBottom
		g.legendTight = total > p.w-8 // the legend starts where the plot does
	}
}

// named is a series with its name in the legend.
type named struct {
	series int
	name   string
}

// legendNames lists the series that have a name; a single curve named like its axis needs no
// legend.
func (p *Plot) legendNames() []named {
	list := make([]named, 0, len(p.chart.Series))
	for i, s := range p.chart.Series {
		if name := p.name(s.Name); name != "" && (len(p.chart.Series) > 1 || s.Name != p.chart.Y.Label) {
			list = append(list, named{i, name})
		}
	}
	return list
}

// tight is the width of a legend with a marker before each name, in few letters.
func (g *geometry) tight() int {
	n := -1
	for _, s := range g.names {
		n += 2 + width(brief.Replace(s.name)) + 1
	}
	return n
}

func (p *Plot) name(s string) string { return p.pen.Cut(p.label(s), maxName) }

func (p *Plot) drawLegend() {
	g := &p.geo
	x, y := g.legendX, g.titleRow
	switch {
	case g.legend == noLegend:
		return
	case g.legend == legendRight:
		y = g.py
	case g.legend == legendBottom && g.legendTight:
		x, y = 0, p.h-1
	case g.legend == legendBottom:
		x, y = g.px, p.h-1
	}
	sample, gap, spare := sampleWidth+1, 2, 4
	if g.legendTight { // the marker alone, and every column counts
		sample, gap, spare = 2, 1, 3
	}
	for k, s := range g.names {
		i, name, left := s.series, s.name, len(g.names)-k
		if g.legendTight {
			name = brief.Replace(name)
		}
		if end := x + sample + width(name); g.legend != legendRight && (end > p.w-spare && left > 1 || end > p.w) {
			p.base.text(x, y, "+"+scale.Format(float64(left), 3), mutedPen)
			return
		}
		if g.legendTight {
			p.base.set(x, y, p.markRune(i), p.seriesPen(i), textLayer)
		} else {
			p.drawSample(x, y, i)
		}
		end := p.base.text(x+sample, y, name, textPen)
		if g.legend == legendRight {
			y += g.legendStep
		} else {
			x = end + gap
		}
	}
}

// drawSample draws a piece of the curve as it looks in the chart.
func (p *Plot) drawSample(x, y, i int) {
	m, pen := p.mark(i), p.seriesPen(i)
	if p.glyphs.ASCII {
		p.base.across(x, y, sampleWidth, m.ASCII, pen, textLayer)
		return
	}
	if p.solid(i) {
		m.Dash = nil
	}
	for c := range sampleWidth {
		r := rune(runes.BrailleBlockOffset)
		if m.Dash.On(2 * c) {
			r |= 0x02 // the second dot of the left column, level with the marker
		}
		if m.Dash.On(2*c + 1) {
			r |= 0x10 // the second dot of the right column
		}
		p.base.set(x+c, y, r, pen, textLayer)
	}
	if len(p.chart.Series) > 1 && !p.chart.Series[i].Faint {
		p.base.set(x+1, y, m.Marker, pen, textLayer)
	}
}
