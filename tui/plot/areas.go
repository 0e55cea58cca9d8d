package plot

import (
	"math"
	"slices"

	"epsiloscope/report/chart"
	"epsiloscope/report/scale"
	"epsiloscope/tui/draw"
)

// area is filled below a height.
type area struct {
	tops []float64 // in dots from above, eight per column of cells
	tint draw.Tint
	sign rune // without colours
	pair bool
	// it lies below every curve: between two of them
	below bool
	cut   bool // it has the colour of the ground, and cuts a hole into those behind it
}

// samples is the number of heights an area has per cell: block elements divide a cell by eight.
const samples = 8

// lowestShade is the least height, in rows, that an area between two curves has somewhere: of a lower one only a few
// cells are free of the curves, and look like data of their own.
const lowestShade = 2

// isArea reports whether a series is drawn as an area: one of a pair on a linear axis, where
// areas are probabilities, or a series that asks for it.
func (p *Plot) isArea(i int) bool {
	s := p.chart.Series[i]
	return s.Area || s.Pair && !p.chart.Y.Log
}

// areal reports whether a chart is made of areas, which are named above the plot.
func (p *Plot) areal() bool {
	for i, s := range p.chart.Series {
		if s.Pair && p.isArea(i) {
			return true
		}
	}
	return false
}

// usesHatching reports whether areas are drawn in characters: without colours, and in ASCII, which has
// no block elements.
func (p *Plot) usesHatching() bool { return p.monochrome() || p.pen.Glyphs.ASCII }

// budgetMark returns the place of the mark that is a budget, if the y axis reaches it; -1 if there is none.
func (p *Plot) budgetMark(y scale.Scale) int {
	return slices.IndexFunc(p.chart.Marks, func(m chart.Mark) bool {
		return m.Alert && math.IsNaN(m.X) && y.Fraction(m.Y) > 0
	})
}

// tintedMark returns the place of the mark whose side below is tinted: a budget, if the terminal has shades; -1 if
// there is none.
func (p *Plot) tintedMark(y scale.Scale) int {
	if p.pen.Glyphs.ASCII || p.pen.Fits.IsZero() {
		return -1
	}
	return p.budgetMark(y)
}

// areas returns what is to be filled, the first on top; of a pair what both cover has its own tint.
func (p *Plot) areas() []area {
	g := &p.geo
	n, last := samples*g.pw, float64(2*g.pw-1)
	from, to := (-0.5+1.0/samples)/last, (last+0.5-1.0/samples)/last
	rows := float64(4*g.ph - 1)
	var list []area
	pairs := 0
	for i, s := range p.chart.Series {
		if !p.isArea(i) {
			continue
		}
		a := area{tops: p.heights(i, n, from, to), tint: p.look(i).Fill, pair: s.Pair,
			sign: p.pen.Glyphs.Hatch[min(pairs, 1)]}
		if s.Area {
			a.tint, a.sign = p.pen.Lost, p.pen.Glyphs.Hatch[3]
		} else {
			pairs++
		}
		for k, t := range a.tops {
			a.tops[k] = (1 - t) * rows
		}
		list = append(list, a)
	}
	if i := slices.IndexFunc(p.chart.Series, func(s chart.Series) bool { return s.Shade }); i >= 0 &&
		p.ranks.Best >= 0 && (p.pen.FineColours() || p.usesHatching()) {
		lower, upper := p.heights(p.ranks.Best, n, from, to), p.heights(i, n, from, to)
		tallest := 0.0
		for k, t := range lower {
			lower[k], upper[k] = (1-math.Min(t, upper[k]))*rows, (1-math.Max(t, upper[k]))*rows
			if d := lower[k] - upper[k]; d > tallest {
				tallest = d
			}
		}
		if tallest >= 4*lowestShade {
			list = append(list, area{tops: lower, cut: true},
				area{tops: upper, tint: p.pen.Tint(p.pen.Theme.Over, 0.2), below: true})
		}
	}
	if i := p.tintedMark(g.y); i >= 0 {
		a := area{tops: p.floats(n), tint: p.pen.Fits}
		top := (1 - scale.ClampToAxis(g.y.Fraction(p.chart.Marks[i].Y))) * rows
		if !g.axes { // no tick tells heights within a row: it fills whole rows, or none
			top = 4*math.Round((top+0.5)/4) - 0.5
		}
		for k := range a.tops {
			a.tops[k] = top
		}
		list = append(list, a)
	}
	return list
}

