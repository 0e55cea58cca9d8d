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

// floor is the place of the mark whose side below is tinted: a budget, if the terminal has shades;
// -1 if there is none.
func (p *Plot) floor() int {
	return slices.IndexFunc(p.chart.Marks, func(m chart.Mark) bool {
		return m.Alert && math.IsNaN(m.X) && !p.pen.Fits.IsZero() && p.geo.y.Fraction(m.Y) > 0
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
	hatched := list[0].tint.IsZero()
	on := tintLayer // a budget, on which words may stand
	if slices.ContainsFunc(list, func(a area) bool { return a.sign != 0 }) {
		on = areaLayer
	}
	for cx := range g.pw {
		for cy := range g.ph {
			pic, whole := picture(list, cx, cy)
			switch {
			case whole && pic[0] == 0:
			case hatched:
				if kind := pic[36]; kind > 0 {
					sign := p.pen.Glyphs.Hatch[2]
					if kind <= len(list) {
						sign = list[kind-1].sign
					}
					p.set(g.px+cx, g.py+cy, sign, &p.pen.Muted, areaLayer)
				}
			default:
				p.drawMosaic(g.px+cx, g.py+cy, &pic, whole, on, func(kind int) draw.Tint {
					if kind > len(list) {
						return p.pen.Both
					}
					return list[kind-1].tint
				})
			}
		}
	}
}

// picture samples a cell at 8×8 places: 0 for the ground, the number of an area from 1, or one
// more than there are for what a pair shares. whole says that it is the same everywhere.
func picture(list []area, cx, cy int) (pic [64]int, whole bool) {
	whole = true
	for k := range samples {
		for row := range samples {
			y, kind := float64(4*cy)-0.5+4*(float64(row)+0.5)/samples, 0
			for i, a := range list {
				switch in := y >= a.tops[samples*cx+k]; { // NaN is not
				case !in:
				case kind == 0:
					kind = i + 1
				case a.pair && list[kind-1].pair:
					kind = len(list) + 1
				}
				if kind > len(list) {
					break
				}
			}
			pic[samples*row+k] = kind
			whole = whole && kind == pic[0]
		}
	}
	return pic, whole
}
