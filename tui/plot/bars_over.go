package plot

import "math"

// drawBarMarks draws values all bars are to be compared with, and names them on the
// row below.
func (p *Plot) drawBarMarks(l barLayout) {
	if !l.marks {
		return
	}
	foot := l.top + (l.n-1)*l.step + l.thick
	if foot >= p.h || len(p.chart.Bars) > l.n {
		foot = p.h - 1
	}
	for _, m := range p.chart.Marks {
		t := l.y.Fraction(m.Y)
		if !visible(t) {
			continue
		}
		col := l.barX + int(math.Round(t*float64(l.barW-1)))
		p.down(col, l.top, foot-l.top, p.pen.Glyphs.RuleV, p.markInk(m, &p.pen.Text), ruleLayer)
		label := p.pen.Cut(p.label(m.Label), p.w)
		x := max(0, min(col-width(label)/2, p.w-width(label)))
		if p.free(max(0, x-1), foot, min(width(label)+2, p.w-max(0, x-1)), gridLayer) {
			p.text(x, foot, label, p.markInk(m, &p.pen.Text))
		}
	}
}

// drawBarSeries marks the values of series upon the bars: x is the bar's index.
func (p *Plot) drawBarSeries(l barLayout) {
	for i, s := range p.chart.Series {
		look := p.dotLook(i)
		for k := range min(len(s.X), len(s.Y)) {
			bar := s.X[k] - float64(l.first)
			t := l.y.Fraction(s.Y[k])
			if !visible(t) || !(bar >= 0 && bar < float64(l.n)) || bar != math.Trunc(bar) {
				continue
			}
			col := l.barX + int(math.Round(t*float64(l.barW-1)))
			p.set(col, l.top+int(bar)*l.step+l.thick/2, look.marker, look.ink, textLayer)
		}
	}
}

// barLegendWidth is the room the names of the series upon the bars take.
func (p *Plot) barLegendWidth() int {
	n := 0
	for _, s := range p.chart.Series {
		if s.Name != "" {
			n += 4 + width(p.name(s.Name))
		}
	}
	return max(0, n-2)
}

func (p *Plot) drawBarLegend(l barLayout) {
	if l.legendRow < 0 {
		return
	}
	x := p.w - p.barLegendWidth()
	for i, s := range p.chart.Series {
		if s.Name == "" {
			continue
		}
		look := p.dotLook(i)
		p.set(x, l.legendRow, look.marker, look.ink, textLayer)
		x = p.text(x+2, l.legendRow, p.name(s.Name), &p.pen.Text) + 2
	}
}
