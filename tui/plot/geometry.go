package plot

import (
	"math"
	"strings"

	"epsiloscope/report/chart"
	"epsiloscope/report/scale"

	"github.com/NimbleMarkets/ntcharts/canvas"
)

// geometry holds the positions of everything in a chart of curves. It depends on the chart, the
// size and the zoom, never on the cursor, so a crosshair moves nothing.
type geometry struct {
	x, y           scale.Scale
	px, py, pw, ph int // the plot area, in cells
	axes           bool
	xTicks, yTicks []placedTick
	longer         float64 // by which factor the x axis is longer than the data, for even ticks
	titleRow       int     // row of the y title and of a legend on top; -1 if none
	inlineTitle    bool    // the y title stands among the tick labels
	xTitle         caption
	legend         legend
}

// caption is a text and where it starts.
type caption struct {
	x, y int
	text string
}

// Sizes from which each part is worth its cells. Going down, a chart loses its
// legend, then its titles, then its axes.
const (
	axesWidth, axesHeight = 24, 6
	titleHeight           = 8
	lowHeight             = 14 // below it a short y title stands among the tick labels
	bottomLegendHeight    = 11
	xTitleHeight          = 11 // for a long title
	tallHeight            = 16 // for any
	sideLegendWidth       = 60
	sideValuesWidth       = 92
	minPlotWidth          = 34 // columns a plot keeps beside names and values
	steadyWidth           = 60
	steadyLabels          = 5 // columns kept for y labels, so that the axis stands still
)

func (g *geometry) ok() bool { return g.pw > 0 && g.ph > 0 }

// dot returns the braille dot of fractions of the axes, counted from the upper left.
func (g *geometry) dot(at scale.Point) canvas.Point {
	right, down := float64(2*g.pw-1), 4*g.ph-1
	return canvas.Point{X: int(math.Round(scale.ClampToAxis(at.X) * right)),
		Y: down - int(math.Round(scale.ClampToAxis(at.Y)*float64(down)))}
}

// col and row map fractions to cells by way of braille dots, so that ticks and marks
// stand exactly where the curves do.
func (g *geometry) col(t float64) int { return g.px + g.dot(scale.Point{X: t}).X/2 }
func (g *geometry) row(t float64) int { return g.py + g.dot(scale.Point{Y: t}).Y/4 }

// ruleRow returns the row of a rule across the plot, which is not that of a tick of another value: it would be read as
// that value.
func (g *geometry) ruleRow(m chart.Mark) int {
	row := g.row(g.y.Fraction(m.Y))
	for _, tick := range g.yTicks {
		switch {
		case tick.cell != row:
		case tick.value < m.Y:
			return max(row-1, g.py)
		case tick.value > m.Y:
			return min(row+1, g.py+g.ph-1)
		}
	}
	return row
}

// contains reports whether a cell lies in the plot area.
func (g *geometry) contains(x, y int) bool {
	return x >= g.px && x < g.px+g.pw && y >= g.py && y < g.py+g.ph
}

// spikes returns how many vertical lines can stand apart.
func (g *geometry) spikes() int { return g.pw / 2 }

func (p *Plot) layout() geometry {
	g := geometry{titleRow: -1, longer: 1, x: scale.FitX(p.shownChart()), axes: p.w >= axesWidth && p.h >= axesHeight}
	if p.IsZoomed() {
		g.x = g.x.Window(p.zoomFrom, p.zoomTo)
	}
	g.y = scale.FitY(p.shownChart(), g.x)
	g.legend = p.placeLegend(g.axes)
	top, bottom, left, right := 0, 0, 0, 0
	if g.legend.place == legendRight {
		right = g.legend.w + 1
	}
	xTitle := width(p.label(p.chart.X.Label))
	ownRow := g.axes && xTitle > 0 && (p.h >= tallHeight || p.h >= xTitleHeight && xTitle > p.w/5)
	title := width(p.label(p.chart.Y.Label))
	switch {
	case g.legend.place == legendTop:
		g.titleRow, top = 0, 1
	case p.h < titleHeight || !g.axes || title == 0 || g.legend.untitled:
	case g.legend.values && p.h >= titleHeight+2:
		g.titleRow, top = 0, 1 // the reading stands above the values
	case p.h < lowHeight && p.w >= steadyWidth && title <= steadyLabels:
		g.inlineTitle = true
	default:
		g.titleRow, top = 0, 1
	}
	if g.axes {
		bottom = 2
	}
	if ownRow {
		bottom++
	}
	bottom += g.legend.rows
	g.py, g.ph = top, p.h-top-bottom
	if g.axes {
		x := g.x.Window(0, acceptedLonger) // it may grow for even ticks of its own
		g.yTicks = g.rowTicks(scale.FitYClosely(p.shownChart(), x), p.standsOnBase())
		if p.standsOnBase() {
			g.lowerZero()
		}
		for _, t := range g.yTicks {
			left = max(left, len(t.label))
		}
		if p.w >= steadyWidth {
			left = max(left, steadyLabels)
		}
		left += 2 // a space and the axis
	}
	g.px, g.pw = left, p.w-left-right
	if p.chart.Square && !p.IsZoomed() {
		g.pw = min(g.pw, squareWidth(g.ph))
		if g.legend.place == legendRight {
			g.legend.x = min(g.legend.x, g.px+g.pw+3)
		}
	}
	if g.axes {
		if right == 0 {
			g.pw-- // half of the last label reaches beyond the axis
		}
		for i := range g.yTicks {
			g.yTicks[i].start = left - 2 - len(g.yTicks[i].label)
		}
		g.xTicks = g.colTicks(p.w, !p.IsZoomed())
		p.placeXTitle(&g, ownRow)
	}
	l := &g.legend
	switch {
	case l.place == legendBottom && !l.tight:
		l.x = g.px
	}
	return g
}

// squareWidth returns the columns that are as wide as some rows are high. A low plot is wider than that, or its
// curves could not be read.
func squareWidth(rows int) int {
	const lowest, least = 10, 48
	if rows < lowest {
		return least
	}
	return 2 * rows
}

// maxStretch is the largest factor by which a linear axis grows so that its ticks stand in the middle of rows: more
// would push all curves to the floor of a chart of few rows.
const maxStretch = 1.35

// placeXTitle puts the x title on a row of its own, or at the end of the tick labels if it is
// short enough to fit there; the last of them give way. Where it does not fit, what stands in brackets goes before a
// word is cut.
func (p *Plot) placeXTitle(g *geometry, ownRow bool) {
	title := p.label(p.chart.X.Label)
	if short, _, ok := strings.Cut(title, " ("); ok && width(title) > g.pw {
		title = short
	}
	title = p.pen.Cut(title, g.pw)
	n, row, x := width(title), g.py+g.ph+1, p.w-width(title)
	if ownRow {
		g.xTitle = caption{g.px + (g.pw-n)/2, row + 1, title}
		return
	}
	if short, _, ok := strings.Cut(title, " ("); ok && n > g.pw/3 {
		title = short
		n, x = width(title), p.w-width(title)
	}
	if title == "" || len(g.xTicks) == 0 || n > g.pw/3 {
		return
	}
	last := len(g.xTicks) - 1
	for ; last > 1 && g.xTicks[last].end()+2 > x; last-- {
		g.xTicks[last].label = ""
	}
	end := g.xTicks[last].end()
	if g.legend.place == legendRight {
		x = min(x, max(end+2, g.px+g.pw+2)) // not below the legend's far end
	}
	if end+1 <= x {
		g.xTitle = caption{x, row, title}
	}
}
