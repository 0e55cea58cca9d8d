package home

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	_ "epsiloscope/internal/gauge" // the seed of property tests
)

// Whatever the bounds and the budget are: a larger bound is never left of a smaller one, every dot and the rule are on
// the axis, and a bound is over the budget exactly if its dot is right of the rule.
func TestDotsFollowTheNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.Custom(func(t *rapid.T) float64 { return math.Pow(10, rapid.Float64Range(-12, 12).Draw(t, "power")) })
		values := rapid.SliceOfN(size, 1, 10).Draw(t, "values")
		if rapid.Bool().Draw(t, "free") {
			values = append(values, 0)
		}
		limit := 0.0
		switch rapid.IntRange(0, 2).Draw(t, "budget") {
		case 1:
			limit = size.Draw(t, "limit")
		case 2: // a bound that just fits, and one that just does not
			limit = values[0]
			values = append(values, math.Nextafter(limit, math.Inf(1)))
		}
		slices.Sort(values)
		d := newDotAxis(values, values[0], limit, rapid.IntRange(4, 90).Draw(t, "cells"))
		before := 0
		for _, v := range values {
			at := d.column(v)
			if at < before || at >= d.cells {
				t.Fatalf("%g stands in column %d after %d, of %d cells: %v", v, at, before, d.cells, values)
			}
			before = at
			if d.rule >= 0 && (at > d.rule) != (v > limit) || at == d.rule {
				t.Fatalf("%g stands in column %d, the budget of %g in %d", v, at, limit, d.rule)
			}
		}
		if d.rule >= d.cells-1 || d.rule == 0 {
			t.Fatalf("the rule is in column %d of %d", d.rule, d.cells)
		}
	})
}

// A budget a few times the best bound, or a part of it, has its rule; one that is a thousand times away has none.
func TestRuleOfTheBudget(t *testing.T) {
	for _, c := range []struct {
		limit float64
		shown bool
	}{{0, false}, {1, true}, {0.01, true}, {100, true}, {2000, false}, {1e-4, false}} {
		if d := newDotAxis([]float64{1, 3, 500}, 1, c.limit, 30); (d.rule > 0) != c.shown {
			t.Errorf("a budget of %g beside a bound of 1 has its rule in column %d", c.limit, d.rule)
		}
	}
}

// The remainder of an ε of 0 does not decide the axis: the budget does.
func TestRemaindersHaveNoAxis(t *testing.T) {
	d := newDotAxis([]float64{0, 9e-162}, 0, 0.01, 30)
	if d.rule < 0 || d.scale.Min < 1e-3 || d.column(9e-162) != 0 {
		t.Errorf("from %g to %g, the budget in column %d", d.scale.Min, d.scale.Max, d.rule)
	}
}

// The end of the axis stays while a knob moves the bounds a little, and one loose theorem does not push the rest
// together.
func TestAxisIsCalm(t *testing.T) {
	a, b := newDotAxis([]float64{2.33, 14.7}, 2.33, 3, 30), newDotAxis([]float64{2.36, 14.9}, 2.36, 3, 30)
	if a.scale.Min != b.scale.Min || a.scale.Max != b.scale.Max {
		t.Errorf("the axis moved from %v to %v", a.scale, b.scale)
	}
	loose := newDotAxis([]float64{1.1, 1.3, 1100}, 1.1, 3, 30)
	if !loose.leaves(1100) || loose.leaves(1.3) || loose.column(1.3) == loose.column(1.1) {
		t.Errorf("1.1, 1.3 and 1100 stand in columns %d, %d, %d", loose.column(1.1), loose.column(1.3), loose.column(1100))
	}
}
