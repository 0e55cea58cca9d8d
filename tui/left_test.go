package tui

import (
	"context"
	"math"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
	"epsiloscope/tui/kit"
)

// "Queries left" is searched for; here it is looked up: with that many more of the
// entry the stack fits its budget by what compare prints, with one more it does not.
// The numerical column counts by the upper end of its interval.
func TestQueriesLeftAreTheLastThatFit(t *testing.T) {
	account := accountants()
	for _, c := range []struct {
		open  string
		entry int
	}{{welcome, 1}, {welcome, 2}, {welcome, 3}, {"adv-vs-basic-large", 1}, {"gaussian-zcdp", 1}} {
		s, err := scenarios.LoadBundled(c.open)
		if err != nil {
			t.Fatal(err)
		}
		a := start(t, 120, 36, setup{scenario: s, accountant: account, charts: rememberedCharts()})
		for range c.entry - 1 {
			press(a, "down")
		}
		counted := 0
		for _, now := range a.Result.Bounds {
			m := now.Method
			left, stale, ok := a.home.LeftOf(m)
			if !ok || stale || left == 0 || math.IsInf(left, 1) {
				continue // over already, or without end: there is no last one
			}
			counted++
			with := func(more float64) accounting.Bound {
				then := s.Clone()
				then.Stack[c.entry-1].Count += more
				r, err := account.Evaluate(context.Background(), then, scenarios.Options{})
				if err != nil {
					t.Fatal(err)
				}
				b, _ := kit.Find(r, m)
				return b
			}
			if b := with(left); !report.Fits(b, s.Budget.Epsilon) {
				t.Errorf("%s, entry %d, %s: %v more are said to fit, but cost %v of %v", c.open, c.entry, m, left, b.Epsilon, s.Budget.Epsilon)
			}
			if b := with(left + 1); report.Fits(b, s.Budget.Epsilon) {
				t.Errorf("%s, entry %d, %s: %v more would fit, too: they cost %v of %v", c.open, c.entry, m, left+1, b.Epsilon, s.Budget.Epsilon)
			}
		}
		if n, _, ok := a.home.LeftOf(accounting.Numerical); !ok || counted < 3 || n == 0 {
			t.Errorf("%s, entry %d: only %d counts were looked at, the numerical one is %v", c.open, c.entry, counted, n)
		}
	}
}
