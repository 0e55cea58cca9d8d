package plot

import "math"

// narrowest is the smallest part of the axis a zoom may show: below it neighbouring
// columns would show the same number.
const narrowest = 1e-6

// Zoom shows a part of the x axis half as long around the crosshair, or around the middle,
// for each step in; steps below zero go back out. The y axis always fits what is shown.
func (p *Plot) Zoom(in int) {
	p.place()
	t := 0.5
	if p.cursorOn && p.geo.ok() {
		t = unit(p.geo.x.Fraction(p.cursorX))
	}
	if len(p.chart.Bars) > 0 || math.IsNaN(t) {
		return
	}
	span := p.zoomTo - p.zoomFrom
	at := p.zoomFrom + t*p.geo.longer*span
	span = math.Max(narrowest, math.Min(1, math.Ldexp(span, -in)))
	p.zoomFrom = math.Max(0, math.Min(1-span, at-t*span))
	if p.zoomTo = p.zoomFrom + span; p.zoomTo > 1-1e-12 {
		p.zoomTo = 1
	}
	p.redraw()
}

// Zoomed reports whether part of the chart lies outside the picture.
func (p *Plot) Zoomed() bool { return p.zoomFrom > 0 || p.zoomTo < 1 }
