package plot

import (
	"math"

	"epsiloscope/scenarios/report/scale"
)

// narrowest is the smallest part of the axis a zoom may show: below it neighbouring
// columns would show the same number.
const narrowest = 1e-6

// ZoomIn shows the half of the x axis around the crosshair, or around the middle.
// The y axis always fits what is shown.
func (p *Plot) ZoomIn() { p.zoomAt(p.anchor(), 0.5) }

// ZoomOut undoes one ZoomIn.
func (p *Plot) ZoomOut() { p.zoomAt(p.anchor(), 2) }

// ZoomAt zooms by a factor (below 1 is closer) about a cell, for the mouse wheel;
// the data under that cell stay under it.
func (p *Plot) ZoomAt(cellX int, factor float64) {
	p.prepare()
	if p.geo.ok() && factor > 0 && finite(factor) {
		p.zoomAt(unit(float64(cellX-p.geo.px)/math.Max(1, float64(p.geo.pw-1))), factor)
	}
}

// Reset shows the whole chart again.
func (p *Plot) Reset() { p.setZoom(0, 1) }

// Zoomed reports whether part of the chart lies outside the picture.
func (p *Plot) Zoomed() bool { return p.zoomFrom > 0 || p.zoomTo < 1 }

// Pan moves a zoomed picture by a part of its width; positive is to the right.
func (p *Plot) Pan(part float64) {
	if !finite(part) {
		return
	}
	span := p.zoomTo - p.zoomFrom
	from := math.Max(0, math.Min(1-span, p.zoomFrom+part*span))
	p.setZoom(from, from+span)
}

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
	p.setZoom(from, from+span)
}

func (p *Plot) setZoom(from, to float64) {
	if to > 1-1e-12 {
		to = 1
	}
	if from == p.zoomFrom && to == p.zoomTo {
		return
	}
	p.zoomFrom, p.zoomTo = from, to
	p.redraw()
	if p.cursorOn {
		p.SetCursor(p.cursorX)
	}
}

func (p *Plot) xScale() scale.Scale {
	full := scale.FitX(p.chart)
	if p.Zoomed() {
		return full.Window(p.zoomFrom, p.zoomTo)
	}
	return full
}

// At returns the data under a cell, and whether the cell lies in the plot area. In
// a bar chart x is the index of the bar and y its value.
func (p *Plot) At(cellX, cellY int) (x, y float64, ok bool) {
	p.prepare()
	g := &p.geo
	if len(p.chart.Bars) > 0 {
		i, ok := p.barAt(cellY)
		if !ok || cellX < 0 || cellX >= p.w {
			return 0, 0, false
		}
		return float64(i), p.chart.Bars[i].Value, true
	}
	if !g.ok() || cellX < g.px || cellX >= g.px+g.pw || cellY < g.py || cellY >= g.py+g.ph {
		return 0, 0, false
	}
	x = g.x.Value(float64(cellX-g.px) / math.Max(1, float64(g.pw-1)))
	y = g.y.Value(1 - float64(cellY-g.py)/math.Max(1, float64(g.ph-1)))
	return x, y, true
}

// CursorAt puts the crosshair on a cell, for the mouse, and reports whether the
// cell lies in the plot area.
func (p *Plot) CursorAt(cellX, cellY int) bool {
	x, _, ok := p.At(cellX, cellY)
	if !ok {
		return false
	}
	if len(p.chart.Bars) > 0 {
		p.SetCursor(x)
	} else {
		p.cursorToColumn(cellX - p.geo.px)
	}
	return true
}
