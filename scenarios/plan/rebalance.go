package plan

import (
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
	// Weights say how much an answer's variance matters, by entry; 1 if not given.
	Weights map[int]float64
	// Errors are wished 95 % errors, by entry. Where there are any they decide the
	// proportions instead of the weights: every entry named meets its wish, or misses
	// it by the same factor.
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
	Factor   float64             // on the noise of the proportions; with wishes, how far they are missed
	Result
}

// Rebalance divides what the locked entries leave of the budget over the others, in
// proportions that make the weighted sum of variances small, and then scales their
// noise together until the chosen theorem just meets the budget. Whatever the
// proportions, the result is on the safe side.
//
// Proportions: with Laplace noise under basic composition Σ w·Var is least where
// ε ∝ (wΔ²)^(1/3); under the theorems that add up ρ where ρ ∝ √w·Δ (Gaussian noise
// exactly, Laplace noise for small ε). Entries whose noise has no variance to weigh
// keep the proportions they have.
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
			if err := scaleNoise(c.Stack[i:i+1], x, noisier(ask.digits())); err != nil {
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

// freeEntries returns the places, from 0, of what may change.
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
func proportions(ctx context.Context, s *scenarios.Scenario, free []int, req RebalanceRequest) (shaped *scenarios.Scenario, rule string, err error) {
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
			with, err := WithError(ctx, s, i+1, wish, false)
			if err != nil {
				return nil, "", err
			}
			c.Stack[i] = with.Stack[i]
		}
		return c, "95 % errors in the proportions wished for", nil
	}
	rule, err = leastVariance(c.Stack, free, req.Weights, req.Method == accounting.Basic)
	return c, rule, err
}

// leastVariance puts the noise of each free entry at the optimum for a common price;
// that price is then lowered or raised by the common factor. The geometric mean of the
// noise stays, so that the factor starts near 1.
func leastVariance(stack []scenarios.Entry, free []int, weights map[int]float64, pure bool) (rule string, err error) {
	var known []int
	var wanted []float64
	shift := 0.0
	for _, i := range free {
		w, ok := weights[i+1]
		if !ok {
			w = 1
		}
		if !(w > 0) || math.IsInf(w, 1) {
			return "", fmt.Errorf("the weight of entry %d must be greater than 0, got %s", i+1, numeral.Format(w))
		}
		noise, ok := spread(&stack[i])
		if !ok {
			continue
		}
		factor := optimalDeviation(w, noise, pure) / noise.Deviation
		known, wanted = append(known, i), append(wanted, factor)
		shift += math.Log(factor)
	}
	if len(known) == 0 {
		return "the proportions the entries have, scaled together", nil
	}
	shift /= float64(len(known))
	for n, i := range known {
		if err := scaleEntry(&stack[i], wanted[n]*math.Exp(-shift), nil); err != nil {
			return "", err
		}
	}
	rule = "ρ ∝ √w·Δ, which makes Σ w·Var least where ρ adds up"
	if pure {
		rule = "ε ∝ (w·Δ²)^(1/3), which makes Σ w·Var least where ε adds up"
	}
	if len(known) < len(free) {
		rule += "; entries without a variance keep their proportions"
	}
	return rule, nil
}

// spread returns the noise of an entry whose optimum is known; false if it has no variance, or no ρ.
func spread(e *scenarios.Entry) (mechanisms.Spread, bool) {
	a, ok := mechanisms.BuildAs[mechanisms.Additive](e.Mechanism, e.Values)
	if !ok || e.Parallel != nil {
		return mechanisms.Spread{}, false
	}
	s := a.Spread()
	return s, s.Price > 0
}

// optimalDeviation returns, up to a common factor, the standard deviation that minimises w·Var +
// price. If ε adds up the price is √2Δ/deviation for Laplace noise (for Gaussian noise
// c·Δ/deviation; its c depends on δ and is taken as √2 too). If ρ adds up it is the mechanism's
// own, over Var.
func optimalDeviation(weight float64, noise mechanisms.Spread, pure bool) float64 {
	if pure {
		return math.Cbrt(noise.Sensitivity / weight)
	}
	return math.Sqrt(math.Sqrt(noise.Price/weight) * noise.Sensitivity)
}
