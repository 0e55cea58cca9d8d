package guide

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"epsiloscope/report"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
)

// propose builds one stack of all releases. A release with a requested error gets the noise that gives this
// error. The others share the rest of the budget: each gets the noise at which all would cost the same by
// themselves, and the noise of all is scaled together until the budget is just met.
func (w Wish) propose(ctx context.Context, ev Planner, s *scenarios.Scenario) (*Proposal, error) {
	n := len(w.Releases)
	if n == 1 {
		return w.Releases[0].bestProposal(ctx, ev, s)
	}
	share := w.Epsilon / math.Sqrt(float64(n)) // near where the scaling ends
	stack, locked, chose, err := w.stack(ctx, ev, s, share)
	if err != nil {
		return nil, err
	}
	whole := *s
	whole.Stack = stack
	if len(locked) == n {
		return evaluateProposal(ctx, ev, &whole, chose)
	}
	ask := plan.RebalanceRequest{Locked: locked, Keep: true, Digits: report.PlanDigits}
	divided, err := plan.New().Rebalance(ctx, &whole, ask)
	if err == nil && divided.Feasible && math.Abs(divided.Factor-1) > 0.05 { // much scaling makes the shares unequal
		if whole.Stack, _, chose, err = w.stack(ctx, ev, s, share/divided.Factor); err == nil {
			divided, err = plan.New().Rebalance(ctx, &whole, ask)
		}
	}
	if err != nil {
		return nil, err
	}
	switch {
	case len(locked) == 0:
		chose = append(chose, fmt.Sprintf("equal shares of the budget for the %d releases", n))
	case n-len(locked) == 1:
		chose = append(chose, "all that the noise asked for leaves of the budget for the other release")
	default:
		chose = append(chose, fmt.Sprintf("equal shares of what the noise asked for leaves for the other %d releases", n-len(locked)))
	}
	return evaluateProposal(ctx, ev, divided.Scenario, chose)
}

// stack returns one entry per release: those whose error is given are locked, every other one
// costs the share by itself.
func (w Wish) stack(ctx context.Context, ev Planner, s *scenarios.Scenario, share float64) (stack []scenarios.Entry,
	locked []int, chose []string, err error) {
	alone := *s
	alone.Budget.Epsilon = share
	for i, r := range w.Releases {
		one, err := r.bestProposal(ctx, ev, &alone)
		if err != nil {
			return nil, nil, nil, err
		}
		e := one.Scenario.Stack[0]
		e.Label = w.label(i, e.Label)
		stack = append(stack, e)
		chose = append(chose, "“"+e.Label+"”: "+one.Choices[0])
		if r.hasFixedNoise() {
			locked = append(locked, i+1)
		}
	}
	return stack, locked, chose, nil
}

// label returns a label that distinguishes releases of the same kind.
func (w Wish) label(i int, kind string) string {
	number := 1
	for _, r := range w.Releases[:i] {
		if r.Kind == w.Releases[i].Kind {
			number++
		}
	}
	if number == 1 {
		return kind
	}
	return fmt.Sprintf("%s %d", kind, number)
}

// kinds names what is released, each kind once.
func (w Wish) kinds() string {
	var list []string
	for _, r := range w.Releases {
		if !slices.Contains(list, r.Kind) {
			list = append(list, r.Kind)
		}
	}
	if n := len(list); n > 1 {
		return strings.Join(list[:n-1], ", ") + " and " + list[n-1]
	}
	return strings.Join(list, "")
}

// Description returns what a plan for the wish is, without a number: numbers change later, and the stack has them.
func (w Wish) Description(p *Proposal) string {
	var list []string
	for i, r := range w.Releases {
		if words := r.Kind + " by " + p.Scenario.Stack[i].Spec().Title; !slices.Contains(list, words) {
			list = append(list, words)
		}
	}
	text := "Planned from a few questions: " + strings.Join(list, ", ") + "."
	free := slices.ContainsFunc(w.Releases, func(r Release) bool { return !r.hasFixedNoise() })
	fixed := slices.ContainsFunc(w.Releases, Release.hasFixedNoise)
	switch {
	case len(w.Releases) > 1 && free && fixed:
		text += " Releases whose error or noise was given keep it; the others share equally what is left of the budget."
	case len(w.Releases) > 1 && free:
		text += " The releases share the budget equally."
	}
	return text
}

// alternatives lists single changes, smallest first, each of which makes the plan fit its budget; if an error
// was asked for, in terms of that error.
func (w Wish) alternatives(ctx context.Context, ev Planner, p *Proposal) []string {
	changes, err := Changes(ctx, ev, p.Scenario, "")
	if err != nil {
		return nil
	}
	var says []string
	for _, c := range changes {
		words := c.Says
		if i := c.Entry - 1; (c.Solve == "sigma" || c.Solve == "epsilon") && i >= 0 && w.Releases[i].hasGivenError() {
			words = fmt.Sprintf("an error of ±%s instead of ±%s", report.Upper(report.PlanError(p.Scenario, c.Result)),
				report.Short(w.Releases[i].Exact))
			if len(w.Releases) > 1 {
				words += " in “" + p.Scenario.Stack[i].Label + "”"
			}
		}
		says = append(says, words)
	}
	return says
}
