package plot

import (
	"iter"
	"math"
	"strings"

	"epsiloscope/scenarios/report/chart"
)

// markPen is that of an alert, or else the given one: a label is louder than its line, which
// is long.
func markPen(m chart.Mark, calm pen) pen {
	if m.Alert {
		return overPen
	}
	return calm
}

// drawRules draws the lines of marks with one coordinate, under the curves.
func (p *Plot) drawRules() {
	g, s := &p.geo, &p.base
	for _, m := range p.chart.Marks {
		tx, ty := g.x.Fraction(m.X), g.y.Fraction(m.Y)
		switch {
		case math.IsNaN(tx) && visible(ty):
			s.across(g.px, g.row(ty), g.pw, p.glyphs.RuleH, markPen(m, mutedPen), ruleLayer)
		case math.IsNaN(ty) && visible(tx):
			s.down(g.col(tx), g.py, g.ph, p.glyphs.RuleV, markPen(m, mutedPen), ruleLayer)
		}
	}
}

// drawPoints draws marks with both coordinates, over the curves.
func (p *Plot) drawPoints() {
	g := &p.geo
	for _, m := range p.chart.Marks {
		if tx, ty := g.x.Fraction(m.X), g.y.Fraction(m.Y); visible(tx) && visible(ty) {
			p.base.set(g.col(tx), g.row(ty), p.glyphs.PointM, markPen(m, textPen), textLayer)
		}
	}
}

// spot is a place for a label, with a blank on either side: it may cover what is not above a
// layer.
type spot struct {
	x, row int
	label  string
	above  layer
}

// drawMarkLabels writes each label at the first of its spots that is free.
func (p *Plot) drawMarkLabels() {
	g, s := &p.geo, &p.base
	for _, m := range p.chart.Marks {
		label := p.pen.Cut(p.label(m.Label), g.pw-2)
		if label == "" {
			continue
		}
		for at := range p.spots(m, label) {
			n := width(at.label) + 2
			if at.x >= g.px && at.x+n <= g.px+g.pw+1 && at.row >= g.py && at.row < g.py+g.ph && s.free(at.x, at.row, n, at.above) {
				s.text(at.x, at.row, " "+at.label+" ", markPen(m, textPen))
				break
			}
		}
	}
}

// spots are where a label may stand, best first. A mark outside the picture is named at the
// edge it lies beyond, with an arrow.
func (p *Plot) spots(m chart.Mark, label string) iter.Seq[spot] {
	g := &p.geo
	tx, ty := g.x.Fraction(m.X), g.y.Fraction(m.Y)
	switch {
	case math.IsNaN(tx) && math.IsNaN(ty):
		return func(func(spot) bool) {}
	case math.IsNaN(tx):
		switch {
		case ty > 1+1e-9:
			label = p.glyphs.Up + " " + label
		case ty < -1e-9:
			label = p.glyphs.Down + " " + label
		}
		return p.spotsAlong(label, g.row(ty))
	case math.IsNaN(ty):
		switch {
		case tx > 1+1e-9:
			label += " " + p.glyphs.Right
		case tx < -1e-9:
			label = p.glyphs.Left + " " + label
		}
		rows := make([]int, g.ph) // from the foot up
		for i := range rows {
			rows[i] = g.py + g.ph - 1 - i
		}
		return spotsBeside(label, g.col(tx), rows)
	case visible(tx) && visible(ty):
		row := g.row(ty)
		return spotsBeside(label, g.col(tx), []int{row, row - 1, row + 1, row - 2, row + 2, row - 3, row + 3})
	}
	return func(func(spot) bool) {}
}

// spotsAlong are upon a line across, as far right as there is room; then above it and below it.
func (p *Plot) spotsAlong(label string, row int) iter.Seq[spot] {
	return func(yield func(spot) bool) {
		for i, y := range []int{row, row - 1, row + 1} {
			above := gridLayer
			if i == 0 {
				above = ruleLayer
			}
			for x := p.geo.px + p.geo.pw - width(label) - 4; x >= p.geo.px; x-- {
				if !yield(spot{x, y, label, above}) {
					return
				}
			}
		}
	}
}

// spotsBeside are on either side of a column, row by row. Where none is free the label may
// interrupt other marks' lines, and at last only the part before a colon or comma is written
// ("K 28" of "K 28: ...").
func spotsBeside(label string, col int, rows []int) iter.Seq[spot] {
	short := label
	if i := strings.IndexAny(label, ":,"); i > 0 {
		short = label[:i]
	}
	return func(yield func(spot) bool) {
		for _, try := range []spot{{0, 0, label, gridLayer}, {0, 0, label, ruleLayer}, {0, 0, short, gridLayer}, {0, 0, short, ruleLayer}} {
			for _, try.row = range rows {
				for _, try.x = range []int{col + 1, col - width(try.label) - 2} {
					if !yield(try) {
						return
					}
				}
			}
		}
	}
}
