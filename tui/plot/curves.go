package plot

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"epsiloscope/report/chart"
	"epsiloscope/report/scale"

	"github.com/NimbleMarkets/ntcharts/canvas"
	"github.com/NimbleMarkets/ntcharts/canvas/runes"
)

func (p *Plot) drawCurves() {
	g := &p.geo
	p.spare = p.arena
	p.lines = make([][][]scale.Point, len(p.chart.Series))
	for i := range p.chart.Series {
		p.lines[i] = scale.Lines(p.outline(i), i, g.x, g.y, g.spikes())
	}
	p.ranks = p.rank()
	p.hide(&p.ranks)
	p.drawAxes()
	p.drawAreas()
	p.drawRules()
	p.drawLines()
	p.sprinkle()
	p.drawPoints()
	p.drawMarkLabels()
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

// drawLines draws all lines into one raster of dots, the most important last, and then the cells.
// A cell has all dots that fall into it, in the colour of the most important series there: a
// curve may change colour for a cell, but never breaks.
func (p *Plot) drawLines() {
	g := &p.geo
	n := g.pw * g.ph
	p.raster = slices.Grow(p.raster[:0], n)[:n]
	clear(p.raster)
	for rank, i := range slices.Backward(p.ranks.order) {
		if !p.isArea(i) {
			p.drawSeries(i, int16(rank+1))
		}
	}
	for at, c := range p.raster {
		if c.rank != 0 {
			p.drawCell(at%g.pw, at/g.pw, c)
		}
	}
	for _, i := range slices.Backward(p.ranks.order) { // a point alone between gaps, which no line would show
		for _, line := range p.lines[i] {
			if len(line) == 1 && line[0].IsInside() {
				p.set(g.col(line[0].X), g.row(line[0].Y), p.look(i).Marker, p.look(i).Ink, curveLayer)
			}
		}
	}
}

// drawSeries sets the dots of a series' lines, with its dashes.
func (p *Plot) drawSeries(i int, rank int16) {
	g, look, hidden, thick := &p.geo, p.look(i), p.ranks.hidden[i], p.thick(i) && !p.pen.Glyphs.ASCII
	w, h := 2*g.pw, 4*g.ph
	for _, line := range p.lines[i] {
		n, last := 0, canvas.Point{X: -1} // dots walked: the pattern starts anew after a gap
		for k := 1; k < len(line); k++ {
			a, b, ok := scale.Clip(line[k-1], line[k])
			if !ok {
				continue
			}
			from, to := g.dot(a), g.dot(b)
			steep := abs(to.Y-from.Y) > abs(to.X-from.X)
			for walk := newSegment(from, to); ; walk.step() {
				if q := walk.at; q != last {
					if look.Dash.IsDrawn(n) && (hidden == nil || !hidden[q.X]) {
						p.setDot(q.X, q.Y, rank)
						switch {
						case !thick:
						case steep && q.X+1 < w:
							p.setDot(q.X+1, q.Y, rank)
						case steep:
							p.setDot(q.X-1, q.Y, rank)
						case q.Y+1 < h:
							p.setDot(q.X, q.Y+1, rank)
						default:
							p.setDot(q.X, q.Y-1, rank)
						}
					}
					n++
					last = q
				}
				if walk.at == to {
					break
				}
			}
		}
	}
}

func abs(n int) int { return max(n, -n) }

// dots are the dots of a cell, in Braille, with the rank from 1 of the most important series
// among them; 0 if there is none.
type dots struct {
	braille rune
	rank    int16
}

// brailleDots are the dots of a cell by row and column, after the Unicode block
// "Braille Patterns".
var brailleDots = [4][2]rune{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}

// setDot sets a dot of the raster for the series of a rank.
func (p *Plot) setDot(x, y int, rank int16) {
	c := &p.raster[(y>>2)*p.geo.pw+x>>1]
	c.braille |= brailleDots[y&3][x&1]
	if c.rank == 0 || rank < c.rank {
		c.rank = rank
	}
}

// drawCell writes the dots of a cell. A faint series does not cover the edge of an area.
// A graph.BrailleGrid of ntcharts for each series takes 244 allocations and 280 µs for 100×30
// cells, which was two thirds of the cost of a frame.
func (p *Plot) drawCell(cx, cy int, d dots) {
	g, r := &p.geo, d.braille
	i := p.ranks.order[d.rank-1]
	if c := p.cellAt(g.px+cx, g.py+cy); p.chart.Series[i].Faint && c.on == areaLayer && c.r != ' ' {
		return
	}
	if r |= runes.BrailleBlockOffset; p.pen.Glyphs.ASCII {
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
	switch first := strings.ToLower(s.Name); {
	case i == p.ranks.best:
		return '*'
	case p.chart.Rivals && letters[s.Name] != 0:
		return letters[s.Name]
	case p.chart.Rivals && !s.Faint && first != "" && first[0] >= 'a' && first[0] <= 'z':
		return rune(first[0])
	}
	return p.look(i).Marker
}

// segment walks the dots of a line. They are those of graph.GetLinePoints, which appends them
// to a slice dot by dot: a third of the allocations of a frame.
type segment struct {
	at                             canvas.Point
	right, down, dx, dy, ex, ey, n int
}

func newSegment(from, to canvas.Point) segment {
	s := segment{at: from, right: cmp.Compare(to.X, from.X), down: cmp.Compare(to.Y, from.Y)}
	s.dx, s.dy = s.right*(to.X-from.X), s.down*(to.Y-from.Y)
	s.n = max(s.dx, s.dy)
	s.ex, s.ey = s.n, s.n
	if s.dx > s.dy && s.right > 0 || s.dx <= s.dy && s.down >= 0 { // half a dot belongs to the end on the left, or above
		s.ex, s.ey = s.n-1, s.n-1
	}
	return s
}

// step goes to the next dot.
func (s *segment) step() {
	if s.ex += 2 * s.dx; s.ex >= 2*s.n {
		s.ex -= 2 * s.n
		s.at.X += s.right
	}
	if s.ey += 2 * s.dy; s.ey >= 2*s.n {
		s.ey -= 2 * s.n
		s.at.Y += s.down
	}
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
	for _, i := range slices.Backward(p.ranks.order) {
		if p.chart.Series[i].Faint || p.isArea(i) {
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
	t := p.heightAt(i, float64(column)/math.Max(1, float64(g.pw-1)))
	if !scale.IsVisible(t) || p.cellAt(g.px+column, g.row(t)).on != curveLayer {
		return false
	}
	p.set(g.px+column, g.row(t), look.Marker, look.Ink, curveLayer)
	return true
}

// heightAt returns where the drawn lines of a series stand at a fraction of the x axis; NaN where
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
