package render

import (
	"math"

	"epsiloscope/report/chart"
	"epsiloscope/report/scale"
)

func (g *page) markInk(m chart.Mark) string {
	if m.Alert {
		return g.ink.alert
	}
	return g.ink.text
}

// drawRules draws marks with one coordinate as lines, under the curves.
func (g *page) drawRules() {
	for _, m := range g.chart.Marks {
		tx, ty := g.x.Fraction(m.X), g.y.Fraction(m.Y)
		line := stroke{colour: g.ink.muted, width: 1, dash: []float64{4, 3}}
		if m.Alert {
			line.colour, line.width = g.ink.alert, 1.5
		}
		switch {
		case math.IsNaN(tx) && scale.IsVisible(ty):
			line.points = []point{{g.x0, g.py(ty)}, {g.x1, g.py(ty)}}
		case math.IsNaN(ty) && scale.IsVisible(tx):
			line.points = []point{{g.px(tx), g.y0}, {g.px(tx), g.y1}}
		default:
			continue
		}
		g.pic.add(line)
		g.markLines = append(g.markLines, line.points)
	}
}

// drawPoints draws marks with both coordinates, over the curves.
func (g *page) drawPoints() {
	for _, m := range g.chart.Marks {
		tx, ty := g.x.Fraction(m.X), g.y.Fraction(m.Y)
		if scale.IsVisible(tx) && scale.IsVisible(ty) {
			x, y := g.px(tx), g.py(ty)
			g.pic.add(disc{x: x, y: y, r: 4.5, colour: g.markInk(m), ring: g.ink.ground})
			g.taken = append(g.taken, box{x: x - 5, y: y - 5, w: 10, h: 10})
		}
	}
}

// drawMarkLabels writes each label at the first of its places that covers nothing. If there is none, it may cover
// the line of a mark, and if that fails a curve, but never another label.
func (g *page) drawMarkLabels() {
	for _, m := range g.chart.Marks {
		text := cut(m.Label, tickSize, (g.x1-g.x0)*0.8, false)
		if text == "" {
			continue
		}
		places := g.places(m, textWidth(text, tickSize, false))
		for _, lines := range [][][]point{append(g.lines[:len(g.lines):len(g.lines)], g.markLines...), g.lines, nil} {
			if g.placeFirst(places, text, g.markInk(m), lines) {
				break
			}
		}
	}
}

func (g *page) placeFirst(places []box, text, ink string, lines [][]point) bool {
	for _, b := range places {
		if b.x < g.x0+2 || b.x+b.w > g.x1+margin-2 || b.y < g.y0 || b.y+b.h > g.y1 || g.overlaps(b, lines) {
			continue
		}
		g.taken = append(g.taken, b)
		g.pic.add(label{x: b.x, y: b.y + b.h*0.8, text: text, size: tickSize, colour: ink})
		return true
	}
	return false
}

// places lists where a label of width w may stand, best first.
func (g *page) places(m chart.Mark, w float64) []box {
	const h, gap = tickSize * 1.2, 6.0
	tx, ty := g.x.Fraction(m.X), g.y.Fraction(m.Y)
	x, y := g.px(tx), g.py(ty)
	var at []box
	switch {
	case math.IsNaN(tx) && scale.IsVisible(ty):
		for left := g.x1 - w - gap; left >= g.x0; left -= 12 {
			at = append(at, box{x: left, y: y - h - 2, w: w, h: h}, box{x: left, y: y + 3, w: w, h: h})
		}
	case math.IsNaN(ty) && scale.IsVisible(tx):
		for top := g.y1 - h - gap; top >= g.y0; top -= h / 2 {
			at = append(at, box{x: x + gap, y: top, w: w, h: h}, box{x: x - w - gap, y: top, w: w, h: h})
		}
	case scale.IsVisible(tx) && scale.IsVisible(ty):
		for _, r := range []float64{1, 2.5, 4, 6} {
			d := gap * r
			at = append(at, box{x: x + d + 3, y: y - h - d/2, w: w, h: h}, box{x: x + d + 3, y: y + d/2, w: w, h: h},
				box{x: x - w - d - 3, y: y - h - d/2, w: w, h: h}, box{x: x - w - d - 3, y: y + d/2, w: w, h: h},
				box{x: x - w/2, y: y - h - d - 2, w: w, h: h}, box{x: x - w/2, y: y + d + 2, w: w, h: h})
		}
	}
	return at
}

// overlaps reports whether a box meets a placed label or one of the lines.
func (g *page) overlaps(b box, lines [][]point) bool {
	for _, o := range g.taken {
		if b.x < o.x+o.w && o.x < b.x+b.w && b.y < o.y+o.h && o.y < b.y+b.h {
			return true
		}
	}
	for _, line := range lines {
		for k := 1; k < len(line); k++ {
			if crosses(line[k-1], line[k], b) {
				return true
			}
		}
	}
	return false
}

// crosses reports whether a segment touches a box, by clipping it to the box.
func crosses(a, c point, b box) bool {
	in := func(p point) scale.Point { return scale.Point{X: (p.x - b.x) / b.w, Y: (p.y - b.y) / b.h} }
	_, _, ok := scale.Clip(in(a), in(c))
	return ok
}
