package guide

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/report"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
)

// Change is a change that makes a scenario meet its budget. Its number has few digits and
// is on the safe side: typed in as it is written, the scenario fits.
type Change struct {
	plan.Result         // Solve is "budget" where the budget becomes Value
	Factor      float64 // ratio of the new value to the present one, or its inverse, at least 1
	Says        string  // "a budget of ε = 4.1 instead of 3"
}

// Apply makes the change in the scenario given, which it changes in place.
func (c Change) Apply(s *scenarios.Scenario) error {
	if c.Solve == "budget" {
		s.Budget.Epsilon = c.Value
		return nil
	}
	return c.Result.Apply(s)
}

// longStack is the longest stack whose entries are tried one by one.
const longStack = 8

// Changes lists single changes each of which makes a scenario that is over its budget meet
// it, the smallest first: a larger budget, fewer releases, more noise in one entry or in all.
// The method is the theorem to go by, "" for the best. There are none where the budget is met.
func Changes(ctx context.Context, ev Planner, s *scenarios.Scenario, m accounting.Method) ([]Change, error) {
	r, err := ev.Evaluate(ctx, s, scenarios.Options{})
	if err != nil {
		return nil, err
	}
	best := r.Best
	if m != "" {
		best = slices.IndexFunc(r.Bounds, func(b accounting.Bound) bool { return b.Method == m })
	}
	budget := s.Budget.Epsilon
	if best >= 0 && report.Fits(r.Bounds[best], budget) {
		return nil, nil
	}
	var list []Change
	if best >= 0 && r.Bounds[best].Finite() && r.Bounds[best].Status == accounting.Valid {
		b := r.Bounds[best]
		if x, err := numeral.Parse(report.Upper(b.Epsilon)); err == nil && x >= b.Epsilon {
			list = append(list, Change{plan.Result{Solve: "budget", Value: x, Method: b.Method, Feasible: true}, x / budget,
				fmt.Sprintf("a budget of ε = %s instead of %s", report.Upper(b.Epsilon), report.FormatGiven(budget))})
		}
	}
	var asks []plan.Request
	if len(s.Stack) <= longStack {
		for i, e := range s.Stack {
			for _, name := range plan.SolvableFor(e) {
				if was, stated := plan.CurrentValue(s, name, i+1); stated && !e.Disabled && canChange(name, was) {
					asks = append(asks, plan.Request{Solve: name, Entry: i + 1})
				}
			}
		}
	}
	if len(s.Stack) > 1 {
		asks = append(asks, plan.Request{Solve: "scale"})
	}
	if s.Rounds > 1 {
		asks = append(asks, plan.Request{Solve: "rounds"})
	}
	least := map[string]Change{} // by sort of change
	for _, ask := range asks {
		ask.Method, ask.Digits = m, report.PlanDigits
		p, err := ev.Plan(ctx, s, ask)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil || !p.Feasible || !(p.Value > 0) || math.IsInf(p.Value, 0) {
			continue
		}
		c := asChange(s, p)
		sort := map[string]string{"steps": "count", "rounds": "count", "sigma": "epsilon"}[p.Solve]
		if sort = cmp.Or(sort, p.Solve); least[sort].Says == "" || c.Factor < least[sort].Factor {
			least[sort] = c
		}
	}
	for _, c := range least {
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b Change) int {
		return cmp.Or(cmp.Compare(a.Factor, b.Factor), cmp.Compare(a.Says, b.Says))
	})
	return list, nil
}

// canChange reports whether a change of this unknown may be offered.
func canChange(solve string, now float64) bool {
	switch solve {
	case "epsilon", "sigma", "steps":
		return true
	}
	return solve == "count" && now > 1
}

// asChange returns a plan's answer as a change of the present value.
func asChange(s *scenarios.Scenario, p plan.Result) Change {
	was, _ := plan.CurrentValue(s, p.Solve, p.Entry)
	c := Change{Result: p, Factor: p.Value / was}
	if p.LargerIsBetter() {
		c.Factor = was / p.Value
	}
	what := cmp.Or(report.UnknownSymbol(s, p.Solve, p.Entry), map[string]string{"count": "releases"}[p.Solve], p.Solve)
	switch p.Solve {
	case "scale":
		c.Says = report.PlanValue(p) + " times the noise in every entry"
		return c
	case "epsilon", "sigma":
		c.Says = fmt.Sprintf("%s = %s instead of %s", what, report.PlanValue(p), report.Short(was))
	default:
		c.Says = fmt.Sprintf("%s %s instead of %s", report.PlanValue(p), what, report.Short(was))
	}
	if p.Entry > 0 && len(s.Stack) > 1 {
		c.Says += " in “" + report.EntryName(s.Stack[p.Entry-1]) + "”"
	}
	return c
}

// ChangesText joins changes to a sentence; "" if there are none.
func ChangesText(list []Change) string {
	if len(list) == 0 {
		return ""
	}
	words := "this would make it fit: " + list[0].Says
	if len(list) > 1 {
		words = "any one of these would make it fit: " + list[0].Says
	}
	for _, c := range list[1:] {
		words += "; " + c.Says
	}
	return words
}
