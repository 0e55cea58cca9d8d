package plot

import (
	"math"
	"strings"

	"epsiloscope/scenarios/report/chart"
)

func markPen(m chart.Mark) pen {
	if m.Alert {
		return overPen
	}
	return textPen
}

// rulePen is quieter than the label: the line is long.
func rulePen(m chart.Mark) pen {
	if m.Alert {
		return overPen
	}
	return mutedPen
}

// drawRules draws the lines of marks with one coordinate, under the curves.
func (p *Plot) drawRules() {
	g, s := &p.geo, &p.base
	for _, m := range p.chart.Marks {
		tx, ty := g.x.Fraction(m.X), g.y.Fraction(m.Y)
		switch {
		case math.IsNaN(tx) && visible(ty):
			s.across(g.px, g.row(ty), g.pw, p.glyphs.RuleH, rulePen(m), ruleLayer)
		case math.IsNaN(ty) && visible(tx):
			s.down(g.col(tx), g.py, g.ph, p.glyphs.RuleV, rulePen(m), ruleLayer)
		}
	}
}

// drawPoints draws marks with both coordinates, over the curves.
func (p *Plot) drawPoints() {
	g := &p.geo
	for _, m := range p.chart.Marks {
		tx, ty := g.x.Fraction(m.X), g.y.Fraction(m.Y)
		if visible(tx) && visible(ty) {
			p.base.set(g.col(tx), g.row(ty), p.glyphs.PointM, markPen(m), textLayer)
		}
	}
}

// drawMarkLabels writes the labels where nothing else stands. Marks outside the
// picture are named at the edge they lie beyond, with an arrow.
func (p *Plot) drawMarkLabels() {
	g := &p.geo
	for _, m := range p.chart.Marks {
		label := p.pen.Cut(p.label(m.Label), g.pw-2)
		if label == "" {
			continue
		}
		tx, ty := g.x.Fraction(m.X), g.y.Fraction(m.Y)
		switch {
		case math.IsNaN(tx) && math.IsNaN(ty):
		case math.IsNaN(tx):
			p.labelRow(m, label, ty)
		case math.IsNaN(ty):
			p.labelColumn(m, label, tx)
		case visible(tx) && visible(ty):
			p.labelPoint(m, label, g.col(tx), g.row(ty))
		}
	}
}

// labelRow names a horizontal line: upon it, as far right as there is room; else
// just above or below it.
func (p *Plot) labelRow(m chart.Mark, label string, t float64) {
	g, s := &p.geo, &p.base
	switch {
	case t > 1+1e-9:
		label = p.glyphs.Up + " " + label
	case t < -1e-9:
		label = p.glyphs.Down + " " + label
	}
	row, n := g.row(t), width(label)+2
	for _, try := range []struct {
		row   int
		above layer
	}{{row, ruleLayer}, {row - 1, gridLayer}, {row + 1, gridLayer}} {
		if try.row < g.py || try.row >= g.py+g.ph {
			continue
		}
		for x := g.px + g.pw - n - 2; x >= g.px; x-- {
			if s.free(x, try.row, n, try.above) {
				s.text(x, try.row, " "+label+" ", markPen(m))
				return
			}
		}
	}
}

// labelColumn names a vertical line beside it, from the foot up.
func (p *Plot) labelColumn(m chart.Mark, label string, t float64) {
	g := &p.geo
	switch {
	case t > 1+1e-9:
		label += " " + p.glyphs.Right
	case t < -1e-9:
		label = p.glyphs.Left + " " + label
	}
	rows := make([]int, g.ph)
	for i := range rows {
		rows[i] = g.py + g.ph - 1 - i
	}
	p.labelNear(m, label, g.col(t), rows)
}

func (p *Plot) labelPoint(m chart.Mark, label string, col, row int) {
	p.labelNear(m, label, col, []int{row, row - 1, row + 1, row - 2, row + 2, row - 3, row + 3})
}

// labelNear writes the label on the first of the rows with room for it beside the
// column. Where there is none it may interrupt other marks' lines, and at last
// only the part before a colon or comma is written ("K 28" of "K 28: ...").
func (p *Plot) labelNear(m chart.Mark, label string, col int, rows []int) {
	short := label
	if i := strings.IndexAny(label, ":,"); i > 0 {
		short = label[:i]
	}
	for _, try := range []struct {
		label string
		above layer
	}{{label, gridLayer}, {label, ruleLayer}, {short, gridLayer}, {short, ruleLayer}} {
		for _, row := range rows {
			if p.labelBeside(m, try.label, col, row, try.above) {
				return
			}
		}
	}
}

// labelBeside writes to the right of a cell, or to its left, if nothing above the
// given layer is in the way.
func (p *Plot) labelBeside(m chart.Mark, label string, col, row int, above layer) bool {
	g, s := &p.geo, &p.base
	if row < g.py || row >= g.py+g.ph {
		return false
	}
	n := width(label)
	for _, x := range []int{col + 1, col - n - 2} {
		if x >= g.px && x+n+2 <= g.px+g.pw+1 && s.free(x, row, n+2, above) {
			s.text(x, row, " "+label+" ", markPen(m))
			return true
		}
	}
	return false
}
