package plot

import (
	"math"
	"slices"
	"strings"

	"epsiloscope/report/chart"
	"epsiloscope/report/scale"
)

// drawRules draws the lines of marks with one coordinate, under the curves. A budget that is
// tinted needs none, nor does a crossing, which is a ring on the curves.
func (p *Plot) drawRules() {
	g, floor := &p.geo, p.tintedMark(p.geo.y)
	for i, m := range p.chart.Marks {
		ink := p.markInk(m, &p.pen.Muted)
		tx, ty := g.x.Fraction(m.X), g.y.Fraction(m.Y)
		switch {
		case i == floor || m.Cross[0] != "":
		case math.IsNaN(tx) && scale.IsVisible(ty):
			p.across(g.px, g.ruleRow(m), g.pw, p.pen.Glyphs.RuleH, ink, ruleLayer)
		case math.IsNaN(ty) && scale.IsVisible(tx):
			p.down(g.col(tx), g.py, g.ph, p.pen.Glyphs.RuleV, ink, ruleLayer)
		}
	}
}

// drawPoints draws marks with both coordinates, over the curves, and the rings of crossings and of the answer.
func (p *Plot) drawPoints() {
	g := &p.geo
	for _, m := range p.chart.Marks {
		at := scale.Point{X: g.x.Fraction(m.X), Y: g.y.Fraction(m.Y)}
		if m.Cross[0] != "" || !at.IsInside() {
			continue
		}
		sign, ink := p.pen.Glyphs.PointM, p.markInk(m, &p.pen.Strong)
		if m.Answer {
			ink = &p.pen.Winner
		}
		p.set(g.col(at.X), g.row(at.Y), sign, ink, textLayer)
	}
	for _, r := range p.rings {
		p.set(g.col(r.at.X), g.row(r.at.Y), p.pen.Glyphs.Ring, &p.pen.Strong, textLayer)
	}
}

// ring is the place where the lines of two series cross.
type ring struct {
	mark   int
	at     scale.Point
	series uint64 // the two, as bits of their ranks
}

// findRings returns the crossings in sight.
func (p *Plot) findRings() (list []ring) {
	for i, m := range p.chart.Marks {
		if m.Cross[0] == "" {
			continue
		}
		if at, ok := p.crossing(m); ok && at.IsInside() {
			r := ring{mark: i, at: at}
			for rank, i := range p.ranks.Order {
				if name := p.chart.Series[i].Name; name == m.Cross[0] || name == m.Cross[1] {
					r.series |= 1 << min(rank, maxRank)
				}
			}
			list = append(list, r)
		}
	}
	return list
}

// nearRing returns which of the series in a cell may give it their colour: within four cells of a ring those that
// cross there.
func (p *Plot) nearRing(cx int, series uint64) uint64 {
	for _, r := range p.rings {
		if crossing := series & r.series; crossing != 0 && abs(p.geo.px+cx-p.geo.col(r.at.X)) <= 4 {
			return crossing
		}
	}
	return series
}

// crossing returns where the lines of two series meet, left of the first whole number from which on one
// is below the other. It is false if they do not, and of a pair without basic composition: those
// run too close together to be seen.
func (p *Plot) crossing(m chart.Mark) (at scale.Point, ok bool) {
	a, b := -1, -1
	for i, s := range p.chart.Series {
		switch s.Name {
		case m.Cross[0]:
			a = i
		case m.Cross[1]:
			b = i
		}
	}
	end := p.geo.x.Fraction(m.X)
	if a < 0 || b < 0 || p.looks[b] != scale.BasicLook || !scale.IsVisible(end) {
		return at, false
	}
	n := 2 * p.geo.pw
	below, above := p.heights(a, n, 0, 1), p.heights(b, n, 0, 1)
	for x := min(n-1, int(math.Ceil(end*float64(n-1)))); x >= 0; x-- {
		if !(below[x] < above[x]) && !math.IsNaN(below[x]) && !math.IsNaN(above[x]) {
			return scale.Point{X: float64(x) / float64(n-1), Y: above[x]}, true
		}
	}
	return at, false
}

// drawLeaving names the curves that leave the picture through its top where they leave it.
func (p *Plot) drawLeaving() {
	g := &p.geo
	if !p.chart.Rivals || g.legend.place == noLegend {
		return
	}
	for _, i := range p.ranks.Order {
		if s := p.chart.Series[i]; s.Faint || s.Attack || p.ranks.Owner[i] != i {
			continue
		}
		heights := p.heights(i, g.pw, 0, 1)
		last := len(heights) - 1
		for last >= 0 && (heights[last] > 1 || math.IsNaN(heights[last])) {
			last--
		}
		if !slices.ContainsFunc(heights[last+1:], func(t float64) bool { return t > 1 }) {
			continue
		}
		label := p.pen.Glyphs.Up + " " + p.name(p.chart.Series[i].Name)
		for _, row := range [...]int{g.py, g.py + 1} {
			if x := g.px + last + 2; x+width(label)+1 <= g.px+g.pw && p.free(x, row, width(label)+1, tintLayer) {
				p.text(x, row, label, p.look(i).Ink)
				break
			}
		}
	}
}

