// Package plot draws a chart.Chart into a rectangle of terminal cells: curves in
// braille or ASCII, bars in eighth blocks, with ticks, legend, marks, crosshair and
// zoom. Start with New, SetChart, Draw.
//
// ntcharts has the braille block (canvas/runes), the canvas of the map and the sparkline. What
// it lacks lives here: the finite filter, clipping, logarithmic scales, tick placement, one
// owner per cell, and rendering by runs; each file that does by hand what ntcharts has too says
// why. Nothing else in the program imports ntcharts.
package plot

import (
	"math"
	"strings"

	"epsiloscope/scenarios/report/chart"
	"epsiloscope/scenarios/report/scale"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/theme"
)

// Plot is one chart on the screen. It is not safe for concurrent use. View is
// cached: it costs nothing until an input changes.
type Plot struct {
	chart  chart.Chart
	w, h   int
	pen    *draw.Pen
	glyphs theme.Glyphs
	inks   []draw.Ink
	looks  []int // places of the series in the theme

	zoomFrom, zoomTo float64 // the part of the x axis shown, in fractions of it

	cursorOn  bool
	cursorCol int     // column of the plot area, or index of the bar
	cursorX   float64 // the data it stands on

	base      surface // everything but the crosshair
	over      surface
	dots      dots
	geo       geometry
	lines     [][][]scale.Point // of each series, as last drawn
	baseStale bool
	viewStale bool
	view      string
}

// New returns an empty plot of no size. It has no pen before SetPen or Draw.
func New() *Plot { return &Plot{zoomTo: 1} }

// Draw is the chart in lines of a box of w×h.
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
	p.chart, p.looks = c, c.Looks()
	if !same {
		p.zoomFrom, p.zoomTo = 0, 1
		p.cursorOn = false
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
	if pen != p.pen {
		p.pen, p.glyphs, p.inks = pen, pen.Glyphs, inks(pen)
		p.redraw()
	}
}

func (p *Plot) redraw() { p.baseStale, p.viewStale = true, true }

// View returns exactly h lines of exactly w columns, joined by newlines, and the
// empty string if either is zero.
func (p *Plot) View() string {
	if p.w == 0 || p.h == 0 {
		return ""
	}
	p.prepare()
	if p.viewStale {
		shown := &p.base
		if p.cursorOn || p.resting() {
			shown = &p.over
			shown.copyFrom(&p.base)
			p.drawOver(shown)
		}
		p.view = shown.render(p.inks)
		p.viewStale = false
	}
	return p.view
}

// prepare brings the base picture and its geometry up to date.
func (p *Plot) prepare() {
	if !p.baseStale || p.w == 0 || p.h == 0 {
		return
	}
	p.baseStale = false
	p.base.reset(p.w, p.h)
	p.geo = geometry{}
	bars := len(p.chart.Bars)
	switch {
	case p.w < minWidth || p.h < minHeight:
		p.drawMessage(p.tooSmall())
	case bars > 0:
		p.cursorCol = min(p.cursorCol, bars-1)
		p.drawBars()
	case !scale.HasPoints(p.chart):
		p.drawMessage("nothing to draw yet")
	default:
		p.drawCurves()
	}
	if p.cursorOn && bars == 0 {
		p.SetCursor(p.cursorX) // its column may be another now
	}
}

// Below this size a chart would be noise.
const minWidth, minHeight = 12, 4

func (p *Plot) tooSmall() string {
	if p.w >= 18 {
		return "chart needs " + scale.Format(minWidth, 3) + "x" + scale.Format(minHeight, 3)
	}
	return "too small"
}

func (p *Plot) drawMessage(s string) {
	s = p.pen.Cut(p.label(s), p.w)
	p.base.text((p.w-width(s))/2, (p.h-1)/2, s, mutedPen)
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
