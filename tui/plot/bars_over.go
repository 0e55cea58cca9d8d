package plot

import "math"

// drawBarMarks draws lines at the values with which all bars are compared, and their names on the row below.
func (p *Plot) drawBarMarks(l *barLayout) {
	for _, m := range p.chart.Marks {
		col, ok := l.col(m.Y)
		if !ok || l.markRow < 0 {
			continue
		}
		ink := p.markInk(m, &p.pen.Text)
		p.down(col, l.top, l.markRow-l.top, p.pen.Glyphs.RuleV, ink, ruleLayer)
		label := p.pen.Cut(p.label(m.Label), p.w)
		x := max(0, min(col-width(label)/2, p.w-width(label)))
		if p.free(max(0, x-1), l.markRow, min(width(label)+2, p.w-max(0, x-1)), gridLayer) {
			p.text(x, l.markRow, label, ink)
		}
	}
}

// drawBarSeries marks the values of the other series on the bars (x is the index of the bar), and writes the
// names of the series.
func (p *Plot) drawBarSeries(l *barLayout) {
	x := p.w - p.barLegendWidth()
	for i, s := range p.chart.Series {
		look := p.dotLook(i)
		for k := range min(len(s.X), len(s.Y)) {
			bar := s.X[k] - float64(l.first)
			if col, ok := l.col(s.Y[k]); ok && bar >= 0 && bar < float64(l.n) && bar == math.Trunc(bar) {
				p.set(col, l.row(int(bar))+l.thick/2, look.Marker, look.Ink, textLayer)
			}
		}
		if l.legendRow >= 0 && len(l.columns) == 0 && s.Name != "" {
			p.set(x, l.legendRow, look.Marker, look.Ink, textLayer)
			x = p.text(x+2, l.legendRow, p.name(s.Name), &p.pen.Text) + 2
		}
	}
}

// barLegendWidth returns the width of the names of the series that are marked on the bars.
func (p *Plot) barLegendWidth() int {
	n := 0
	for _, s := range p.chart.Series {
		if s.Name != "" {
			n += 4 + width(p.name(s.Name))
		}
	}
	return max(0, n-2)
}
