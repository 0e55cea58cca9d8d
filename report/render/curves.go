package render

import (
	"math"
	"slices"

	"epsiloscope/report/scale"
)

func (g *page) drawCurves() {
	g.drawAxes()
	g.drawRules()
	for _, i := range slices.Backward(g.ranks.Order) {
		if g.isDrawn(i) {
			g.drawSeries(i)
		}
	}
	g.drawPoints()
	g.drawMarkLabels()
}

func (g *page) px(t float64) float64 { return g.x0 + t*(g.x1-g.x0) }
func (g *page) py(t float64) float64 { return g.y1 - t*(g.y1-g.y0) }

// drawAxes draws the titles and tick labels of both axes, shrinks the plot area by them, and draws grid, frame
// and ticks around it.
func (g *page) drawAxes() {
	foot := tickSize * lineHeight
	if g.chart.X.Label != "" {
		foot += labelSize * lineHeight
	}
	g.y1 -= foot + 4
	yTicks := g.y.Ticks(max(2, int((g.y1-g.y0)/45)))
	left := 0.0
	for _, t := range yTicks {
		left = math.Max(left, textWidth(t.Label, tickSize, false))
	}
	if g.chart.Y.Label != "" {
		text := cut(g.chart.Y.Label, labelSize, g.y1-g.y0, false)
		g.pic.add(label{x: g.x0 + labelSize*0.8, y: (g.y0 + g.y1) / 2, text: text, size: labelSize, colour: g.ink.text,
			anchor: middle, turned: true})
		g.x0 += labelSize * lineHeight
	}
	g.x0 += left + 10
	xTicks := g.columnTicks()
	for _, t := range yTicks {
		y := g.py(g.y.Fraction(t.Value))
		g.pic.add(stroke{points: []point{{g.x0, y}, {g.x1, y}}, colour: g.ink.grid, width: 1})
		g.pic.add(label{x: g.x0 - 8, y: y + tickSize*0.35, text: t.Label, size: tickSize, colour: g.ink.axis,
			anchor: end})
	}
	for _, t := range xTicks {
		x := g.px(g.x.Fraction(t.Value))
		g.pic.add(stroke{points: []point{{x, g.y0}, {x, g.y1}}, colour: g.ink.grid, width: 1})
		g.pic.add(stroke{points: []point{{x, g.y1}, {x, g.y1 + 4}}, colour: g.ink.axis, width: 1})
		w := textWidth(t.Label, tickSize, false)
		at := math.Min(x, g.pic.w-4-w/2) // the last label stays on the page
		g.pic.add(label{x: at, y: g.y1 + 4 + tickSize*1.05, text: t.Label, size: tickSize, colour: g.ink.axis,
			anchor: middle})
	}
	g.pic.add(stroke{points: []point{{g.x0, g.y0}, {g.x0, g.y1}, {g.x1, g.y1}}, colour: g.ink.axis, width: 1})
	if g.chart.X.Label != "" {
		text := cut(g.chart.X.Label, labelSize, g.x1-g.x0, false)
		g.pic.add(label{x: (g.x0 + g.x1) / 2, y: g.y1 + foot, text: text, size: labelSize, colour: g.ink.text,
			anchor: middle})
	}
}

// columnTicks returns the ticks of the horizontal axis, as many as leave space between their labels.
func (g *page) columnTicks() []scale.Tick {
	for n := max(2, int((g.x1-g.x0)/60)); n > 1; n-- {
		ticks := g.x.Ticks(n)
		last := math.Inf(-1)
		fits := true
		for _, t := range ticks {
			x, half := g.px(g.x.Fraction(t.Value)), textWidth(t.Label, tickSize, false)/2
			fits = fits && x-half >= last+10
			last = x + half
		}
		if fits {
			return ticks
		}
	}
	return g.x.Ticks(1)
}

// drawSeries draws one curve, clipped; lone points become dots.
func (g *page) drawSeries(i int) {
	for _, line := range g.curves[i] {
		if len(line) == 1 && line[0].IsInside() {
			g.pic.add(disc{x: g.px(line[0].X), y: g.py(line[0].Y), r: 3, colour: g.stroke(i, nil).colour})
		}
		for _, pts := range g.clip(line) {
			g.lines = append(g.lines, pts)
			g.pic.add(g.stroke(i, pts))
		}
	}
}

// clip cuts a line to the plot area, into several lines if it leaves and returns,
// and drops points too close to the one before.
func (g *page) clip(line []scale.Point) [][]point {
	var parts [][]point
	var part []point
	for k := 1; k < len(line); k++ {
		a, b, ok := scale.Clip(line[k-1], line[k])
		if !ok {
			continue
		}
		from, to := point{g.px(a.X), g.py(a.Y)}, point{g.px(b.X), g.py(b.Y)}
		if n := len(part); n == 0 || distance(part[n-1], from) > 1 {
			if n > 1 {
				parts = append(parts, part)
			}
			part = []point{from}
		}
		if distance(part[len(part)-1], to) >= 0.4 || k == len(line)-1 {
			part = append(part, to)
		}
	}
	if len(part) > 1 {
		parts = append(parts, part)
	}
	return parts
}

func distance(a, b point) float64 { return math.Hypot(a.x-b.x, a.y-b.y) }
