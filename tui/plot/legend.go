package plot

import (
	"cmp"
	"slices"
	"strings"

	"epsiloscope/report/scale"
	"epsiloscope/tui/draw"
)

// legend is the place and form of the names of the series.
type legend struct {
	names    []namedSeries
	place    legendPlace
	x, y, w  int
	rows     int  // below the plot
	tight    bool // one row, markers without a piece of line
	values   bool // there is room for values at the ends of the curves
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
	valueWidth = 8 // columns of a value at the crosshair: 1.234e-6
	maxName    = 29
)

// brief shortens the long words of legends that have to share one narrow row.
var brief = strings.NewReplacer("advanced", "adv.", "Gaussian at equal cost", "Gaussian, equal cost", "exponential = ", "", "Laplace = ", "",
	"exponential noise", "exp.", "exponential", "exp.", "optimal KOV", "opt. KOV", "noisy max of counts", "counts", "noisy max, ", "max ", "noisy max", "max", "release all", "all",
	"found among members, at most", "members found", "found by an attack", "by an attack", "right by an attack", "by an attack")

// placeLegend names the series at the ends of their curves if there is room beside the plot; else on
// the title row, which a plot of few rows has only where it is wide, or below on up to two rows.
// Areas are named above the plot, which takes the whole width. The place depends on the size and the
// names alone. A single curve named like its axis needs none.
func (p *Plot) placeLegend(axes bool) (l legend) {
	widest, wide, tight := 0, 0, -1 // in one row, with pieces of line or with markers and in few letters
	short := p.w < sideValuesWidth
	for i, s := range p.chart.Series {
		name := p.name(s.Name)
		if name == "" || len(p.chart.Series) == 1 && s.Name == p.chart.Y.Label || p.chart.Rivals && s.Rough &&
			!p.chart.IsSelected(i) || !p.chart.Pending && len(s.Y) > 0 && !slices.ContainsFunc(s.Y, scale.Finite) {
			continue
		}
		wide += 2 + width(name) + 2
		tight += 2 + width(brief.Replace(name)) + 1
		if short && !p.areal() {
			name = brief.Replace(name)
		}
		l.names = append(l.names, namedSeries{i, name})
		widest = max(widest, width(name))
	}
	if p.areal() {
		wide += 2 + width(bothWord) + 2
	}
	count := len(l.names)
	title := width(p.label(p.chart.Y.Label)) + 3
	beside := 2 + widest
	switch {
	case count == 0:
	case p.areal() && axes && p.h >= titleHeight:
		l.place, l.x = legendTop, max(0, p.w-wide+2)
		l.untitled = title+wide > p.w
	case count > 1 && p.h-3 >= count && p.w >= sideLegendWidth &&
		p.w-beside-1-valueWidth-steadyLabels-3 >= minPlotWidth:
		l.place, l.values, l.w = legendRight, true, beside+1+valueWidth
	case count > 1 && p.h-3 >= count && p.w >= sideLegendWidth && p.w-beside-steadyLabels-3 >= minPlotWidth:
		l.place, l.w = legendRight, beside
	case !axes || p.h < titleHeight && (p.w < sideValuesWidth || count == 1 || tight > p.w):
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
	if l.place == legendRight {
		l.x = p.w - l.w
	}
	return l
}

// bothWord names what two areas share.
const bothWord = "both"

// drawLegend names the series where there is no room at the ends of their curves.
func (p *Plot) drawLegend() {
	l := &p.geo.legend
	switch {
	case l.place == noLegend:
		return
	case l.place == legendRight:
		p.drawEndLabels()
		return
	}
	x, y, gap, spare := l.x, l.y, 2, 4
	if l.tight { // every column counts
		gap, spare = 1, 3
	}
	for k, s := range p.afterOwners(l.names) {
		name, left := s.name, len(l.names)-k
		if l.tight {
			name = brief.Replace(name)
		}
		end := x + 2 + width(name)
		if end > p.w && l.place == legendBottom && y < p.h-1 {
			x, y, end = 0, y+1, 2+width(name)
		}
		if end > p.w-spare && left > 1 && y == p.h-1 || end > p.w {
			p.text(x, y, "+"+scale.Format(float64(left), 3), &p.pen.Muted)
			return
		}
		sign := p.sign(s.series)
		if p.ranks.Owner[s.series] != s.series {
			sign = p.pen.Glyphs.Shared
		}
		p.text(x, y, sign, p.signInk(s.series))
		x = p.text(x+2, y, name, &p.pen.Text) + gap
	}
	if p.areal() && x+2+width(bothWord) <= p.w {
		sign, ink := "■", p.pen.Both.Ink
		if p.usesHatching() {
			sign, ink = string(p.pen.Glyphs.Hatch[2]), &p.pen.Muted
		}
		p.text(x, y, sign, ink)
		p.text(x+2, y, bothWord, &p.pen.Text)
	}
}

// afterOwners returns the names with those that share a line after the name of its owner.
func (p *Plot) afterOwners(names []namedSeries) []namedSeries {
	place := func(n namedSeries) int {
		owner := p.ranks.Owner[n.series]
		return slices.IndexFunc(names, func(o namedSeries) bool { return o.series == owner })
	}
	shared := func(n namedSeries) int {
		if p.ranks.Owner[n.series] != n.series {
			return 1
		}
		return 0
	}
	return slices.SortedStableFunc(slices.Values(names), func(a, b namedSeries) int {
		return cmp.Or(place(a)-place(b), shared(a)-shared(b))
	})
}

// sign returns what stands before the name of a series in a legend: a piece of its line, a swatch of
// its area.
func (p *Plot) sign(i int) string {
	switch {
	case p.chart.Series[i].Area && p.usesHatching():
		return string(p.pen.Glyphs.Hatch[3])
	case p.isArea(i) && p.usesHatching():
		return string(p.pen.Glyphs.Hatch[min(i, 1)])
	case p.isArea(i):
		return "■"
	case p.pen.Glyphs.ASCII:
		return string(p.letter(i))
	case p.monochrome() && p.geo.legend.place != legendRight && !p.chart.Series[i].Faint:
		return string(p.look(i).Marker)
	case p.chart.Series[i].Faint:
		return "┄"
	}
	return "─"
}

// labelInk returns the ink of a name: that of its line, but never blended.
func (p *Plot) labelInk(i int) *draw.Ink {
	if ink := p.signInk(i); ink != p.look(i).Faded {
		return ink
	}
	return p.look(i).Ink
}

func (p *Plot) signInk(i int) *draw.Ink {
	if p.isArea(i) && !p.chart.Series[i].Area && !p.look(i).Fill.IsZero() {
		return p.look(i).Fill.Ink
	}
	if p.chart.Series[i].Area && !p.monochrome() {
		return p.pen.Lost.Ink
	}
	return p.ink(i)
}
