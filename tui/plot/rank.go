package plot

import (
	"epsiloscope/report/scale"
	"epsiloscope/tui/draw"
)

// curves returns the series on the scales of the picture.
func (p *Plot) curves() *scale.Curves {
	if p.shown == nil {
		p.shown = scale.NewCurves(p.chart, p.geo.x, p.geo.y, p.lines, p.geo.spikes())
	}
	return p.shown
}

// closeBy is the number of dots, those of a row of cells, within which a curve shares the line of a better one.
const closeBy = 4

// rank orders the series and finds those that share a line.
func (p *Plot) rank() scale.Ranks {
	r := p.curves().Rank()
	p.curves().Share(&r, 2*p.geo.pw, closeBy/float64(4*p.geo.ph-1), p.floats)
	return r
}

// heights returns the heights of a series at n places between two fractions of the x axis, as
// fractions of the y axis; NaN if it has none.
func (p *Plot) heights(series, n int, from, to float64) []float64 {
	return scale.Heights(p.lines[series], p.floats(n), from, to)
}

// floats returns n numbers of the memory that the last frame used.
func (p *Plot) floats(n int) []float64 {
	if len(p.spare) < n {
		p.spare = make([]float64, max(n, 2*len(p.arena), 8192))
		p.arena = p.spare
	}
	list := p.spare[:n:n]
	p.spare = p.spare[n:]
	return list
}

// ink returns the ink of a series' line: the best of rivals is bold, the others are paler; their names are not, which
// have to be read.
func (p *Plot) ink(i int) *draw.Ink {
	look := p.look(i)
	switch {
	case p.chart.Series[i].Faint || !p.chart.Rivals:
		return look.Ink
	case i == p.ranks.Best:
		return look.Bold
	}
	return look.Faded
}

// thick reports whether a series is drawn two dots wide: the best of rivals and a curve
// alone.
func (p *Plot) thick(i int) bool {
	s := p.chart.Series[i]
	return i == p.ranks.Best || len(p.chart.Series) == 1 && !s.Step
}
