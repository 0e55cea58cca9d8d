package plot

import (
	"math"

	"epsiloscope/scenarios/report/scale"
)

// narrowest is the smallest part of the axis a zoom may show: below it neighbouring
// columns would show the same number.
const narrowest = 1e-6

// Zoom shows a part of the x axis half as long around the crosshair, or around the middle,
// for each step in; steps below zero go back out. The y axis always fits what is shown.
func (p *Plot) Zoom(in int) { p.zoomAt(p.anchor(), math.Ldexp(1, -in)) }

// Zoomed reports whether part of the chart lies outside the picture.
func (p *Plot) Zoomed() bool { return p.zoomFrom > 0 || p.zoomTo < 1 }

func (p *Plot) anchor() float64 {
	p.prepare()
	if p.cursorOn && p.geo.ok() {
		return unit(p.geo.x.Fraction(p.cursorX))
	}
	return 0.5
}

func (p *Plot) zoomAt(t, factor float64) {
	if len(p.chart.Bars) > 0 || math.IsNaN(t) {
		return
	}
	span := p.zoomTo - p.zoomFrom
	at := p.zoomFrom + t*p.geo.longer*span
	span = math.Max(narrowest, math.Min(1, span*factor))
	from := math.Max(0, math.Min(1-span, at-t*span))
	to := from + span
	if to > 1-1e-12 {
		to = 1
	}
	if from != p.zoomFrom || to != p.zoomTo {
		p.zoomFrom, p.zoomTo = from, to
		p.redraw()
	}
}

func (p *Plot) xScale() scale.Scale {
	full := scale.FitX(p.chart)
	if p.Zoomed() {
		return full.Window(p.zoomFrom, p.zoomTo)
	}
	return full
}

// CursorAt puts the crosshair on a cell, for the mouse, and reports whether the
// cell lies in the plot area.
func (p *Plot) CursorAt(cellX, cellY int) bool {
	p.prepare()
	g := &p.geo
	if len(p.chart.Bars) > 0 {
		i, ok := p.barAt(cellY)
		if ok = ok && cellX >= 0 && cellX < p.w; ok {
			p.SetCursor(float64(i))
		}
		return ok
	}
	if !g.ok() || cellX < g.px || cellX >= g.px+g.pw || cellY < g.py || cellY >= g.py+g.ph {
		return false
	}
	p.cursorToColumn(cellX - g.px)
	return true
}
