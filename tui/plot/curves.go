package plot

import (
	"math"

	"epsiloscope/scenarios/report/scale"
	"epsiloscope/tui/draw"

	"github.com/NimbleMarkets/ntcharts/canvas"
	"github.com/NimbleMarkets/ntcharts/canvas/runes"
)

func (p *Plot) drawCurves() {
	p.geo = p.layout()
	if !p.geo.ok() {
		p.drawMessage(p.tooSmall())
		return
	}
	p.drawAxes()
	p.drawRules()
	order := p.drawOrder()
	p.lines = make([][][]scale.Point, len(order))
	for _, i := range order {
		p.drawSeries(i)
	}
	if !p.glyphs.ASCII {
		for _, i := range order {
			p.sprinkle(i)
		}
	}
	p.drawPoints()
	p.drawMarkLabels()
	p.drawLegend()
}

// drawOrder puts faint series at the bottom.
func (p *Plot) drawOrder() []int {
	var faint, others []int
	for i, s := range p.chart.Series {
		if s.Faint {
			faint = append(faint, i)
		} else {
			others = append(others, i)
		}
	}
	return append(faint, others...)
}

// drawSeries rasterises one series by itself and lets it own every cell
// it touches: merging the dots of two series in a cell would give both one colour.
// Without colours there is nothing to confuse, and they are merged.
func (p *Plot) drawSeries(i int) {
	g := &p.geo
	p.dots.reset(g.pw, g.ph)
	stroke := stroke{dots: &p.dots, dash: p.mark(i).Dash}
	if p.solid(i) {
		stroke.dash = nil
	}
	singles := p.trace(i, &stroke)
	mark, pen := p.markRune(i), p.seriesPen(i)
	for _, c := range p.dots.touched {
		x, y := g.px+c%g.pw, g.py+c/g.pw
		r := p.dots.rune(c)
		if p.glyphs.ASCII {
			r = mark
		} else if p.monochrome() {
			r = runes.CombineBraillePatterns(p.base.at(x, y).r, r)
		}
		p.base.set(x, y, r, pen, curveLayer)
	}
	for _, c := range singles {
		p.base.set(c.X, c.Y, mark, pen, curveLayer)
	}
}

// solid reports whether series i is drawn without its dash pattern: in ASCII, where
// a cell is too coarse for it and the marker tells the series, and in colour, where
// patterns of crossing curves would break each other into crumbs. Faint series keep
// theirs, and broken ones theirs everywhere.
func (p *Plot) solid(i int) bool {
	s := p.chart.Series[i]
	return !s.Broken && (p.glyphs.ASCII || !p.monochrome() && !s.Faint)
}

// monochrome reports that colour cannot tell the series apart.
func (p *Plot) monochrome() bool {
	return len(p.inks) <= int(firstSeriesPen) || p.inks[firstSeriesPen] == draw.Ink{}
}

// sprinkle sets the series' marker on the curve every so often, so that it can be
// told without colour; staggered, so that the markers of neighbouring series do not
// fall on one column.
func (p *Plot) sprinkle(i int) {
	s, g := p.chart.Series[i], &p.geo
	if s.Faint || len(p.chart.Series) < 2 {
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
	g := &p.geo
	t := p.heightAt(i, float64(column)/math.Max(1, float64(g.pw-1)))
	if !visible(t) || p.base.at(g.px+column, g.row(t)).on != curveLayer {
		return false
	}
	p.base.set(g.px+column, g.row(t), p.markRune(i), p.seriesPen(i), curveLayer)
	return true
}

// trace draws the series' lines and returns the cells of points that stand alone
// between gaps, which no line would show.
func (p *Plot) trace(i int, st *stroke) (singles []canvas.Point) {
	g := &p.geo
	p.lines[i] = scale.Lines(p.chart, i, g.x, g.y, g.spikes())
	for _, line := range p.lines[i] {
		if len(line) == 1 && line[0].Inside() {
			singles = append(singles, canvas.Point{X: g.col(line[0].X), Y: g.row(line[0].Y)})
		}
		st.lift()
		for k := 1; k < len(line); k++ {
			st.line(line[k-1], line[k])
		}
	}
	return singles
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
