package plot

import (
	"math"

	"epsiloscope/scenarios/report/scale"
)

// geometry is where everything of a chart of curves goes. It depends on the chart,
// the size and the zoom, never on the cursor, so a crosshair moves nothing.
type geometry struct {
	x, y           scale.Scale
	px, py, pw, ph int // the plot area, in cells
	axes           bool
	titleRow       int // row of the y title and of a legend on top; -1 if none
	inlineTitle    bool
	xTitleRow      int     // -1 if none
	xTitleX        int     // column of an x title at the end of the tick labels; 0 if none
	names          []named // the series that the legend names
	legend         legendPlace
	legendX        int
	legendW        int
	legendStep     int  // rows per entry beside the plot
	legendTight    bool // one row, markers without a piece of line
	untitled       bool // the legend has the place of the y title
	legendValues   bool // the legend has room for the crosshair's values
	xTicks, yTicks []placedTick
	longer         float64 // by which factor the x axis is longer than the data, for even ticks
}

// Sizes from which each part is worth its cells. Going down, a chart loses its
// legend, then its titles, then its axes.
const (
	axesWidth, axesHeight = 24, 6
	titleHeight           = 8
	lowHeight             = 14 // below it a short y title stands among the tick labels
	bottomLegendHeight    = 10
	xTitleHeight          = 11 // for a long title
	tallHeight            = 16 // for any
	sideLegendWidth       = 72
	sideValuesWidth       = 92
	leastBeside           = 50 // columns a narrower chart keeps beside names and values
	steadyWidth           = 60
	steadyLabels          = 5 // columns kept for y labels, so that the axis stands still
)

func (g *geometry) ok() bool { return g.pw > 0 && g.ph > 0 }

// col and row map fractions to cells by way of braille dots, so that ticks and marks
// stand exactly where the curves do.
func (g *geometry) col(t float64) int {
	return g.px + int(math.Round(unit(t)*float64(2*g.pw-1)))/2
}

func (g *geometry) row(t float64) int {
	dots := 4*g.ph - 1
	return g.py + (dots-int(math.Round(unit(t)*float64(dots))))/4
}

// spikes is how many vertical lines can stand apart.
func (g *geometry) spikes() int { return g.pw / 2 }

func visible(t float64) bool { return scale.Visible(t) }

func unit(t float64) float64 { return math.Max(0, math.Min(1, t)) }

func (p *Plot) layout() geometry {
	g := geometry{titleRow: -1, xTitleRow: -1, longer: 1}
	g.x = p.xScale()
	g.y = scale.FitY(p.chart, g.x)
	g.axes = p.w >= axesWidth && p.h >= axesHeight
	top, bottom, left, right := 0, 0, 0, 0
	if g.axes {
		bottom = 2
		if title := p.label(p.chart.X.Label); p.h >= tallHeight && title != "" || p.h >= xTitleHeight && width(title) > p.w/5 {
			g.xTitleRow = p.h - 1
			bottom = 3
		}
	}
	p.placeLegend(&g)
	if g.legend == legendRight {
		right = g.legendW + 1
	}
	title := width(p.label(p.chart.Y.Label))
	switch {
	case p.h < titleHeight || !g.axes || title == 0 && g.legend != legendTop:
	case p.h < lowHeight && p.w >= steadyWidth && title <= steadyLabels && g.legend != legendTop:
		g.inlineTitle = true
	default:
		g.titleRow, top = 0, 1
	}
	if g.legend == legendBottom {
		bottom++
		if g.xTitleRow >= 0 {
			g.xTitleRow--
		}
	}
	g.py, g.ph = top, p.h-top-bottom
	if g.axes {
		g.yTicks = g.rowTicks()
		for _, t := range g.yTicks {
			left = max(left, len(t.label))
		}
		if p.w >= steadyWidth {
			left = max(left, steadyLabels)
		}
		left += 2 // a space and the axis
	}
	g.px, g.pw = left, p.w-left-right
	if g.axes {
		if right == 0 {
			g.pw-- // half of the last label reaches beyond the axis
		}
		for i := range g.yTicks {
			g.yTicks[i].start = left - 2 - len(g.yTicks[i].label)
		}
		g.xTicks = g.colTicks(p.w, !p.Zoomed())
	}
	return g
}
