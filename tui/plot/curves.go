package plot

import (
	"math"

	"epsiloscope/scenarios/report"
	"epsiloscope/tui/theme"

	"github.com/NimbleMarkets/ntcharts/canvas"
	"github.com/NimbleMarkets/ntcharts/canvas/graph"
	"github.com/NimbleMarkets/ntcharts/canvas/runes"
)

const blankBraille = '\u2800'

func (p *Plot) drawCurves() {
	p.geo = p.layout()
	if !p.geo.ok() {
		p.drawMessage(p.tooSmall())
		return
	}
	p.drawAxes()
	p.drawRules()
	order := p.drawOrder()
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

// drawOrder puts faint series at the bottom and the highlighted one on top.
func (p *Plot) drawOrder() []int {
	var faint, normal, top []int
	for i, s := range p.chart.Series {
		switch {
		case s.Name == p.highlight && p.highlight != "":
			top = append(top, i)
		case s.Faint:
			faint = append(faint, i)
		default:
			normal = append(normal, i)
		}
	}
	return append(append(faint, normal...), top...)
}

// drawSeries rasterises one series on a grid of its own and lets it own every cell
// it touches: merging the dots of two series in a cell would give both one colour.
// Without colours there is nothing to confuse, and they are merged.
func (p *Plot) drawSeries(i int) {
	g := &p.geo
	grid := graph.NewBrailleGrid(g.pw, g.ph, 0, 1, 0, 1)
	stroke := stroke{grid: grid, dash: p.mark(i).Dash}
	if p.solid(i) {
		stroke.dash = nil
	}
	singles := p.trace(p.chart.Series[i], &stroke)
	mark, pen := p.markRune(i), p.seriesPen(i)
	for y, line := range grid.BraillePatterns() {
		for x, r := range line {
			if r == blankBraille {
				continue
			}
			if p.glyphs.ASCII {
				r = mark
			} else if p.monochrome() {
				r = runes.CombineBraillePatterns(p.base.at(g.px+x, g.py+y).r, r)
			}
			p.base.set(g.px+x, g.py+y, r, pen, curveLayer)
		}
	}
	for _, c := range singles {
		p.base.set(c.X, c.Y, mark, pen, curveLayer)
	}
}

// solid reports whether series i is drawn without its dash pattern: in ASCII, where
// a cell is too coarse for it and the marker tells the series, and in colour, where
// patterns of crossing curves would break each other into crumbs. Faint series keep
// theirs.
func (p *Plot) solid(i int) bool {
	return p.glyphs.ASCII || !p.monochrome() && !p.chart.Series[i].Faint
}

// monochrome reports that colour cannot tell the series apart.
func (p *Plot) monochrome() bool {
	return len(p.pens) <= int(firstSeriesPen) || p.pens[firstSeriesPen].before == ""
}

// sprinkle sets the series' marker on the curve every so often, so that it can be
// told without colour; staggered, so that the markers of neighbouring series do not
// fall on one column.
func (p *Plot) sprinkle(i int) {
	const every = 24
	s := p.chart.Series[i]
	if s.Faint || len(p.chart.Series) < 2 {
		return
	}
	g := &p.geo
	for c := 4 + (7*i)%every; c < g.pw; c += every {
		x := g.x.Value(float64(c) / math.Max(1, float64(g.pw-1)))
		if t := g.y.Fraction(p.valueAt(s, x)); visible(t) {
			row := g.row(t)
			if p.base.at(g.px+c, row).on == curveLayer {
				p.base.set(g.px+c, row, p.markRune(i), p.seriesPen(i), curveLayer)
			}
		}
	}
}

// trace draws the series' path and returns the cells of points that stand alone
// between gaps, which no line would show.
func (p *Plot) trace(s report.Series, st *stroke) (singles []canvas.Point) {
	g := &p.geo
	pts := p.project(s)
	style := p.stepStyle(s, pts)
	base := unit(g.y.Fraction(0))
	if math.IsNaN(base) {
		base = 0 // a logarithmic axis has no zero: spikes stand on its foot
	}
	for i, q := range pts {
		if math.IsNaN(q.X) {
			st.lift()
			continue
		}
		joined := i > 0 && !math.IsNaN(pts[i-1].X)
		switch {
		case style == spikes:
			st.lift()
			st.line(q.X, base, q.X, q.Y)
		case !joined:
			if i+1 == len(pts) || math.IsNaN(pts[i+1].X) {
				if visible(q.X) && visible(q.Y) {
					singles = append(singles, canvas.Point{X: g.col(q.X), Y: g.row(q.Y)})
				}
			}
		case style == holds:
			st.line(pts[i-1].X, pts[i-1].Y, q.X, pts[i-1].Y)
			st.line(q.X, pts[i-1].Y, q.X, q.Y)
		case style == centred:
			mid := (pts[i-1].X + q.X) / 2
			st.line(pts[i-1].X, pts[i-1].Y, mid, pts[i-1].Y)
			st.line(mid, pts[i-1].Y, mid, q.Y)
			st.line(mid, q.Y, q.X, q.Y)
		default:
			st.line(pts[i-1].X, pts[i-1].Y, q.X, q.Y)
		}
	}
	return singles
}

// project maps a series to fractions of the plot; points that cannot be shown
// (non-finite, or not positive on a logarithmic axis) become NaN gaps.
func (p *Plot) project(s report.Series) []canvas.Float64Point {
	g := &p.geo
	pts := make([]canvas.Float64Point, min(len(s.X), len(s.Y)))
	for i := range pts {
		x, y := g.x.Fraction(s.X[i]), g.y.Fraction(s.Y[i])
		if math.IsNaN(x) || math.IsNaN(y) {
			x, y = math.NaN(), math.NaN()
		}
		pts[i] = canvas.Float64Point{X: near(x), Y: near(y)}
	}
	return pts
}

type stepStyle int

const (
	polyline stepStyle = iota
	holds              // a value holds until the next point: cumulative curves
	centred            // a value holds around its point: the outline of a histogram
	spikes             // a line from zero to each point
)

// stepStyle chooses how a discrete series is drawn. Spikes need room, and two
// spiked series on the same places would hide each other.
func (p *Plot) stepStyle(s report.Series, pts []canvas.Float64Point) stepStyle {
	if !s.Step {
		return polyline
	}
	up, down := true, true
	last := math.NaN()
	shown := 0
	for _, q := range pts {
		if math.IsNaN(q.Y) {
			continue
		}
		if visible(q.X) {
			shown++
		}
		up = up && !(q.Y < last)
		down = down && !(q.Y > last)
		last = q.Y
	}
	others := 0
	for _, o := range p.chart.Series {
		if o.Step && !o.Faint {
			others++
		}
	}
	switch {
	case up || down:
		return holds
	case others <= 1 && shown*2 <= p.geo.pw:
		return spikes
	default:
		return centred
	}
}

// stroke draws clipped lines on a grid and carries the dash pattern along them.
type stroke struct {
	grid  *graph.BrailleGrid
	dash  theme.Dash
	n     int // dots walked
	last  canvas.Point
	drawn bool
}

// lift ends a line: the pattern starts anew after a gap.
func (s *stroke) lift() { s.n, s.drawn = 0, false }

func (s *stroke) line(x0, y0, x1, y1 float64) {
	a, b, c, d, ok := clip(x0, y0, x1, y1)
	if !ok {
		return
	}
	from := s.grid.GridPoint(canvas.Float64Point{X: a, Y: b})
	to := s.grid.GridPoint(canvas.Float64Point{X: c, Y: d})
	if s.drawn && from == to && from == s.last {
		return // many points within one dot
	}
	dots := graph.GetLinePoints(from, to)
	backwards := len(dots) > 0 && dots[0] != from
	for i := range dots {
		q := dots[i]
		if backwards {
			q = dots[len(dots)-1-i]
		}
		if s.drawn && q == s.last {
			continue
		}
		if s.dash.On(s.n) {
			s.grid.Set(q)
		}
		s.n++
		s.last, s.drawn = q, true
	}
}
