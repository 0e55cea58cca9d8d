package plot

import (
	"cmp"
	"iter"
	"math"

	"epsiloscope/scenarios/report/scale"
	"epsiloscope/tui/draw"

	"github.com/NimbleMarkets/ntcharts/canvas"
	"github.com/NimbleMarkets/ntcharts/canvas/runes"
)

func (p *Plot) drawCurves() {
	p.drawAxes()
	p.drawRules()
	order := p.chart.Order()
	p.lines = make([][][]scale.Point, len(order))
	for _, i := range order {
		p.drawSeries(i)
	}
	for _, i := range order {
		p.sprinkle(i)
	}
	p.drawPoints()
	p.drawMarkLabels()
	p.drawLegend()
	if p.cursorOn {
		p.drawCursor()
	} else {
		p.drawRest()
	}
}

// drawSeries draws the lines of a series, with its dashes, and then a marker on each point that
// stands alone between gaps, which no line would show.
func (p *Plot) drawSeries(i int) {
	g, look := &p.geo, p.look(i)
	p.lines[i] = scale.Lines(p.chart, i, g.x, g.y, g.spikes())
	for _, line := range p.lines[i] {
		n, last := 0, canvas.Point{X: -1} // dots walked: the pattern starts anew after a gap
		for k := 1; k < len(line); k++ {
			a, b, ok := scale.Clip(line[k-1], line[k])
			if !ok {
				continue
			}
			for q := range segment(g.dot(a), g.dot(b)) {
				if q == last {
					continue
				}
				if look.Dash.On(n) {
					p.drawDot(q, i, &look)
				}
				n++
				last = q
			}
		}
	}
	for _, line := range p.lines[i] {
		if len(line) == 1 && line[0].Inside() {
			p.set(g.col(line[0].X), g.row(line[0].Y), look.Marker, look.Ink, curveLayer)
		}
	}
}

// brailleDots are the dots of a cell by row and column, after the Unicode block
// "Braille Patterns".
var brailleDots = [4][2]rune{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}

// drawDot sets a dot of a series, which then owns the cell: merging the dots of two series
// would give both one colour. Without colours there is nothing to confuse, and they are merged.
// A graph.BrailleGrid for each series takes 244 allocations and 280 µs for 100×30 cells, which was
// two thirds of the cost of a frame.
func (p *Plot) drawDot(q canvas.Point, series int, look *draw.Look) {
	c := &p.cells[(p.geo.py+q.Y/4)*p.w+p.geo.px+q.X/2]
	owner, r := int16(series+1), look.Marker
	if !p.pen.Glyphs.ASCII {
		r = runes.BrailleBlockOffset | brailleDots[q.Y%4][q.X%2]
		if c.owner == owner || p.monochrome() {
			r = runes.CombineBraillePatterns(c.r, r)
		}
	}
	*c = cell{r, curveLayer, owner, look.Ink}
}

// segment walks the dots of a line. They are those of graph.GetLinePoints, which appends them
// to a slice dot by dot: a third of the allocations of a frame.
func segment(q, to canvas.Point) iter.Seq[canvas.Point] {
	return func(yield func(canvas.Point) bool) {
		right, down := cmp.Compare(to.X, q.X), cmp.Compare(to.Y, q.Y)
		dx, dy := right*(to.X-q.X), down*(to.Y-q.Y)
		n := max(dx, dy)
		ex, ey := n, n
		if dx > dy && right > 0 || dx <= dy && down >= 0 { // half a dot belongs to the end on the left, or above
			ex, ey = n-1, n-1
		}
		for yield(q) && q != to {
			if ex += 2 * dx; ex >= 2*n {
				ex -= 2 * n
				q.X += right
			}
			if ey += 2 * dy; ey >= 2*n {
				ey -= 2 * n
				q.Y += down
			}
		}
	}
}

// sprinkle sets the series' marker on the curve every so often, so that it can be
// told without colour; staggered, so that the markers of neighbouring series do not
// fall on one column. In ASCII the curve is made of them.
func (p *Plot) sprinkle(i int) {
	g := &p.geo
	if p.chart.Series[i].Faint || len(p.chart.Series) < 2 || p.pen.Glyphs.ASCII {
		return
	}
	every := 24
	if g.ph < 8 {
		every = 40 // few rows hold few markers
	}
	for c := 4 + (7*i)%every; c < g.pw; c += every {
		for near := c; near < min(c+5, g.pw) && !p.stamp(i, near); near++ { // a dashed curve may have a gap at c
		}
	}
}

// stamp sets the marker of a series on a column where there is a curve to carry it.
func (p *Plot) stamp(i, column int) bool {
	g, look := &p.geo, p.look(i)
	t := p.heightAt(i, float64(column)/math.Max(1, float64(g.pw-1)))
	if !scale.Visible(t) || p.at(g.px+column, g.row(t)).on != curveLayer {
		return false
	}
	p.set(g.px+column, g.row(t), look.Marker, look.Ink, curveLayer)
	return true
}

// heightAt is where the drawn lines of a series stand at a fraction of the x axis; NaN where
// there are none.
func (p *Plot) heightAt(series int, x float64) float64 {
	for _, line := range p.lines[series] {
		for k := 1; k < len(line); k++ {
			if a, b := line[k-1], line[k]; (a.X <= x && x <= b.X || b.X <= x && x <= a.X) && a.X != b.X {
				return a.Y + (x-a.X)/(b.X-a.X)*(b.Y-a.Y)
			}
		}
	}
	return math.NaN()
}
