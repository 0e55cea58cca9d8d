package plot

import (
	"math"
	"strings"

	"epsiloscope/scenarios/report/chart"
	"epsiloscope/scenarios/report/scale"
	"epsiloscope/tui/theme"
)

// barLayout is where the parts of a bar chart go. ntcharts' bar chart cuts labels
// by bytes, prints no values and divides by a zero maximum, so bars are drawn here.
type barLayout struct {
	y          scale.Scale
	labelW     int
	barX, barW int
	partW      int // columns after the decimal point, and the point
	top, step  int // first row, rows from bar to bar
	thick      int // rows of a bar itself
	first, n   int // the bars shown
	marks      bool
	legendRow  int // row that names the series; -1 if none
}

// barLeast is the width from which on bars can still be compared.
const barLeast = 10

func (p *Plot) barLayout() barLayout {
	l := barLayout{y: scale.FitBars(p.chart), step: 1, thick: 1, n: len(p.chart.Bars), legendRow: -1}
	whole, part := 0, 0
	for _, b := range p.chart.Bars {
		l.labelW = max(l.labelW, width(p.label(b.Label)))
		w, f := splitValue(barValue(b))
		whole, part = max(whole, w), max(part, f)
	}
	l.partW = part
	valueW := whole + part
	l.labelW = min(l.labelW, max(p.w*2/5, p.w-2-1-barLeast-1-valueW)) // the names before the bars
	rows := p.h
	l.barX = 2 + l.labelW + 1
	if rows >= axesHeight && p.w >= axesWidth {
		if p.chart.Y.Label != "" {
			l.top++
		}
		switch n := p.barLegendWidth(); {
		case n == 0:
		case l.top == 1 && l.barX+width(p.label(p.chart.Y.Label))+3+n <= p.w:
			l.legendRow = 0
		case n <= p.w && rows >= titleHeight:
			l.legendRow = l.top
			l.top++
		}
		rows -= l.top
	}
	if len(p.chart.Marks) > 0 && rows >= 4 {
		l.marks = true
		rows--
	}
	switch {
	case l.n > rows:
		l.n = max(rows-1, 1) // the last row says how many are missing
		l.first = max(0, min(p.focusBar()-l.n/2, len(p.chart.Bars)-l.n))
	case tallBar*l.n <= rows:
		l.step, l.thick = tallBar, tallBar-1
	case 2*l.n-1 <= rows:
		l.step = 2
	}
	l.barW = max(1, p.w-l.barX-valueW-1)
	return l
}

// tallBar is how many rows a bar takes at most, with the one that divides it from the next.
const tallBar = 4

// BarRows is how high a chart of n bars grows.
func BarRows(n int) int { return tallBar*n + 2 }

// focusBar is the bar that must stay in sight: the selected one, else the best.
func (p *Plot) focusBar() int {
	if p.cursorOn {
		return int(p.cursorX)
	}
	for i, b := range p.chart.Bars {
		if b.Best {
			return i
		}
	}
	return 0
}

func barValue(b chart.Bar) string { return scale.Format(b.Value, 4) }

// padded writes the zeros that a value has in as many columns after the point as the
// others, up to four digits: 0.5090 below 0.6229.
func padded(value string, partW int) string {
	whole, part := splitValue(value)
	if part == 0 || strings.Contains(value, "e") {
		return value
	}
	digits := len(strings.TrimLeft(strings.Replace(value, ".", "", 1), "-0"))
	return value[:whole+part] + strings.Repeat("0", max(0, min(4-digits, partW-part)))
}

func (p *Plot) drawBars() {
	l := p.barLayout()
	if l.top > 0 && p.chart.Y.Label != "" {
		p.text(l.barX, 0, p.pen.Cut(p.label(p.chart.Y.Label), p.w-l.barX), &p.pen.Text)
	}
	for k := range l.n {
		p.drawBar(l, l.first+k, l.top+k*l.step)
	}
	if hidden := len(p.chart.Bars) - l.n; hidden > 0 {
		text := scale.Format(float64(hidden), 6) + " more"
		p.text(2, l.top+l.n, p.pen.Cut(text, p.w-2), &p.pen.Muted)
	}
	p.drawBarMarks(l)
	p.drawBarSeries(l)
	p.drawBarLegend(l)
}

func (p *Plot) drawBar(l barLayout, i, from int) {
	b := p.chart.Bars[i]
	row := from + l.thick/2
	ink, label := p.nth(0).ink, &p.pen.Text
	if b.Best {
		ink, label = &p.pen.Winner, &p.pen.Winner
	}
	switch {
	case p.cursorOn && i == int(p.cursorX):
		label = &p.pen.Accent
		p.text(0, row, p.pen.Glyphs.Select, &p.pen.Accent)
	case b.Best:
		p.text(0, row, p.pen.Glyphs.Star, &p.pen.Winner)
	}
	p.text(2, row, p.pen.Cut(p.label(b.Label), l.labelW), label)
	for k, r := range barRunes(p.pen.Glyphs, l.y.Filled(b.Value), l.barW) {
		for y := from; y < from+l.thick && r != ' '; y++ {
			p.set(l.barX+k, y, r, ink, curveLayer)
		}
	}
	value := padded(barValue(b), l.partW)
	_, part := splitValue(value)
	p.text(p.w-len(value)-(l.partW-part), row, value, label)
}

// splitValue returns the columns before and from the decimal point, at which the
// values of all bars align. Powers (1e-7) end at the right like the longest one.
func splitValue(s string) (whole, part int) {
	i := strings.IndexAny(s, ".e")
	if i < 0 {
		return len(s), 0
	}
	return i, len(s) - i
}

func (p *Plot) barAt(row int) (i int, ok bool) {
	if p.w < minWidth || p.h < minHeight {
		return 0, false
	}
	l := p.barLayout()
	k := row - l.top
	if k < 0 || k%l.step >= l.thick || k/l.step >= l.n {
		return 0, false
	}
	return l.first + k/l.step, true
}

// barRunes is a bar of n columns filled to t, with the last cell in eighths.
func barRunes(g theme.Glyphs, t float64, n int) []rune {
	if n <= 0 {
		return nil
	}
	parts := len(g.Eighths) - 1
	filled := int(math.Round(unit(t) * float64(n*parts)))
	if t > 0 && filled == 0 {
		filled = 1 // small is not nothing
	}
	bar := make([]rune, n)
	for i := range bar {
		bar[i] = g.Eighths[max(0, min(parts, filled-i*parts))]
	}
	return bar
}
