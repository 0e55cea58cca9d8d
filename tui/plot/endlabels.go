package plot

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"epsiloscope/report/chart"
	"epsiloscope/report/scale"
	"epsiloscope/tui/draw"
)

// endLabel is the name of a series at the end of its curve.
type endLabel struct {
	namedSeries
	end   float64 // the height of the curve there, as a fraction that may lie outside the plot
	read  float64 // its value where the chart is read, for lines that end below the plot
	line  int     // the place of the owner of its line among the names, for lines that end at one height
	below int     // its place below the owner of its line; 0 for one that has a line of its own
	row   int
}

// endLabels places the names at the heights at which the curves end, pushed apart. A series
// without points yet stands where the best does, which it is expected to join.
func (p *Plot) endLabels() []endLabel {
	g, l := &p.geo, &p.geo.legend
	var list []endLabel
	lowest := math.Inf(1)
	for _, n := range l.names {
		e := endLabel{namedSeries: n, end: p.curves().EndHeight(n.series)}
		if e.end < lowest {
			lowest = e.end
		}
		list = append(list, e)
	}
	for i := range list {
		if math.IsNaN(list[i].end) {
			list[i].end = math.Nextafter(lowest, -1)
		}
	}
	for i, e := range list { // one that shares a line stands below its owner
		list[i].line, list[i].read = i, p.curves().ReadAt(e.series, p.chart.Read)
		if owner := p.ranks.Owner[e.series]; owner != scale.None && owner != e.series {
			list[i].end, list[i].below = p.curves().EndHeight(owner), 1+slices.Index(p.ranks.Order, e.series)
			list[i].read = p.curves().ReadAt(owner, p.chart.Read)
			if at := slices.IndexFunc(l.names, func(n namedSeries) bool { return n.series == owner }); at >= 0 {
				list[i].line = at
			}
		}
	}
	slices.SortStableFunc(list, func(a, b endLabel) int {
		byEnd := cmp.Compare(b.end, a.end)
		if a.end < 0 && b.end < 0 {
			byEnd = cmp.Compare(b.read, a.read)
		}
		return cmp.Or(byEnd, a.line-b.line, a.below-b.below)
	})
	floor := max(g.py+g.ph-1, g.py+len(list)-1)
	for k := range list {
		if list[k].row = g.row(scale.ClampToAxis(list[k].end)); k > 0 {
			list[k].row = max(list[k].row, list[k-1].row+1)
		}
	}
	for k := len(list) - 1; k >= 0; k-- {
		list[k].row = min(list[k].row, floor)
		floor = list[k].row - 1
	}
	return list
}

// endSign tells what became of a curve: it is the best, it is drawn, it shares the line of another, or it
// has left the picture. An approximation, which no proof covers, has a sign of its own. An area keeps the sign that
// fills it, and curves that are no rivals keep theirs where they fall below the axis.
func (p *Plot) endSign(e endLabel) string {
	glyphs, owner := &p.pen.Glyphs, p.ranks.Owner[e.series]
	switch {
	case !p.curves().HasPoint(e.series):
		return glyphs.Ellipsis
	case owner != e.series:
		return glyphs.Shared
	case e.series == p.ranks.Best:
		return glyphs.Star
	case e.end > 1+1e-6:
		return glyphs.Up
	case e.end < -1e-6 && p.chart.Rivals:
		return glyphs.Down
	case p.chart.Rivals && p.chart.Series[e.series].Rough:
		return glyphs.Near
	}
	return p.sign(e.series)
}

// drawEndLabels writes sign and name of every series beside the plot.
func (p *Plot) drawEndLabels() {
	l := &p.geo.legend
	p.labels = p.endLabels()
	for _, e := range p.labels {
		ink := p.labelInk(e.series)
		p.text(l.x, e.row, p.endSign(e), ink)
		p.text(l.x+2, e.row, e.name, ink)
	}
}

// drawRest writes the values at the chart's own x beside the names, if there is no crosshair,
// and above them which x that is. Curves a hair apart, as those of good theorems are, cannot be
// distinguished by eye.
func (p *Plot) drawRest() {
	g, l := &p.geo, &p.geo.legend
	if !l.values || p.chart.Read == 0 || !scale.IsVisible(g.x.Fraction(p.chart.Read)) {
		return
	}
	p.drawValues(p.readings(p.chart.Read))
	p.drawHead("at ", p.chart.Read, &p.pen.Text)
}

// drawHead says above the values at which x they are read.
func (p *Plot) drawHead(at string, x float64, ink *draw.Ink) {
	g, l := &p.geo, &p.geo.legend
	label, value := p.label(p.chart.X.Label), " = "+g.x.PlaceLabel(p.chart.X, x)
	if len(g.x.Names) > 0 {
		at, label, value = "after ", "", g.x.PlaceLabel(p.chart.X, x)
	}
	if y := p.label(p.chart.Y.Label); len(g.x.Names) == 0 && width(y) == 1 && width(y+" "+at+label+value) <= l.w {
		at = y + " " + at // what the values are: the names stand at the ends of the curves, which are elsewhere
	}
	if width(at+label+value) > l.w { // what stands in brackets is said at the axis
		label, _, _ = strings.Cut(label, " (")
	}
	if width(at+label+value) > l.w { // its symbol, which comes last
		if label = label[strings.LastIndexByte(label, ' ')+1:]; width(label) > 3 { // it is a word of a phrase
			label, value = "", g.x.PlaceLabel(p.chart.X, x)
		}
	}
	head := p.pen.Cut(at+label+value, l.w)
	y := 0
	if g.py == 0 { // no row above the plot: below the names
		y = g.py + len(l.names)
		for _, e := range p.labels {
			y = max(y, e.row+1)
		}
		if y >= g.py+g.ph {
			return
		}
	}
	p.text(l.x+l.w-width(head), y, head, ink)
}

// drawValues writes the values at the crosshair beside the names.
func (p *Plot) drawValues(readings []Reading) {
	l := &p.geo.legend
	for _, e := range p.labels {
		r := readings[e.series]
		text, ink := p.label(fitValue(p.chart.ReadingAxis(e.series), r.Y)), p.labelInk(e.series)
		switch {
		case !p.curves().HasPoint(e.series):
			text, ink = p.pen.Glyphs.Ellipsis, &p.pen.Muted
		case math.IsNaN(r.Y) && !p.cursorOn: // nobody asked what it is there
			continue
		case math.IsNaN(r.Y):
			ink = &p.pen.Muted
		}
		p.text(l.x+l.w-width(text), e.row, text, ink)
	}
}

// fitValue prints v with as many of four digits as a value of the legend has room for; one
// always fits.
func fitValue(axis chart.Axis, v float64) (s string) {
	for digits := 4; digits > 0; digits-- {
		if s = scale.FormatReading(axis, v, digits); len(s) <= valueWidth {
			break
		}
	}
	return s
}