// drawMarkLabels writes each label at the first place that is free. A mark outside the picture
// is named at the edge it lies beyond, with an arrow.
func (p *Plot) drawMarkLabels() {
	g, glyphs, floor := &p.geo, &p.pen.Glyphs, p.tintedMark(p.geo.y)
	for _, r := range p.rings { // what a crossing says comes before all others
		m := p.chart.Marks[r.mark]
		p.labelNear(m, p.markLabel(m), g.col(r.at.X), g.row(r.at.Y))
	}
	for i, m := range p.chart.Marks {
		label := p.markLabel(m)
		if label == "" {
			continue
		}
		tx, ty := g.x.Fraction(m.X), g.y.Fraction(m.Y)
		switch {
		case m.Cross[0] != "":
			continue
		case i == floor:
			p.labelFloor(m, g.row(scale.ClampToAxis(ty)))
			continue
		case scale.IsVisible(tx) || scale.IsVisible(ty):
		case tx > 1:
			label += " " + glyphs.Right
		case tx < 0:
			label = glyphs.Left + " " + label
		case ty > 1:
			label = glyphs.Up + " " + label
		case ty < 0:
			label = glyphs.Down + " " + label
		}
		across, down := math.IsNaN(tx), math.IsNaN(ty)
		switch {
		case across && down:
		case across:
			p.labelAcross(m, label, g.ruleRow(m))
		case down:
			rows := make([]int, g.ph) // from the foot up
			for i := range rows {
				if rows[i] = g.py + g.ph - 1 - i; p.areal() {
					rows[i] = g.py + i // the areas stand at the foot
				}
			}
			p.labelBeside(m, label, g.col(tx), rows...)
		case scale.IsVisible(tx) && scale.IsVisible(ty) && m.Answer:
			p.labelNear(m, label, g.col(tx), g.row(ty))
		case scale.IsVisible(tx) && scale.IsVisible(ty):
			row := g.row(ty)
			p.labelBeside(m, label, g.col(tx), row, row-1, row+1, row-2, row+2, row-3, row+3)
		}
	}
}

// markLabel returns the label of a mark in the width of the plot: words before its number are left out before the
// number is cut.
func (p *Plot) markLabel(m chart.Mark) string {
	label, room := p.label(m.Label), p.geo.pw-2
	for width(label) > room {
		first, rest, more := strings.Cut(label, " ")
		if !more || width(first) < 3 { // a symbol, which the number belongs to
			break
		}
		label = rest
	}
	return p.pen.Cut(label, room)
}

// labelNear writes a label beside a ring, or else the part before its colon: the rest stands in the notes.
// If there is no room beside the ring, it stands farther away.
func (p *Plot) labelNear(m chart.Mark, label string, col, row int) {
	short, _, _ := strings.Cut(label, ":")
	for _, try := range [...]struct {
		words    string
		farthest int // rows
	}{{label, 3}, {short, 2}, {label, 9}, {short, 9}} {
		n := width(try.words) + 2
		for d := range try.farthest + 1 {
			for _, y := range [...]int{row - d, row + d} {
				for shift := range n + 2 {
					if p.tryLabel(m, try.words, col+1-shift, y, tintLayer) {
						return
					}
				}
			}
		}
	}
}

// labelFloor says what the tinted part of the plot is: what fits the budget.
func (p *Plot) labelFloor(m chart.Mark, row int) {
	g := &p.geo
	words := p.label("fits: " + p.chart.Y.Label + " ≤ " + strings.TrimPrefix(m.Label, "budget "))
	n := width(words) + 2
	for y := row + 1; y < g.py+g.ph; y++ {
		for x := g.px + g.pw - n; x >= g.px; x-- {
			if p.free(x, y, n, tintLayer) {
				p.text(x+1, y, words, &p.pen.Good)
				return
			}
		}
	}
	for x := g.px + g.pw - n; x >= g.px; x-- {
		if p.free(x, row, n, tintLayer) { // upon its edge
			p.text(x, row, " "+words+" ", &p.pen.Good)
			return
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
		over = tintLayer
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
		for _, over := range [...]layer{tintLayer, ruleLayer} {
			for _, row := range rows {
				if p.tryLabel(m, words, col+1, row, over) || p.tryLabel(m, words, col-width(words)-2, row, over) {
					return
				}
			}
		}
	}
}

// tryLabel writes a label with a blank on either side, unless that would cover what is above a
// layer. A label keeps apart from names at the right of the plot: "ε = 4.693 = RDP" would be read as one line.
func (p *Plot) tryLabel(m chart.Mark, label string, x, row int, over layer) bool {
	g, n := &p.geo, width(label)+2
	end := g.px + g.pw + 1
	if g.legend.place == legendRight {
		end -= 2
	}
	if !g.contains(x, row) || x+n > end || !p.free(x, row, n, over) {
		return false
	}
	p.text(x, row, " "+label+" ", p.markInk(m, &p.pen.Text))
	return true
}
