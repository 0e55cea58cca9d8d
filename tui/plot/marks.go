package plot

import (
	"math"
	"strings"

	"epsiloscope/scenarios/report/chart"
	"epsiloscope/scenarios/report/scale"
)

// drawRules draws the lines of marks with one coordinate, under the curves.
func (p *Plot) drawRules() {
	g := &p.geo
	for _, m := range p.chart.Marks {
		ink := p.markInk(m, &p.pen.Muted)
		tx, ty := g.x.Fraction(m.X), g.y.Fraction(m.Y)
		switch {
		case math.IsNaN(tx) && scale.Visible(ty):
			p.across(g.px, g.row(ty), g.pw, p.pen.Glyphs.RuleH, ink, ruleLayer)
		case math.IsNaN(ty) && scale.Visible(tx):
			p.down(g.col(tx), g.py, g.ph, p.pen.Glyphs.RuleV, ink, ruleLayer)
		}
	}
}

// drawPoints draws marks with both coordinates, over the curves.
func (p *Plot) drawPoints() {
	g := &p.geo
	for _, m := range p.chart.Marks {
		if tx, ty := g.x.Fraction(m.X), g.y.Fraction(m.Y); scale.Visible(tx) && scale.Visible(ty) {
			p.set(g.col(tx), g.row(ty), p.pen.Glyphs.PointM, p.markInk(m, &p.pen.Text), textLayer)
		}
	}
}

// drawMarkLabels writes each label at the first place that is free. A mark outside the picture
// is named at the edge it lies beyond, with an arrow.
func (p *Plot) drawMarkLabels() {
	g, glyphs := &p.geo, &p.pen.Glyphs
	for _, m := range p.chart.Marks {
		label := p.pen.Cut(p.label(m.Label), g.pw-2)
		if label == "" {
			continue
		}
		tx, ty := g.x.Fraction(m.X), g.y.Fraction(m.Y)
		switch {
		case scale.Visible(tx) || scale.Visible(ty):
		case tx > 1:
			label += " " + glyphs.Right
		case tx < 0:
			label = glyphs.Left + " " + label
		case ty > 1:
			label = glyphs.Up + " " + label
		case ty < 0:
			label = glyphs.Down + " " + label
		}
		switch across, down := math.IsNaN(tx), math.IsNaN(ty); {
		case across && down:
		case across:
			p.labelAcross(m, label, g.row(ty))
		case down:
			rows := make([]int, g.ph) // from the foot up
			for i := range rows {
				rows[i] = g.py + g.ph - 1 - i
			}
			p.labelBeside(m, label, g.col(tx), rows...)
		case scale.Visible(tx) && scale.Visible(ty):
			row := g.row(ty)
			p.labelBeside(m, label, g.col(tx), row, row-1, row+1, row-2, row+2, row-3, row+3)
		}
	}
}

// labelAcross writes a label upon a line across, as far right as there is room; else above it
// or below it.
func (p *Plot) labelAcross(m chart.Mark, label string, row int) {
	over := ruleLayer
	for _, y := range [...]int{row, row - 1, row + 1} {
		for x := p.geo.px + p.geo.pw - width(label) - 4; x >= p.geo.px; x-- {
			if p.tryLabel(m, label, x, y, over) {
				return
			}
		}
		over = gridLayer
	}
}

// labelBeside writes a label on either side of a column, on the first of some rows. Where none is
// free it may interrupt other marks' lines, and at last only the part before a colon or comma is
// written ("K 28" of "K 28: ...").
func (p *Plot) labelBeside(m chart.Mark, label string, col int, rows ...int) {
	short := label
	if i := strings.IndexAny(label, ":,"); i > 0 {
		short = label[:i]
	}
	for _, words := range [...]string{label, short} {
		for _, over := range [...]layer{gridLayer, ruleLayer} {
			for _, row := range rows {
				if p.tryLabel(m, words, col+1, row, over) || p.tryLabel(m, words, col-width(words)-2, row, over) {
					return
				}
			}
		}
	}
}

// tryLabel writes a label with a blank on either side, unless that would cover what is above a
// layer.
func (p *Plot) tryLabel(m chart.Mark, label string, x, row int, over layer) bool {
	g, n := &p.geo, width(label)+2
	if !g.contains(x, row) || x+n > g.px+g.pw+1 || !p.free(x, row, n, over) {
		return false
	}
	p.text(x, row, " "+label+" ", p.markInk(m, &p.pen.Text))
	return true
}
