package plan

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

// RebalanceRequest asks to divide what the locked entries leave of the budget.
type RebalanceRequest struct {
	Locked []int // entries, from 1, that keep their noise
	// Weights replace those of the entries: twice the weight, half the error.
	Weights map[int]float64
	// Errors are the requested 95 % errors, by entry. If there are any, they decide the
	// proportions instead of the weights: every entry named meets its requested error, or
	// all exceed theirs by the same factor.
	Errors map[int]float64
	Keep   bool              // the proportions as they stand, instead of both
	Method accounting.Method // "" for the best

	Precision float64 // as in [Request]
	Digits    int     // of every number that changes; as in [Request]
}

// RebalanceResult is a budget divided anew.
type RebalanceResult struct {
	Scenario *scenarios.Scenario // the scenario with the new noise
	Rule     string              // how the proportions were chosen
	Factor   float64             // on the noise of the proportions; with requested errors, error ÷ requested error
	Result
}

// Rebalance divides what the locked entries leave of the budget over the others, so that every answer has
// the same error in proportion to its typical size, divided by its weight, and then scales their noise
// together until the chosen theorem just meets the budget. Whatever the proportions, the result is on the
// safe side.
//
// An entry without a typical size is taken to be as many times its sensitivity as the others are on
// (geometric) average, so that errors are equal in multiples of the sensitivity if no size is given. Entries
// whose noise is not added to a number keep the proportions they have.
func (ev Planner) Rebalance(ctx context.Context, s *scenarios.Scenario, req RebalanceRequest) (RebalanceResult, error) {
	free, err := freeEntries(s, req.Locked)
	if err != nil {
		return RebalanceResult{}, err
	}
	shaped, rule, err := proportions(ctx, s, free, req)
	if err != nil {
		return RebalanceResult{}, err
	}
	ask := Request{Solve: "scale", Method: req.Method, Precision: req.Precision, Digits: req.Digits}
	u, err := newUnknown(shaped, ask)
	if err != nil {
		return RebalanceResult{}, err
	}
	u.digits, u.put = 8, func(c *scenarios.Scenario, x float64) error {
		for _, i := range free {
			if err := scaleNoise(c, c.Stack[i:i+1], x, roundToMoreNoise(ask.digits())); err != nil {
				return err
			}
		}
		return nil
	}
	plan, err := ev.plan(ctx, shaped, u, ask)
	if err != nil {
		return RebalanceResult{}, err
	}
	r := RebalanceResult{Rule: rule, Factor: plan.Value, Result: plan, Scenario: s}
	if !plan.Feasible {
		if len(req.Locked) > 0 {
			r.Note = "the locked entries leave too little: " + plan.Note
		}
		return r, nil
	}
	r.Scenario, err = u.scenarioAt(shaped, plan.Value)
	return r, err
}

// freeEntries returns the indices, from 0, of the entries whose noise may change.
func freeEntries(s *scenarios.Scenario, locked []int) ([]int, error) {
	for _, n := range locked {
		if n < 1 || n > len(s.Stack) {
			return nil, fmt.Errorf("there is no entry %d to lock; the stack has %s", n, numeral.Plural(len(s.Stack), "entry", "entries"))
		}
	}
	var free []int
	for i, e := range s.Stack {
		if !e.Disabled && !slices.Contains(locked, i+1) {
			free = append(free, i)
		}
	}
	if len(free) == 0 {
		return nil, errors.New("every entry is locked: there is nothing to divide the rest over")
	}
	return free, nil
}

// proportions gives the free entries their noise relative to each other, and says by
// what rule.
func proportions(ctx context.Context, s *scenarios.Scenario, free []int,
	req RebalanceRequest) (shaped *scenarios.Scenario, rule string, err error) {
	c := s.Copy()
	if req.Keep {
		return c, "the proportions as they stand", nil
	}
	if len(req.Errors) > 0 {
		for _, i := range free {
			wish, ok := req.Errors[i+1]
			if !ok {
				continue
			}
			with, err := WithError(ctx, s, i+1, wish)
			if err != nil {
				return nil, "", err
			}
			c.Stack[i] = with.Stack[i]
		}
		return c, "95 % errors in the proportions wished for", nil
	}
	rule, err = equalErrors(c, free, req.Weights)
	return c, rule, err
}

// equalErrors gives the free entries of a scenario the same 95 % error in proportion to the size of their
// answers and the reciprocal of their weights. The geometric mean of the noise stays, so that the common
// factor starts near 1.
func equalErrors(s *scenarios.Scenario, free []int, weights map[int]float64) (rule string, err error) {
	var known []int
	var wanted []float64
	shift, multiple, sized, weighed := 0.0, 0.0, 0, false
	for _, i := range free {
		e := &s.Stack[i]
		w, ok := weights[i+1]
		if !ok {
			w = cmp.Or(e.Weight, 1)
		}
		if !(w > 0) || math.IsInf(w, 1) {
			return "", fmt.Errorf("the weight of entry %d must be greater than 0, got %s", i+1, numeral.Format(w))
		}
		noise, ok := spread(s, e)
		if !ok {
			continue
		}
		now, err := errorOf(s, e)
		if err != nil {
			continue
		}
		if e.Typical > 0 {
			multiple, sized = multiple+math.Log(e.Typical/noise.Sensitivity), sized+1
		}
		weighed = weighed || w != 1
		known, wanted = append(known, i), append(wanted, noise.Sensitivity/w/now)
	}
	if len(known) == 0 {
		return "the proportions the entries have, scaled together", nil
	}
	for n, i := range known {
		if noise, _ := spread(s, &s.Stack[i]); s.Stack[i].Typical > 0 {
			wanted[n] *= s.Stack[i].Typical / noise.Sensitivity
		} else {
			wanted[n] *= math.Exp(multiple / float64(max(1, sized)))
		}
		shift += math.Log(wanted[n]) / float64(len(known))
	}
	for n, i := range known {
		if err := scaleEntry(s, &s.Stack[i], wanted[n]*math.Exp(-shift), nil); err != nil {
			return "", err
		}
	}
	rule = "95 % errors equal in multiples of Δ"
	if sized > 0 {
		rule = "95 % errors in proportion to the typical sizes"
	}
	if weighed {
		rule += ", divided by the weights"
	}
	if len(known) < len(free) {
		rule += "; releases without added noise keep their proportions"
	}
	return rule, nil
}

// spread returns the noise of an entry whose optimum is known; false if it has no variance, or no ρ.
func spread(s *scenarios.Scenario, e *scenarios.Entry) (mechanisms.Spread, bool) {
	if e.Parallel != nil {
		return mechanisms.Spread{}, false
	}
	m, err := s.Mechanism(e)
	a, ok := m.(mechanisms.Additive)
	if err != nil || !ok {
		return mechanisms.Spread{}, false
	}
	noise := a.Spread()
	return noise, noise.Price > 0
}
