// Package plot draws a chart.Chart into a rectangle of terminal cells: curves in
// braille or ASCII, bars in eighth blocks, with ticks, legend, marks, crosshair and
// zoom. Start with New, SetChart, Draw.
//
// ntcharts draws the dots of the curves (graph.BrailleGrid, graph.GetLinePoints) and the sparkline. What it cannot
// do lives here: the finite filter, clipping, logarithmic scales, tick placement, areas with edges of block elements,
// curves that share a cell or a line, labels that make room for each other, and rendering by runs; each file that
// does by hand what ntcharts has too says why. Nothing else in the program imports ntcharts.
package plot

import (
	"math"
	"strings"

	"epsiloscope/report/chart"
	"epsiloscope/report/scale"
	"epsiloscope/tui/draw"
)

// Plot draws a chart on the screen. It is not safe for concurrent use. View is
// cached: it costs nothing until an input changes.
type Plot struct {
	chart   chart.Chart
	looks   []int // places of the series in the theme
	partial bool  // the axes leave out what does not decide
	pen     *draw.Pen
	surface

	zoomFrom, zoomTo float64 // the part of the x axis shown, in fractions of it

	cursorOn bool
	cursorX  float64 // the data it stands on; in a bar chart the index of the bar

	geo    geometry
	placed bool              // geo is up to date
	lines  [][][]scale.Point // of each series, as last drawn
	ranks  scale.Ranks       // of the series, as last drawn
	shown  *scale.Curves     // the series on the scales of the picture
	raster []dots            // the dots of every cell
	traced bool              // raster is up to date
	rings  []ring            // as last drawn
	arena  []float64         // memory for heights, used again by every frame
	spare  []float64         // what of it this frame has not used yet
	shapes map[kinds]shape   // block elements that were found before
	labels []endLabel        // as last drawn
	whole  bool              // all data are in sight, not only what decides
	view   string
	drawn  bool // view is up to date
}

// New returns an empty plot of no size. It has no pen before SetPen or Draw.
func New() *Plot { return &Plot{zoomTo: 1} }

// Draw returns the chart in lines of a box of w×h.
func (p *Plot) Draw(pen *draw.Pen, w, h int) []string {
	p.SetPen(pen)
	p.SetSize(w, h)
	return strings.Split(p.View(), "\n")
}

// SetChart shows another chart, which must not be changed afterwards. The zoom and the cursor stay if both charts have
// the same title and axes, so that a knob moved under them does not lose the place.
func (p *Plot) SetChart(c chart.Chart) {
	same := p.chart.Title == c.Title && p.chart.X.Label == c.X.Label && p.chart.X.Log == c.X.Log &&
		(len(p.chart.Bars) > 0) == (len(c.Bars) > 0)
	p.chart, p.looks, p.partial = c, c.Looks(), c.LeavesOut()
	if !same {
		p.zoomFrom, p.zoomTo, p.whole = 0, 1, false
		p.cursorOn, p.cursorX = false, 0
	}
	p.redraw()
}

// Chart returns the chart shown. It must not be changed.
func (p *Plot) Chart() chart.Chart { return p.chart }

// SetSize sets the rectangle, in cells. Negative sizes count as zero.
func (p *Plot) SetSize(w, h int) {
	if w, h = max(w, 0), max(h, 0); w != p.w || h != p.h {
		p.w, p.h = w, h
		p.redraw()
	}
}

// SetPen sets colours and glyphs.
func (p *Plot) SetPen(pen *draw.Pen) {
	if pen == p.pen {
		return
	}
	before := p.pen
	p.pen, p.drawn, p.traced = pen, false, false
	// Where things stand depends on the signs and on whether there are colours, not on which.
	p.placed = p.placed && before != nil && before.Glyphs.ASCII == pen.Glyphs.ASCII &&
		monochrome(before) == monochrome(pen)
}

// narrowest is the smallest part of the axis a zoom may show: below it neighbouring
// columns would show the same number.
const narrowest = 1e-6

// Zoom shows a part of the x axis half as long around the crosshair, or around the middle,
// for each step in; steps below zero go back out, at last to what the chart leaves out because it
// does not decide. The y axis always fits what is shown.
func (p *Plot) Zoom(in int) {
	p.place()
	t := 0.5
	if p.cursorOn && p.geo.ok() {
		t = scale.ClampToAxis(p.geo.x.Fraction(p.cursorX))
	}
	if len(p.chart.Bars) > 0 || math.IsNaN(t) {
		return
	}
	span := p.zoomTo - p.zoomFrom
	if in < 0 && !p.IsZoomed() && p.partial || p.whole && in > 0 { // beyond what decides, and back
		p.whole = in < 0
		p.redraw()
		return
	}
	at := p.zoomFrom + t*p.geo.longer*span
	span = math.Max(narrowest, math.Min(1, math.Ldexp(span, -in)))
	p.zoomFrom = math.Max(0, math.Min(1-span, at-t*span))
	if p.zoomTo = p.zoomFrom + span; p.zoomTo > 1-1e-12 {
		p.zoomTo = 1
	}
	p.redraw()
}

// Whole reports whether all data are in sight, also what the chart leaves out because it does not
// decide.
func (p *Plot) Whole() bool { return !p.IsZoomed() && (p.whole || !p.partial) }

// shownChart returns the chart with the axes it is drawn on.
func (p *Plot) shownChart() chart.Chart {
	if p.whole {
		return p.chart.WithoutFocus()
	}
	return p.chart
}

// IsZoomed reports whether part of the chart lies outside the picture.
func (p *Plot) IsZoomed() bool { return p.zoomFrom > 0 || p.zoomTo < 1 }

func (p *Plot) redraw() { p.placed, p.drawn, p.traced = false, false, false }

// View returns exactly h lines of exactly w columns, joined by newlines, and the
// empty string if either is zero.
func (p *Plot) View() string {
	if p.w == 0 || p.h == 0 {
		return ""
	}
	if p.place(); !p.drawn {
		p.reset()
		p.draw()
		p.view, p.drawn = p.render(), true
	}
	return p.view
}

// Below this size a chart would be noise.
const minWidth, minHeight = 12, 4

// place brings the geometry of curves and the crosshair up to date.
func (p *Plot) place() {
	if p.placed {
		return
	}
	p.placed, p.geo, p.shown = true, geometry{}, nil
	if bars := len(p.chart.Bars); bars > 0 {
		p.cursorX = min(p.cursorX, float64(bars-1))
		return
	}
	if p.w >= minWidth && p.h >= minHeight && scale.HasPoints(p.chart) {
		p.geo = p.layout()
	}
	if p.cursorOn {
		p.SetCursor(p.cursorX) // it may be out of sight now
	}
}

func (p *Plot) draw() {
	small := p.w < minWidth || p.h < minHeight
	switch {
	case !small && len(p.chart.Bars) > 0:
		p.drawBars()
	case !small && !scale.HasPoints(p.chart):
		p.drawMessage("nothing to draw yet")
	case p.geo.ok():
		p.drawCurves()
	case p.w >= 23:
		p.drawMessage("too small for the chart")
	default:
		p.drawMessage("too small")
	}
}

func (p *Plot) drawMessage(s string) {
	s = p.pen.Cut(p.label(s), p.w)
	p.text((p.w-width(s))/2, (p.h-1)/2, s, &p.pen.Muted)
}
