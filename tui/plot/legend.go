package plot

import (
	"strings"

	"epsiloscope/scenarios/report/scale"

	"github.com/NimbleMarkets/ntcharts/canvas/runes"
)

// legend is where the series are named.
type legend struct {
	names    []namedSeries
	place    legendPlace
	x, y, w  int
	step     int  // rows per name beside the plot
	rows     int  // below the plot
	tight    bool // one row, markers without a piece of line
	values   bool // there is room for the crosshair's values
	untitled bool // it has the place of the y title
}

// namedSeries is a series with its name in the legend.
type namedSeries struct {
	series int
	name   string
}

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
	maxName     = 29
)

// brief shortens the long words of legends that have to share one narrow row.
var brief = strings.NewReplacer("advanced", "adv.", "Gaussian at equal cost", "Gaussian, equal cost", "exponential = ", "", "Laplace = ", "",
	"exponential noise", "exp.", "exponential", "exp.", "noisy max of counts", "counts", "noisy max, ", "max ", "noisy max", "max", "release all", "all")

// placeLegend keeps the legend off the data, and always in the same place for the
// same size and names: beside the plot when wide, on the title row when it fits
// there, below when there is height to spare or no other place, on two rows if need be. A single curve
// named like its axis needs none.
func (p *Plot) placeLegend(axes bool) (l legend) {
	widest, wide, tight := 0, 0, -1 // in one row, with pieces of line or with markers and in few letters
	for i, s := range p.chart.Series {
		if name := p.name(s.Name); name != "" && (len(p.chart.Series) > 1 || s.Name != p.chart.Y.Label) {
			l.names = append(l.names, namedSeries{i, name})
			widest = max(widest, width(name))
			wide += sampleWidth + 1 + width(name) + 2
			tight += 2 + width(brief.Replace(name)) + 1
		}
	}
	count := len(l.names)
	title := width(p.label(p.chart.Y.Label)) + 3
	switch {
	case count == 0:
	case count > 1 && p.w >= sideLegendWidth && p.h-3 >= count:
		l.place, l.w, l.step = legendRight, sampleWidth+1+widest, 1
		switch {
		case p.w >= sideValuesWidth || p.w-l.w-1-valueWidth >= leastBeside: // values beside the names
			l.values = true
			l.w += 1 + valueWidth
		case p.h-4 >= 2*count: // values below the names
			l.values, l.step = true, 2
			l.w = max(l.w, sampleWidth+1+valueWidth)
		}
		l.x = p.w - l.w
	case p.h < titleHeight || !axes:
	case title+wide <= p.w:
		l.place, l.x = legendTop, p.w-wide+2
	case p.h < bottomLegendHeight && tight <= p.w: // where it takes the y title's place, the frame has a title
		l.place, l.tight = legendTop, true
		l.x, l.untitled = p.w-tight, title+tight > p.w
	case count > 1:
		l.place, l.rows = legendBottom, 1
		l.tight = wide > p.w-8 // the legend starts where the plot does
		if tight > p.w {
			l.rows, l.untitled = 2, p.h < bottomLegendHeight
		}
		l.y = p.h - l.rows
	}
	return l
}

func (p *Plot) drawLegend() {
	l := &p.geo.legend
	if l.place == noLegend {
		return
	}
	x, y, sample, gap, spare := l.x, l.y, sampleWidth+1, 2, 4
	if l.tight { // the marker alone, and every column counts
		sample, gap, spare = 2, 1, 3
	}
	for k, s := range l.names {
		name, look, left := s.name, p.look(s.series), len(l.names)-k
		if l.tight {
			name = brief.Replace(name)
		}
		end := x + sample + width(name)
		if end > p.w && l.place == legendBottom && y < p.h-1 {
			x, y, end = 0, y+1, sample+width(name)
		}
		if l.place != legendRight && (end > p.w-spare && left > 1 && y == p.h-1 || end > p.w) {
			p.text(x, y, "+"+scale.Format(float64(left), 3), &p.pen.Muted)
			return
		}
		if l.tight {
			p.set(x, y, look.Marker, look.Ink, textLayer)
		} else {
			p.drawSample(x, y, s.series)
		}
		end = p.text(x+sample, y, name, &p.pen.Text)
		if l.place == legendRight {
			y += l.step
		} else {
			x = end + gap
		}
	}
}

// drawSample draws a piece of the curve as it looks in the chart.
func (p *Plot) drawSample(x, y, i int) {
	look := p.look(i)
	if p.pen.Glyphs.ASCII {
		p.across(x, y, sampleWidth, look.Marker, look.Ink, textLayer)
		return
	}
	for c := range sampleWidth {
		r := rune(runes.BrailleBlockOffset)
		for side := range 2 { // the second dots from above are level with the marker
			if look.Dash.On(2*c + side) {
				r |= brailleDots[1][side]
			}
		}
		p.set(x+c, y, r, look.Ink, textLayer)
	}
	if len(p.chart.Series) > 1 && !p.chart.Series[i].Faint {
		p.set(x+1, y, look.Marker, look.Ink, textLayer)
	}
}
