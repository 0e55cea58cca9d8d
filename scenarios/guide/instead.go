package guide

import (
	"context"
	"fmt"
	"math"
	"slices"

	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
	"epsiloscope/scenarios/report"
)

// instead lists single changes each of which makes a plan fit that does not, the smallest
// first.
func (w Wish) instead(ctx context.Context, ev Accountant, p *Plan) []string {
	type change struct {
		factor float64 // how far from what was asked
		says   string
	}
	var list []change
	if eps := p.epsilon(); !math.IsInf(eps, 1) {
		list = append(list, change{eps / w.Epsilon, fmt.Sprintf("a budget of ε = %s instead of %s", report.Upper(eps), report.Short(w.Epsilon))})
	}
	if w.Exact > 0 {
		free := w
		free.Exact = 0
		if q, err := free.best(ctx, ev, bare(p.Scenario)); err == nil && q.Fits {
			list = append(list, change{q.Error / w.Exact, fmt.Sprintf("an error of ±%s instead of ±%s", report.Upper(q.Error), report.Short(w.Exact))})
		}
	}
	if w.Times > 1 {
		r, err := ev.Plan(ctx, p.Scenario, plan.Request{Solve: "count", Entry: 1})
		if err == nil && r.Feasible && r.Value >= 1 {
			list = append(list, change{w.Times / r.Value, fmt.Sprintf("%s releases instead of %s", report.Answered(r), report.Short(w.Times))})
		}
	}
	slices.SortStableFunc(list, func(a, b change) int {
		switch {
		case a.factor < b.factor:
			return -1
		case a.factor > b.factor:
			return 1
		}
		return 0
	})
	var says []string
	for _, c := range list {
		says = append(says, c.says)
	}
	return says
}

// bare is a scenario without its stack.
func bare(s *scenarios.Scenario) *scenarios.Scenario {
	c := *s
	c.Stack = nil
	return &c
}
