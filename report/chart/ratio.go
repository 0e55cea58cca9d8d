package chart

import (
	"math"
	"slices"
)

// LeastBounds returns the smallest bound at each place of the longest series, infinite if there is none: an
// approximation is no bound. ok is false if the places of a series are not the first of these, or there is no
// bound at all.
func (c Chart) LeastBounds() (least []float64, ok bool) {
	var xs []float64
	for _, s := range c.Series {
		if len(s.X) > len(xs) {
			xs = s.X
		}
	}
	if len(xs) == 0 {
		return nil, false
	}
	least = slices.Repeat([]float64{math.Inf(1)}, len(xs))
	for _, s := range c.Series {
		if !slices.Equal(s.X, xs[:len(s.X)]) || len(s.Y) != len(s.X) {
			return nil, false
		}
		for i, y := range s.Y {
			if !s.Rough && !s.Attack && !s.Other && y > 0 {
				least[i] = math.Min(least[i], y)
			}
		}
	}
	return least, !math.IsInf(slices.Min(least), 1)
}

// RatioLabel is the label of the vertical axis of [Chart.RatioToBest].
const RatioLabel = "ε ÷ best"

// RatioToBest returns the chart with every ε divided by the least bound at the same place, so that curves which nearly
// coincide can be distinguished; false for all charts but those of ε against a count. An approximation is shown, but
// never the divisor.
func (c Chart) RatioToBest() (Chart, bool) {
	if !c.Rivals || c.Y.Label != "ε" || c.Focus == 0 || len(c.Bars) > 0 || len(c.Series) < 2 {
		return c, false
	}
	best, ok := c.LeastBounds()
	if !ok {
		return c, false
	}
	c.Series = slices.DeleteFunc(slices.Clone(c.Series), func(s Series) bool { return s.Other })
	low, top := 1.0, 1.05
	for k, s := range c.Series {
		ratio := gaps(len(best))
		for i, y := range s.Y {
			if math.IsInf(best[i], 1) {
				continue
			}
			ratio[i] = y / best[i]
			if ratio[i] >= 1/maxScaleMultiple && ratio[i] <= maxScaleMultiple && s.X[i] <= c.Focus {
				low, top = math.Min(low, ratio[i]), math.Max(top, ratio[i])
			}
		}
		c.Series[k].Y = ratio
	}
	c.Marks = slices.DeleteFunc(slices.Clone(c.Marks), func(m Mark) bool { return !math.IsNaN(m.Y) })
	c.X.Log, c.X.Min = true, 1
	c.Y = Axis{Label: RatioLabel, Log: true, Min: low * 0.97, Max: top * 1.05, Upper: c.Y.Upper}
	return c, true
}
