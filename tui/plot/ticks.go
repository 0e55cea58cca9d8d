package plot

import (
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

// rowTicks chooses as many ticks as leave a free row between any two, and lengthens the axis so that evenly spaced
// ones stand in the middle of their rows: curves are then read against them to half a dot. What stands on the axis
// keeps its base, and its ticks are a whole number of rows apart. Where no choice does, some are left out, or two may
// stand together, never on the same row.
func (g *geometry) rowTicks(y scale.Scale, onBase bool) []placedTick {
	align := func(ticks []scale.Tick) (longer scale.Scale, by float64, even bool) {
		if onBase {
			return g.y.AlignTicks(ticks, g.ph, 4)
		}
		return g.y.CentreTicks(ticks, g.ph, 4)
	}
	if !onBase && !y.Log {
		if longer, ticks := g.evenTicks(y); ticks != nil {
			g.y = longer
			placed, _ := g.placeRows(ticks)
			return placed
		}
	}
	var second []placedTick
	least, grown, evenly := lastLonger, g.y, []scale.Tick(nil)
	for n := g.mostTicks(); n >= 1; n-- {
		ticks := g.y.Ticks(n)
		placed, apart := g.placeRows(ticks)
		if len(placed) < 2 || 3*len(placed) > 2*g.ph && n > 1 {
			continue
		}
		if apart >= 2 {
			longer, by, even := align(ticks)
			if !even || g.y.Log && by > maxLonger { // more decades say more than even ones
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
	if _, _, even := align(g.y.Ticks(len(second))); !even || g.y.Log {
		return second
	}
	kept := thin(second)
	if len(kept) < len(second) && evenly != nil {
		g.y = grown
		kept, _ = g.placeRows(evenly)
	}
	return kept
}

// mostTicks returns the number of ticks that an axis of rows is asked for first.
func (g *geometry) mostTicks() int { return max(2, min(g.ph/2, 2+g.ph/4)) }

// evenTicks returns the ticks for which a linear axis grows least to have all of them in the middle of rows, and the
// longer axis. More ticks are preferred to little growth; nil if the axis would have to grow too much.
func (g *geometry) evenTicks(y scale.Scale) (longer scale.Scale, chosen []scale.Tick) {
	least := maxStretch
	for n := g.mostTicks(); n >= 1; n-- {
		ticks := y.Ticks(n)
		if len(chosen) > len(ticks) && (least <= maxLonger || len(ticks) < 3) {
			break
		}
		if len(ticks) < 2 || 3*len(ticks) > 2*g.ph && n > 1 {
			continue
		}
		if scale, by, even := y.CentreTicks(ticks, g.ph, 4); even && by < least {
			least, longer, chosen = by, scale, ticks
		}
	}
	return longer, chosen
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
		if g.x.Days && label == "" { // it stands below an earlier tick
			placed = append(placed, placedTick{col, col, "", t.Value})
			continue
		}
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
