package plot

import (
	"math"
	"strings"

	"epsiloscope/report/scale"
)

// barLayout holds the positions of the parts of a bar chart. ntcharts' bar chart cuts labels by
// bytes, prints no values and divides by a zero maximum, so bars are drawn here.
type barLayout struct {
	y          scale.Scale
	values     []string // of all bars
	partW      int      // columns after the decimal point, and the point
	labelW     int
	barX, barW int
	top, step  int // first row, rows from bar to bar
	thick      int // rows of a bar itself
	first, n   int // the bars shown
	markRow    int // row that names the marks; -1 if none
	legendRow  int // row that names the series; -1 if none
	axisRow    int // row of the tick labels; -1 if none
	columns    []barColumn
}

// barColumn holds the values of one series for every bar, beside the bars and below the name of
// the series.
type barColumn struct {
	series int
	end    int // the column after it
	values map[int]string
}

const (
	barLeast = 10 // the width from which on bars can still be compared
	tallBar  = 4  // how many rows a bar takes at most, with the one that divides it from the next
)

func (p *Plot) barLayout() barLayout {
	bars, rows := len(p.chart.Bars), p.h
	l := barLayout{y: scale.FitBars(p.chart), step: 1, thick: 1, n: bars, markRow: -1, legendRow: -1}
	whole := 0
	for _, b := range p.chart.Bars {
		value := scale.FormatReading(p.chart.Y, b.Value, 4)
		n := pointAt(value)
		whole, l.partW = max(whole, n), max(l.partW, len(value)-n)
		l.values = append(l.values, value)
		l.labelW = max(l.labelW, width(p.label(b.Caption())))
	}
	valueW := whole + l.partW
	beside := p.barColumns(&l, max(valueW, width(p.label(p.chart.Y.Label))))
	if beside > 0 {
		valueW = beside
	}
	l.labelW = min(l.labelW, max(p.w*2/5, p.w-2-1-barLeast-1-valueW)) // the names before the bars
	l.barX = 2 + l.labelW + 1
	l.barW = max(1, p.w-l.barX-valueW-1)
	l.axisRow = -1
	if rows >= axesHeight && p.w >= axesWidth {
		if p.chart.Y.Label != "" {
			l.top++
		}
		n := p.barLegendWidth()
		switch {
		case n == 0 || len(l.columns) > 0:
		case l.top == 1 && l.barX+width(p.label(p.chart.Y.Label))+3+n <= p.w:
			l.legendRow = 0
		case n <= p.w && rows >= titleHeight:
			l.legendRow = l.top
			l.top++
		}
		rows -= l.top
	}
	marks := len(p.chart.Marks) > 0 && rows >= 4
	if marks {
		rows--
	}
	axis := len(l.columns) > 0 && rows > bars+1
	if axis {
		rows--
	}
	switch {
	case bars > rows:
		l.n = max(rows-1, 1) // the last row says how many are missing
		l.first = max(0, min(p.focusBar()-l.n/2, bars-l.n))
	case tallBar*bars <= rows:
		l.step, l.thick = tallBar, tallBar-1
	case 2*bars-1 <= rows:
		l.step = 2
	}
	if axis {
		l.axisRow = l.row(l.n-1) + l.thick
	}
	if marks {
		l.markRow = p.h - 1
		if foot := l.row(l.n-1) + l.thick; bars == l.n {
			l.markRow = min(foot, l.markRow)
			if axis {
				l.markRow = min(foot+1, p.h-1)
			}
		}
	}
	return l
}

// row returns the first of the k-th bar shown; col is where a value lies along the bars, and whether
// it does.
func (l *barLayout) row(k int) int { return l.top + k*l.step }

func (l *barLayout) col(value float64) (int, bool) {
	t := l.y.Fraction(value)
	return l.barX + int(math.Round(scale.ClampToAxis(t)*float64(l.barW-1))), scale.IsVisible(t)
}

// focusBar returns the bar that must stay in sight: the selected one, else the best.
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

func (p *Plot) barAt(row int) (i int, ok bool) {
	if p.w < minWidth || p.h < minHeight {
		return 0, false
	}
	l := p.barLayout()
	k := row - l.top
	return l.first + k/l.step, k >= 0 && k%l.step < l.thick && k/l.step < l.n
}

func (p *Plot) drawBars() {
	l := p.barLayout()
	if l.top > 0 && p.chart.Y.Label != "" && len(l.columns) == 0 {
		p.text(l.barX, 0, p.pen.Cut(p.label(p.chart.Y.Label), p.w-l.barX), &p.pen.Text)
	}
	for k := range l.n {
		p.drawBar(&l, l.first+k, l.row(k))
	}
	if hidden := len(p.chart.Bars) - l.n; hidden > 0 {
		text := scale.Format(float64(hidden), 6) + " more"
		p.text(2, l.top+l.n, p.pen.Cut(text, p.w-2), &p.pen.Muted)
	}
	p.drawBarColumns(&l)
	p.drawBarMarks(&l)
	p.drawBarSeries(&l)
}

func (p *Plot) drawBar(l *barLayout, i, from int) {
	b, glyphs, row := p.chart.Bars[i], &p.pen.Glyphs, from+l.thick/2
	ink, label := p.nth(0).Ink, &p.pen.Text
	if b.Best {
		ink, label = &p.pen.Winner, &p.pen.Winner
	}
	switch {
	case p.cursorOn && i == int(p.cursorX):
		label = &p.pen.Accent
		p.text(0, row, glyphs.Select, label)
	case b.Best:
		p.text(0, row, glyphs.Star, label)
	}
	p.text(2, row, p.pen.Cut(p.label(b.Caption()), l.labelW), label)
	part, parts := l.y.BarFraction(b.Value), len(glyphs.Eighths)-1 // the last cell in eighths
	filled := int(math.Round(part * float64(l.barW*parts)))
	if part > 0 {
		filled = max(1, filled) // small is not nothing
	}
	for k := 0; k*parts < filled; k++ {
		for y := from; y < from+l.thick; y++ {
			p.set(l.barX+k, y, glyphs.Eighths[min(parts, filled-k*parts)], ink, curveLayer)
		}
	}
	value := padZeros(l.values[i], l.partW)
	end := p.w
	if len(l.columns) > 0 {
		end = l.columns[0].end
	}
	p.text(end-l.partW-pointAt(value), row, value, label)
}

// pointAt returns the column of the decimal point, or the end of a whole number, at which the
// values of all bars align. Powers (1e-7) end at the right like the longest one.
func pointAt(value string) int {
	if i := strings.IndexAny(value, ".e"); i >= 0 {
		return i
	}
	return len(value)
}

// padZeros writes the zeros that a value has in as many columns after the point as the
// others, up to four digits: 0.5090 below 0.6229.
func padZeros(value string, partW int) string {
	part := len(value) - pointAt(value)
	if part == 0 || strings.Contains(value, "e") {
		return value
	}
	digits := len(strings.TrimLeft(strings.Replace(value, ".", "", 1), "-0"))
	return value + strings.Repeat("0", max(0, min(4-digits, partW-part)))
}
