package plot

import (
	"math"
	"math/bits"
	"slices"
	"strings"

	"epsiloscope/report/chart"
	"epsiloscope/report/scale"

	"github.com/NimbleMarkets/ntcharts/canvas/graph"
	"github.com/NimbleMarkets/ntcharts/canvas/runes"
)

func (p *Plot) drawCurves() {
	g := &p.geo
	p.spare = p.arena
	p.lines = make([][][]scale.Point, len(p.chart.Series))
	for i := range p.chart.Series {
		p.lines[i] = scale.Lines(p.outline(i), i, g.x, g.y, g.spikes())
	}
	p.shown = nil
	p.ranks = p.rank()
	p.rings = p.findRings()
	p.drawAxes()
	p.drawAreas()
	p.drawRules()
	p.drawLines()
	p.sprinkle()
	p.drawPoints()
	p.drawMarkLabels()
	p.drawLeaving()
	p.drawLegend()
	if p.cursorOn {
		p.drawCursor()
	} else {
		p.drawRest()
	}
}

// outline returns the chart with an area as the line around it, not as spikes.
func (p *Plot) outline(i int) chart.Chart {
	c := p.chart
	if c.Series[i].Area {
		c.Series = slices.Clone(c.Series)
		c.Series[i].Step = false
	}
	return c
}

// drawLines draws the cells of all lines. A cell has all dots that fall into it, in the colour of the most important
// series there: a curve may change colour for a cell, but never breaks. Near a ring the two series that cross there
// come first.
func (p *Plot) drawLines() {
	g := &p.geo
	if !p.traced {
		p.trace()
	}
	for at, c := range p.raster {
		if c.series != 0 {
			p.drawCell(at%g.pw, at/g.pw, c)
		}
	}
	for _, i := range slices.Backward(p.ranks.Order) { // a point alone between gaps, which no line would show
		for _, line := range p.lines[i] {
			if len(line) == 1 && line[0].IsInside() && p.ranks.Owner[i] == i {
				p.set(g.col(line[0].X), g.row(line[0].Y), p.look(i).Marker, p.look(i).Ink, curveLayer)
			}
		}
	}
}

// dots are the dots of a cell, as bits of a Braille pattern, and the series that have dots there, one bit for the
// rank of each.
type dots struct {
	braille rune
	series  uint64
}

// maxRank is the last rank that has a bit of its own; a chart has about ten series.
const maxRank = 63

// trace finds the dots of every series that has a line, with ntcharts' BrailleGrid and GetLinePoints. They are kept
// while only the crosshair moves.
func (p *Plot) trace() {
	g := &p.geo
	n := g.pw * g.ph
	p.raster = slices.Grow(p.raster[:0], n)[:n]
	clear(p.raster)
	grid := graph.NewBrailleGrid(g.pw, g.ph, 0, float64(2*g.pw-1), 0, float64(4*g.ph-1))
	for rank, i := range p.ranks.Order {
		if p.isArea(i) || p.ranks.Owner[i] != i {
			continue
		}
		p.traceSeries(grid, i)
		for y, row := range grid.BraillePatterns() {
			for x, r := range row {
				if r != runes.BrailleBlockOffset {
					c := &p.raster[y*g.pw+x]
					c.braille |= r - runes.BrailleBlockOffset
					c.series |= 1 << min(rank, maxRank)
				}
			}
		}
		grid.Clear()
	}
	p.traced = true
}

// traceSeries sets the dots of a series' lines, with its dashes.
func (p *Plot) traceSeries(grid *graph.BrailleGrid, i int) {
	g, look, thick := &p.geo, p.look(i), p.thick(i) && !p.pen.Glyphs.ASCII
	w, h := 2*g.pw, 4*g.ph
	for _, line := range p.lines[i] {
		n := 0 // dots walked: the pattern starts anew after a gap
		for k := 1; k < len(line); k++ {
			a, b, ok := scale.Clip(line[k-1], line[k])
			if !ok {
				continue
			}
			from, to := g.dot(a), g.dot(b)
			walk := graph.GetLinePoints(from, to)
			if walk[0] != from { // it goes from left to right, or down
				slices.Reverse(walk)
			}
			steep := abs(to.Y-from.Y) > abs(to.X-from.X)
			for _, q := range walk {
				if look.Dash.IsDrawn(n) {
					grid.Set(q)
					beside := q
					switch {
					case !thick:
					case steep && q.X+1 < w:
						beside.X++
						grid.Set(beside)
					case steep:
						beside.X--
						grid.Set(beside)
					case q.Y+1 < h:
						beside.Y++
						grid.Set(beside)
					default:
						beside.Y--
						grid.Set(beside)
					}
				}
				n++
			}
			n-- // the next segment starts with the last dot
		}
	}
}

func abs(n int) int { return max(n, -n) }

// drawCell writes the dots of a cell. A faint series does not cover the edge of an area.
func (p *Plot) drawCell(cx, cy int, d dots) {
	g, r := &p.geo, d.braille|runes.BrailleBlockOffset
	i := p.ranks.Order[bits.TrailingZeros64(p.nearRing(cx, d.series))]
	if c := p.cellAt(g.px+cx, g.py+cy); p.chart.Series[i].Faint && c.on == areaLayer && c.r != ' ' {
		return
	}
	if p.pen.Glyphs.ASCII {
		r = p.letter(i)
	}
	p.set(g.px+cx, g.py+cy, r, p.ink(i), curveLayer)
}

// letters are the letters in ASCII of the theorems whose first letter another has.
var letters = map[string]rune{"advanced KOV": 'k', "adv. KOV": 'k', "RDP pinned": 'p'}

// letter returns what a series is drawn with in ASCII: the best in stars, the other rivals by their
// first letter, series of other charts by their mark.
func (p *Plot) letter(i int) rune {
	s := p.chart.Series[i]
	first := strings.ToLower(s.Name)
	switch {
	case i == p.ranks.Best:
		return '*'
	case p.chart.Rivals && letters[s.Name] != 0:
		return letters[s.Name]
	case p.chart.Rivals && !s.Faint && first != "" && first[0] >= 'a' && first[0] <= 'z':
		return rune(first[0])
	}
	return p.look(i).Marker
}

// sprinkle sets the series' markers on the curves at intervals if neither colour nor a label at
// the end of a curve names it; staggered, so that two do not fall on one column.
func (p *Plot) sprinkle() {
	g := &p.geo
	if !p.monochrome() || g.legend.place == legendRight || len(p.chart.Series) < 2 || p.pen.Glyphs.ASCII {
		return
	}
	every := 24
	if g.ph < 8 {
		every = 40 // few rows hold few markers
	}
	for _, i := range slices.Backward(p.ranks.Order) {
		if p.chart.Series[i].Faint || p.isArea(i) || p.ranks.Owner[i] != i {
			continue
		}
		for c := 4 + (7*i)%every; c < g.pw; c += every {
			for near := c; near < min(c+5, g.pw) && !p.stamp(i, near); near++ { // a dashed curve may have a gap at c
			}
		}
	}
}

// stamp sets the marker of a series on a column where there is a curve to carry it.
func (p *Plot) stamp(i, column int) bool {
	g, look := &p.geo, p.look(i)
	t := scale.HeightAt(p.lines[i], float64(column)/math.Max(1, float64(g.pw-1)))
	if !scale.IsVisible(t) || p.cellAt(g.px+column, g.row(t)).on != curveLayer {
		return false
	}
	p.set(g.px+column, g.row(t), look.Marker, look.Ink, curveLayer)
	return true
}
