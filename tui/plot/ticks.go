package plot

import (
	"math"
	"slices"

	"epsiloscope/report/chart"
	"epsiloscope/report/scale"
)

type placedTick struct {
	cell  int // absolute column or row of the tick itself
	start int // absolute column of its label
	label string
	value float64
}

func (t placedTick) end() int { return t.start + len(t.label) }

// maxLonger is the factor by which an axis may grow so that its ticks are evenly spaced. A choice of ticks that needs
// no more than acceptedLonger is taken at once; one that needs up to lastLonger is taken before ticks are left out.
const maxLonger, acceptedLonger, lastLonger = 1.15, 1.06, 1.25

// rowTicks chooses as many ticks as leave a free row between any two, and as stand evenly
// where their distances are equal: the axis grows a little for that, unless it is aligned with a budget. Where no
// choice does, some are left out, or two may stand together, never on the same row.
func (g *geometry) rowTicks() []placedTick {
	var second []placedTick
	least, grown, evenly := lastLonger, g.y, []scale.Tick(nil)
	for n := max(2, min(g.ph/2, 2+g.ph/4)); n >= 1; n-- {
		ticks := g.y.Ticks(n)
		placed, apart := g.placeRows(ticks)
		if len(placed) < 2 || 3*len(placed) > 2*g.ph && n > 1 {
			continue
		}
		if apart >= 2 {
			longer, by, even := g.y.AlignTicks(ticks, g.ph, 4)
			if !even || g.aligned || g.y.Log && by > maxLonger { // more decades say more than even ones
				return placed
			}
			if by <= maxLonger {
				g.y = longer
				placed, _ = g.placeRows(ticks)
				return placed
			}
			if by < least {
				least, grown, evenly = by, longer, ticks
			}
		}
		if apart >= 1 && second == nil {
			second = placed
		}
	}
	if second == nil {
		second, _ = g.placeRows(g.y.Ticks(1))
	}
	if _, _, even := g.y.AlignTicks(g.y.Ticks(len(second)), g.ph, 4); !even || g.y.Log || g.aligned {
		return second
	}
	kept := thin(second)
	if len(kept) < len(second) && evenly != nil {
		g.y = grown
		kept, _ = g.placeRows(evenly)
	}
	return kept
}

// evenTicksAbove gives a linear axis from 0 a length and a start a little below 0 for which its ticks are a whole
// number of rows apart and a budget ends between two rows. The axis holds the scale y; it returns false if it would
// have to grow too much for that.
func (g *geometry) evenTicksAbove(budget float64, y scale.Scale) bool {
	if y.Log || y.Min != 0 || !(budget > 0) || budget >= y.Max {
		return false
	}
	dots, least := float64(4*g.ph-1), maxStretch
	var found scale.Scale
	var placed []placedTick
	for n := max(2, min(g.ph/2, 2+g.ph/4)); n >= 1; n-- {
		ticks := y.Ticks(n)
		switch {
		case len(placed) > len(ticks) && (least <= maxLonger || len(ticks) < 3):
			g.y, g.yTicks = found, placed
			return true
		case len(ticks) < 2 || 3*len(ticks) > 2*g.ph && n > 1:
			continue
		}
		step := ticks[1].Value - ticks[0].Value
		rows := math.Floor(step * dots / y.Max / 4)
		unit, zero := dotsOfUnit(rows, step, budget)
		if zero+y.Max*unit > dots+0.45 { // the highest dot would be lost
			rows--
			unit, zero = dotsOfUnit(rows, step, budget)
		}
		if longer := dots / unit / y.Max; rows >= 2 && longer < least {
			least, found, placed = longer, scale.New(-zero/unit, (dots-zero)/unit, false), nil
			for _, t := range ticks { // one that is on the edge stands below it, as what fits does
				row := int((zero + t.Value*unit + 0.5 - 1e-6) / 4)
				placed = append(placed, placedTick{cell: g.py + g.ph - 1 - row, label: t.Label, value: t.Value})
			}
		}
	}
	if placed == nil {
		return false
	}
	g.y, g.yTicks = found, placed
	return true
}

