package plot

import (
	"math"
	"strings"

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
	xTitleRow      int      // -1 if none
	xTitleX        int      // column of an x title at the end of the tick labels; 0 if none
	names          []string // what the legend calls each series, "" for nothing
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

type placedTick struct {
	cell  int // absolute column or row of the tick itself
	start int // absolute column of its label
	label string
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

// mostLonger is by how much an axis may grow for ticks that stand evenly; with little no
// other choice is tried.
const mostLonger, little = 1.15, 1.06

// rowTicks chooses as many ticks as leave a free row between any two, and as stand evenly
// where their distances are equal: the axis grows a little for that. Where no choice does,
// some are left out, or two may stand together, never on the same row.
func (g *geometry) rowTicks() []placedTick {
	var second []placedTick
	for n := max(2, min(g.ph/2, 2+g.ph/4)); n >= 1; n-- {
		ticks := g.y.Ticks(n)
		placed, apart := g.placeRows(ticks)
		if len(placed) < 2 || 3*len(placed) > 2*g.ph && n > 1 {
			continue
		}
		if apart >= 2 {
			longer, by, even := g.y.Even(ticks, g.ph, 4)
			if !even || g.y.Log && by > mostLonger { // more decades say more than even ones
				return placed
			}
			if by <= mostLonger {
				g.y = longer
				placed, _ = g.placeRows(ticks)
				return placed
			}
		}
		if apart >= 1 && second == nil {
			second = placed
		}
	}
	if second == nil {
		second, _ = g.placeRows(g.y.Ticks(1))
	}
	if _, _, even := g.y.Even(g.y.Ticks(len(second)), g.ph, 4); even && !g.y.Log {
		return thinned(second)
	}
	return second
}

// thinned leaves out as few ticks as needed for the others to stand evenly.
func thinned(ticks []placedTick) []placedTick {
	for every := 1; every < len(ticks); every++ {
		var kept []placedTick
		even := true
		for i := 0; i < len(ticks); i += every {
			kept = append(kept, ticks[i])
			if n := len(kept); n > 2 && kept[n-1].cell-kept[n-2].cell != kept[1].cell-kept[0].cell {
				even = false
			}
		}
		if even {
			return kept
		}
	}
	return ticks
}

// placeRows puts ticks on rows, one on each at most, and returns the least distance
// between two of them; 0 if two would share a row.
func (g *geometry) placeRows(ticks []scale.Tick) (placed []placedTick, apart int) {
	apart = g.ph
	for _, t := range ticks {
		row := g.row(g.y.Fraction(t.Value))
		if k := len(placed); k > 0 {
			apart = min(apart, placed[k-1].cell-row)
			if placed[k-1].cell == row {
				continue
			}
		}
		placed = append(placed, placedTick{cell: row, label: t.Label})
	}
	return placed, apart
}

// colTicks chooses as many ticks as leave two columns between their labels. On a linear
// axis that may grow it takes those for which it grows least to have them stand evenly.
func (g *geometry) colTicks(w int, grow bool) []placedTick {
	most := max(2, g.pw/8)
	given, best := g.x, g.x
	var chosen []placedTick
	for n := most; n >= 1; n-- {
		ticks := given.Ticks(n)
		longer, by, even := given.Even(ticks, g.pw, 2)
		if !grow || given.Log || by > mostLonger {
			longer, by, even = given, 1, false
		}
		if chosen != nil && (!even || len(ticks) < 3 || 3*n < most) {
			break
		}
		g.x = longer
		placed, ok := g.placeColumns(ticks, w)
		if !ok || chosen != nil && by >= g.longer {
			continue
		}
		chosen, best, g.longer = placed, longer, by
		if !even || by <= little {
			break
		}
	}
	g.x = best
	return chosen
}

// placeColumns puts ticks on columns; false where their labels come too close. Names give way.
func (g *geometry) placeColumns(ticks []scale.Tick, w int) (placed []placedTick, ok bool) {
	end := -2
	for i, t := range ticks {
		col, label := g.col(g.x.Fraction(t.Value)), t.Label
		if len(g.x.Names) > 0 && len(ticks) > 1 {
			next := ticks[min(i+1, len(ticks)-1)].Value
			before := ticks[min(i, len(ticks)-2)].Value
			label = shorter(label, g.col(g.x.Fraction(next))-g.col(g.x.Fraction(before))-2)
		}
		start := min(max(col-(len(label)-1)/2, 0), w-len(label))
		if start < end+2 || label == "" {
			return nil, false
		}
		end = start + len(label)
		placed = append(placed, placedTick{col, start, label})
	}
	return placed, true
}

// shorter is a name of an axis cut to n letters; "" where that would say nothing.
func shorter(name string, n int) string {
	const least = 5
	switch {
	case len(name) <= n:
		return name
	case n < least:
		return ""
	}
	return strings.TrimRight(name[:n-1], " .") + "."
}