// drawAreas fills the areas, with edges of block elements.
func (p *Plot) drawAreas() {
	g, list := &p.geo, p.areas()
	if len(list) == 0 {
		return
	}
	hatched := p.usesHatching()
	on := tintLayer // a budget, on which words may stand
	if slices.ContainsFunc(list, func(a area) bool { return a.sign != 0 }) {
		on = areaLayer
	}
	tint := func(kind int) draw.Tint {
		if kind > len(list) {
			return p.pen.Both
		}
		return list[kind-1].tint
	}
	last := make([]struct { // of every row: a flat edge is the same for many columns
		kinds kinds
		cell  cell
	}, g.ph)
	var bounds [][2]float64
	for cx := range g.pw {
		if cx > 0 && sameColumn(list, cx) { // below a flat edge
			for at := g.py*p.w + g.px + cx; at < (g.py+g.ph)*p.w; at += p.w {
				if p.cells[at-1].on >= tintLayer {
					p.cells[at] = p.cells[at-1]
				}
			}
			continue
		}
		bounds = edges(list, cx, bounds[:0])
		kind := -1 // of the row above; it changes only where an edge passes
		for cy := range g.ph {
			at := (g.py+cy)*p.w + g.px + cx
			edge := hasEdge(bounds, cy)
			if !edge || hatched {
				if kind < 0 || edge {
					kind = int(kindAt(list, samples*cx+samples/2, float64(4*cy)+1.75))
				}
				switch {
				case kind == 0:
				case hatched:
					sign, ink, layer := p.pen.Glyphs.Hatch[2], &p.pen.Muted, areaLayer
					if kind <= len(list) && list[kind-1].below {
						layer = tintLayer
					} else if kind <= len(list) {
						sign = list[kind-1].sign
						if t := list[kind-1].tint; !t.IsZero() { // ASCII in colour
							ink = t.Ink
						}
					}
					p.set(g.px+cx, g.py+cy, sign, ink, layer)
				default:
					ground := tint(kind).Ground
					p.cells[at] = cell{r: ' ', on: on, behind: ground, tint: ground}
				}
				if edge {
					kind = -1
				}
				continue
			}
			kind = -1
			now := kindsIn(list, cx, cy)
			if now != last[cy].kinds {
				last[cy].kinds, last[cy].cell = now, p.mosaic(&now, on, tint)
			}
			if last[cy].cell.on != 0 {
				p.cells[at] = last[cy].cell
			}
		}
	}
}

// sameColumn reports whether every area has the same tops in a column of cells as in the one before.
func sameColumn(list []area, cx int) bool {
	for _, a := range list {
		if !slices.Equal(a.tops[samples*cx:][:samples], a.tops[samples*(cx-1):][:samples]) {
			return false
		}
	}
	return true
}

// edges appends the highest and the lowest of the tops of every area in a column of cells.
func edges(list []area, cx int, bounds [][2]float64) [][2]float64 {
	for _, a := range list {
		high, low := math.Inf(1), math.Inf(-1)
		for _, t := range a.tops[samples*cx:][:samples] {
			if t != t {
				t = math.Inf(1)
			}
			high, low = min(high, t), max(low, t)
		}
		bounds = append(bounds, [2]float64{high, low})
	}
	return bounds
}

// hasEdge reports whether the edge of an area passes through a row.
func hasEdge(bounds [][2]float64, cy int) bool {
	from, to := float64(4*cy)-0.5, float64(4*cy)+3.5
	for _, b := range bounds {
		if b[0] <= to && b[1] >= from {
			return true
		}
	}
	return false
}

// kindAt returns what fills a place: 0 for the ground, the number of an area from 1, or one more than
// there are for what a pair shares.
func kindAt(list []area, sample int, y float64) (kind uint8) {
	for i, a := range list {
		in := y >= a.tops[sample]
		switch { // NaN is not
		case !in:
		case kind == 0:
			kind = uint8(i + 1)
		case a.pair && list[kind-1].pair:
			return uint8(len(list) + 1)
		}
	}
	if kind > 0 && list[kind-1].cut {
		return 0
	}
	return kind
}

// maxKinds is the largest number of areas, with the ground and what a pair shares.
const maxKinds = 6

// kinds holds the places of a cell, 8×8 (bit 8·row + column), that each kind fills: 0 is the ground, an area
// has its number from 1, and what a pair shares is one more than there are areas.
type kinds [maxKinds]uint64

// kindsIn samples a cell at 8×8 places. An area fills, in each column, the rows from its top down.
func kindsIn(list []area, cx, cy int) (k kinds) {
	const column uint64 = 0x0101010101010101
	both := min(len(list)+1, maxKinds-1)
	covered := uint64(0)
	for i, a := range list[:min(len(list), maxKinds-2)] {
		mask := uint64(0)
		for c, top := range a.tops[samples*cx:][:samples] {
			// the first row whose middle is below the top
			row := math.Ceil((top - float64(4*cy) + 0.25) * (samples / 4))
			if row < samples { // NaN is not
				mask |= column << (8 * max(0, int(row))) << c
			}
		}
		if a.pair {
			for j := range i {
				if list[j].pair {
					k[both] |= k[j+1] & mask
					k[j+1] &^= mask
				}
			}
		}
		if a.cut {
			k[0] |= mask &^ covered
		} else {
			k[i+1] = mask &^ covered
		}
		covered |= mask
	}
	k[0] |= ^covered
	return k
}
