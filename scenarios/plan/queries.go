package plan

import (
	"context"
	"errors"
	"math"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
)

// QueriesLeft returns how many more copies of an entry (from 1) fit the budget by the given method ("" for the best
// closed form, and for the certified curve too if the budget limits a harm). It is a whole number, 0 if the budget is
// exceeded already, +Inf if they cost nothing. It is never more than the largest count that a scenario may have.
func (ev Planner) QueriesLeft(ctx context.Context, s *scenarios.Scenario, entry int,
	method accounting.Method) (float64, error) {
	ctx = ev.Context(ctx)
	if !s.Budget.IsSet() {
		return 0, errors.New("there is no budget to spend")
	}
	target, err := s.Target(0)
	if err != nil {
		return 0, err
	}
	u, err := newUnknown(s, Request{Solve: "count", Entry: entry})
	if err != nil {
		return 0, err
	}
	p := &search{scenario: s, target: target, unknown: u, method: method, harm: s.Budget.Harm}
	spent := s.Stack[u.entry-1].Count
	if s.Stack[u.entry-1].Disabled {
		spent, u.start = 0, 1
	}
	numerical := method == "" && p.harm.Kind() != "" // (ε, δ) alone says little about a harm
	now := p.trialAt(ctx, u.start, numerical)
	switch {
	case now.reason != "":
		return 0, errors.New(now.reason)
	case !p.meets(now, p.limit()):
		return 0, nil
	}
	found, _, err := p.find(ctx, p.startValue(ctx), numerical)
	if err != nil {
		return 0, err
	}
	switch {
	case !p.meets(found, p.costLimit()):
		return 0, nil
	case found.value == u.high && p.isFree(ctx):
		return math.Inf(1), nil
	}
	return math.Max(0, found.value-spent), nil
}

// isFree reports whether the entry costs nothing, at δ = 0 too.
func (p *search) isFree(ctx context.Context) bool {
	alone, err := p.unknown.scenarioAt(p.scenario, 1)
	if err != nil {
		return false
	}
	alone.Stack = alone.Stack[p.unknown.entry-1 : p.unknown.entry]
	stack, err := scenarios.Stack(alone)
	return err == nil && accounting.Evaluate(ctx, accounting.Basic, stack, accounting.Target{}).Fits(0)
}

// startValue returns the first value to try. A trial of the numerical method is expensive, and its answer
// lies near that of the best closed form.
func (p *search) startValue(ctx context.Context) float64 {
	if p.method == accounting.Numerical && p.harm.Kind() == "" {
		closed := *p
		closed.method, closed.tried = "", nil
		if found, _, err := closed.find(ctx, p.unknown.start, false); err == nil && p.meets(found, p.costLimit()) {
			return found.value
		}
	}
	return p.unknown.start
}
