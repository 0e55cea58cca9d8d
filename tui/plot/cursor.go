package plot

import (
	"math"

	"epsiloscope/report/scale"
)

// Reading is a value under the crosshair.
type Reading struct {
	Name string  // the series, or the bar
	X, Y float64 // Y is NaN where the series has a gap
	Text string  // Y in four digits, "n/a" for a gap
}

// SetCursor puts the crosshair on x, kept within the picture.
func (p *Plot) SetCursor(x float64) {
	p.place()
	if math.IsNaN(x) {
		return
	}
	p.drawn = false
	if n := len(p.chart.Bars); n > 0 {
		p.cursorOn, p.cursorX = true, math.Max(0, math.Min(float64(n-1), math.Round(x)))
		return
	}
	if !p.geo.ok() {
		p.cursorX = x
		return
	}
	p.cursorOn, p.cursorX = true, x
	t := p.geo.x.Fraction(x)
	switch {
	case math.IsNaN(t):
		p.cursorX = p.geo.x.Min
	case !scale.IsVisible(t):
		p.cursorX = p.geo.x.Value(scale.ClampToAxis(t))
	}
	if p.discrete() {
		p.cursorX = p.nearest(p.cursorX, func(_, _ float64) bool { return true })
	}
}

// column returns the column of the plot area under the crosshair.
func (p *Plot) column() int { return p.geo.col(p.geo.x.Fraction(p.cursorX)) - p.geo.px }

// MoveCursor moves the crosshair by columns (bars in a bar chart); it appears in
// the middle if it was hidden. It stops on the data's own x where a column has one.
func (p *Plot) MoveCursor(by int) {
	p.place()
	from := p.cursorX
	switch {
	case len(p.chart.Bars) > 0 && p.cursorOn:
		p.SetCursor(from + float64(by))
	case len(p.chart.Bars) > 0:
		p.SetCursor(from)
	case !p.geo.ok():
	case p.cursorOn:
		p.cursorToColumn(p.column() + by)
		// One step on a discrete chart is one point, be they wider apart than columns or
		// closer.
		if p.discrete() && (p.cursorX == from && by != 0 || by == 1 || by == -1) {
			p.SetCursor(p.nearest(from, func(x, _ float64) bool { return x != from && (x > from) == (by > 0) }))
		}
	case p.chart.Read != 0 && scale.IsVisible(p.geo.x.Fraction(p.chart.Read)):
		p.SetCursor(p.chart.Read) // what is set at present
	default:
		p.cursorToColumn(p.geo.pw / 2)
	}
}

// CursorAt puts the crosshair on a cell, for the mouse, and reports whether the
// cell lies in the plot area.
func (p *Plot) CursorAt(x, y int) (ok bool) {
	p.place()
	if len(p.chart.Bars) > 0 {
		i, ok := p.barAt(y)
		if ok = ok && x >= 0 && x < p.w; ok {
			p.SetCursor(float64(i))
		}
		return ok
	}
	if ok = p.geo.contains(x, y); ok {
		p.cursorToColumn(x - p.geo.px)
	}
	return ok
}

func (p *Plot) cursorToColumn(col int) { p.SetCursor(p.snap(max(0, min(col, p.geo.pw-1)))) }

// discrete reports that only the data's own x mean anything: the chart shows steps
// or spikes, or bounds, which hold where they were computed and nowhere else:
// the line drawn between two of them may run beyond the bound there.
func (p *Plot) discrete() bool {
	if (p.chart.Y.Upper || p.chart.Y.Lower) && len(p.chart.Series) > 0 {
		return true
	}
	for _, s := range p.chart.Series {
		if !s.Step && !s.Faint {
			return false
		}
	}
	return len(p.chart.Series) > 0
}

// snap returns the x a column stands for: the data point nearest to its middle if
// it has one (K = 28, not 28.4), else the place itself. In a discrete chart it is
// the nearest data point wherever that stands.
func (p *Plot) snap(col int) float64 {
	g := &p.geo
	x := g.x.Value(float64(col) / math.Max(1, float64(g.pw-1)))
	anywhere := p.discrete()
	return p.nearest(x, func(_, t float64) bool { return anywhere || g.col(t)-g.px == col })
}

// nearest returns the data's own x in sight that is nearest to x among those at which it may
// stop, by their value and their fraction of the axis; x itself if there is none.
func (p *Plot) nearest(x float64, may func(v, t float64) bool) float64 {
	best, distance := x, math.Inf(1)
	for _, s := range p.chart.Series {
		for i := range min(len(s.X), len(s.Y)) {
			v, t := s.X[i], p.geo.x.Fraction(s.X[i])
			if d := math.Abs(v - x); d < distance && scale.IsVisible(t) && scale.Finite(s.Y[i]) && may(v, t) {
				best, distance = v, d
			}
		}
	}
	return best
}

// ReadsBeside reports that the values under the crosshair stand beside the legend.
func (p *Plot) ReadsBeside() bool {
	p.place()
	return p.geo.legend.values
}

// Readout returns the value of every series at the crosshair, in the order of the
// chart; nothing if the crosshair is hidden.
func (p *Plot) Readout() []Reading {
	if !p.cursorOn {
		return nil
	}
	p.place()
	if len(p.chart.Bars) > 0 {
		b := p.chart.Bars[int(p.cursorX)]
		return []Reading{{b.Label, p.cursorX, b.Value, scale.FormatReading(p.chart.Y, b.Value, 4)}}
	}
	return p.readings(p.cursorX)
}

// readings returns the values of all series at x.
func (p *Plot) readings(x float64) []Reading {
	all := make([]Reading, len(p.chart.Series))
	for i, s := range p.chart.Series {
		v := p.curves().ReadAt(i, x)
		all[i] = Reading{s.Name, x, v, scale.FormatReading(p.chart.ReadingAxis(i), v, 4)}
	}
	return all
}
