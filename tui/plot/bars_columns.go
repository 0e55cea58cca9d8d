package plot

import (
	"epsiloscope/report/scale"
)

// barColumns places the values of the series upon the bars in columns of their own, after that of
// the bars, and returns how many cells all columns take; 0 if there is no room for them. A mark on
// a bar beside the value of the bar would be read as its value.
func (p *Plot) barColumns(l *barLayout, own int) int {
	const gap = 2
	total, columns := own, []barColumn{{series: -1, end: own}}
	for i, s := range p.chart.Series {
		c := barColumn{series: i, values: map[int]string{}}
		w := 2 + width(p.name(s.Name))
		for k := range min(len(s.X), len(s.Y)) {
			text := scale.FormatReading(p.chart.ReadingAxis(i), s.Y[k], 4)
			c.values[int(s.X[k])] = text
			w = max(w, len(text))
		}
		total += gap + w
		c.end = total
		columns = append(columns, c)
	}
	const minLabel = 8
	if len(columns) == 1 || p.h < axesHeight || p.w-2-min(minLabel, l.labelW)-2-total < barLeast {
		return 0
	}
	for i := range columns {
		columns[i].end += p.w - total
	}
	l.columns = columns
	return total
}

// drawBarColumns writes the columns with their heads, and the scale of the bars below them.
func (p *Plot) drawBarColumns(l *barLayout) {
	for _, c := range l.columns {
		if c.series < 0 {
			head := p.label(p.chart.Y.Label)
			p.text(c.end-width(head), 0, head, &p.pen.Text)
			continue
		}
		look, name := p.dotLook(c.series), p.name(p.chart.Series[c.series].Name)
		p.set(c.end-width(name)-2, 0, look.Marker, look.Ink, textLayer)
		p.text(c.end-width(name), 0, name, &p.pen.Text)
		for k := range l.n {
			if text, ok := c.values[l.first+k]; ok {
				p.text(c.end-len(text), l.row(k)+l.thick/2, text, look.Ink)
			}
		}
	}
	if l.axisRow < 0 {
		return
	}
	for _, t := range l.y.Ticks(max(2, min(5, l.barW/8))) {
		if col, ok := l.col(t.Value); ok {
			x := max(l.barX, min(col-(len(t.Label)-1)/2, l.barX+l.barW-len(t.Label)))
			p.text(x, l.axisRow, t.Label, &p.pen.Axis)
		}
	}
}
