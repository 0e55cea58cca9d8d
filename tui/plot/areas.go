package plot

import (
	"math"
	"slices"

	"epsiloscope/scenarios/report/chart"
	"epsiloscope/scenarios/report/scale"
	"epsiloscope/tui/draw"
)

// area is what is filled below a height.
type area struct {
	tops []float64 // in dots from above, eight per column of cells
	tint draw.Tint
	sign rune // without colours
	pair bool
}

// samples is how many heights an area has per cell: block elements divide a cell by eight.
const samples = 8

// filled reports whether a series is drawn as an area: one of a pair on a linear axis, where areas
// are probabilities, and what asks for it.
func (p *Plot) filled(i int) bool {
	s := p.chart.Series[i]
	return s.Area || s.Pair && !p.chart.Y.Log
}

// areal reports whether a chart is made of areas, which are named above the plot.
func (p *Plot) areal() bool {
	for i, s := range p.chart.Series {
		if s.Pair && p.filled(i) {
			return true
		}
	}
	return false
}

// hatched reports whether areas are drawn in characters: without colours, and in ASCII, which has
// no block elements.
func (p *Plot) hatched() bool { return p.monochrome() || p.pen.Glyphs.ASCII }

// floor is the place of the mark whose side below is tinted: a budget, if the terminal has shades;
// -1 if there is none.
func (p *Plot) floor() int {
	return slices.IndexFunc(p.chart.Marks, func(m chart.Mark) bool {
		return m.Alert && math.IsNaN(m.X) && !p.pen.Glyphs.ASCII && !p.pen.Fits.IsZero() && p.geo.y.Fraction(m.Y) > 0
	})
}

// areas are what is to be filled, the first on top; of a pair what both cover has its own tint.
func (p *Plot) areas() []area {
	g := &p.geo
	n, last := samples*g.pw, float64(2*g.pw-1)
	from, to := (-0.5+1.0/samples)/last, (last+0.5-1.0/samples)/last
	rows := float64(4*g.ph - 1)
	var list []area
	pairs := 0
	for i, s := range p.chart.Series {
		if !p.filled(i) {
			continue
		}
		a := area{tops: p.heights(i, n, from, to), tint: p.look(i).Fill, pair: s.Pair, sign: p.pen.Glyphs.Hatch[min(pairs, 1)]}
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
	if i := p.floor(); i >= 0 {
		m := p.chart.Marks[i]
		a := area{tops: make([]float64, n), tint: p.pen.Fits}
		for k := range a.tops {
			a.tops[k] = (1 - scale.Unit(g.y.Fraction(m.Y))) * rows
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
	hatched := p.hatched()
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
		pic  [64]uint8
		cell cell
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
		for cy := range g.ph {
			at := (g.py+cy)*p.w + g.px + cx
			pic, whole := [64]uint8{}, !mixed(bounds, cy)
			if whole {
				kind := kindAt(list, samples*cx, float64(4*cy)+1.5)
				pic[0], pic[36] = kind, kind
			} else {
				pic, whole = picture(list, cx, cy)
			}
			switch {
			case whole && pic[0] == 0:
			case hatched:
				if kind := int(pic[36]); kind > 0 {
					sign := p.pen.Glyphs.Hatch[2]
					if kind <= len(list) {
						sign = list[kind-1].sign
					}
					p.set(g.px+cx, g.py+cy, sign, &p.pen.Muted, areaLayer)
				}
			case !whole && pic == last[cy].pic:
				p.cells[at] = last[cy].cell
			default:
				p.drawMosaic(g.px+cx, g.py+cy, &pic, whole, on, tint)
				if !whole {
					last[cy].pic, last[cy].cell = pic, p.cells[at]
				}
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

// mixed reports whether the edge of an area passes through a row.
func mixed(bounds [][2]float64, cy int) bool {
	from, to := float64(4*cy)-0.5, float64(4*cy)+3.5
	for _, b := range bounds {
		if b[0] <= to && b[1] >= from {
			return true
		}
	}
	return false
}

// kindAt is what fills a place: 0 for the ground, the number of an area from 1, or one more than
// there are for what a pair shares.
func kindAt(list []area, sample int, y float64) (kind uint8) {
	for i, a := range list {
		switch in := y >= a.tops[sample]; { // NaN is not
		case !in:
		case kind == 0:
			kind = uint8(i + 1)
		case a.pair && list[kind-1].pair:
			return uint8(len(list) + 1)
		}
	}
	return kind
}

// picture samples a cell at 8×8 places; whole says that it is the same everywhere.
func picture(list []area, cx, cy int) (pic [64]uint8, whole bool) {
	whole = true
	for k := range samples {
		for row := range samples {
			y := float64(4*cy) - 0.5 + 4*(float64(row)+0.5)/samples
			kind := kindAt(list, samples*cx+k, y)
			pic[samples*row+k] = kind
			whole = whole && kind == pic[0]
		}
	}
	return pic, whole
}