// dotsOfUnit returns how many dots high a unit of an axis is if ticks a step apart are some rows apart, and at which
// dot from below the axis has its zero if a budget ends between two rows.
func dotsOfUnit(rows, step, budget float64) (unit, zero float64) {
	unit = 4 * rows / step
	edge := 4*math.Ceil((budget*unit+0.5)/4) - 0.5
	return unit, edge - budget*unit
}

// standsOnBase reports whether what is drawn stands on the horizontal axis: probabilities, as areas or as stems.
func (p *Plot) standsOnBase() bool {
	return p.areal() || slices.ContainsFunc(p.chart.Series, func(s chart.Series) bool { return s.Stems })
}

// lowerZero puts the tick at the lower end of a linear axis on its base, the row of the horizontal axis, where a grid
// line would cross what stands there.
func (g *geometry) lowerZero() {
	for i := range g.yTicks {
		if t := &g.yTicks[i]; !g.y.Log && g.y.Min == 0 && t.label == "0" {
			t.cell = g.py + g.ph
		}
	}
}

// thin leaves out as few ticks as needed for the others to stand evenly.
func thin(ticks []placedTick) []placedTick {
	for every := 1; every < len(ticks); every++ {
		var kept []placedTick
		even := true
		for i := 0; i < len(ticks); i += every {
			kept = append(kept, ticks[i])
			if n := len(kept); n > 2 && kept[n-1].cell-kept[n-2].cell != kept[1].cell-kept[0].cell {
				even = false
			}
		}
		if even {
			return kept
		}
	}
	return ticks
}

// placeRows puts ticks on rows, one on each at most, and returns the least distance
// between two of them; 0 if two would share a row.
func (g *geometry) placeRows(ticks []scale.Tick) (placed []placedTick, apart int) {
	apart = g.ph
	for _, t := range ticks {
		row := g.row(g.y.Fraction(t.Value))
		if k := len(placed); k > 0 {
			apart = min(apart, placed[k-1].cell-row)
			if placed[k-1].cell == row {
				continue
			}
		}
		placed = append(placed, placedTick{cell: row, label: t.Label, value: t.Value})
	}
	return placed, apart
}

// colTicks chooses as many ticks as leave two columns between their labels. On a linear
// axis that may grow it takes those for which it grows least to have them stand evenly.
func (g *geometry) colTicks(w int, grow bool) []placedTick {
	most := max(2, g.pw/8)
	given, best := g.x, g.x
	var chosen []placedTick
	for n := most; n >= 1; n-- {
		ticks := given.Ticks(n)
		longer, by, even := given.AlignTicks(ticks, g.pw, 2)
		if !grow || given.Log || by > maxLonger {
			longer, by, even = given, 1, false
		}
		if chosen != nil && (!even || len(ticks) < 3 || 3*n < most) {
			break
		}
		g.x = longer
		placed, ok := g.placeColumns(ticks, w)
		if !ok || chosen != nil && by >= g.longer {
			continue
		}
		chosen, best, g.longer = placed, longer, by
		if !even || by <= acceptedLonger {
			break
		}
	}
	g.x = best
	return chosen
}

// placeColumns puts ticks on columns; false where their labels come too close. Names give way.
func (g *geometry) placeColumns(ticks []scale.Tick, w int) (placed []placedTick, ok bool) {
	end := -2
	for i, t := range ticks {
		col, label := g.col(g.x.Fraction(t.Value)), t.Label
		if len(g.x.Names) > 0 && len(ticks) > 1 {
			next := ticks[min(i+1, len(ticks)-1)].Value
			before := ticks[min(i, len(ticks)-2)].Value
			label = shorter(label, g.col(g.x.Fraction(next))-g.col(g.x.Fraction(before))-2)
		}
		start := min(max(col-(len(label)-1)/2, 0), w-len(label))
		if start < end+2 || label == "" {
			return nil, false
		}
		end = start + len(label)
		placed = append(placed, placedTick{col, start, label, t.Value})
	}
	return placed, true
}

// shorter returns a name of an axis in n letters; "" where that would say nothing.
func shorter(name string, n int) string {
	const least = 6
	if len(name) > n && n < least {
		return ""
	}
	return chart.Elide(name, n)
}
