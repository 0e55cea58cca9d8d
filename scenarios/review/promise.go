package review

import (
	"context"

	"epsiloscope/scenarios"
)

// OfPromise reviews what a ledger with a fixed plan would promise for a unit: an ε, or the plan's own if it is 0. It
// returns nil where the plan has no ε of its own; the filter then says why it cannot be promised.
func OfPromise(ctx context.Context, plan *scenarios.Scenario, unit string, epsilon, delta float64) (*Review, error) {
	s := plan.Clone()
	s.Unit, s.Expect = unit, nil
	claim := Claim{Epsilon: epsilon, Delta: delta, From: "--epsilon"}
	if epsilon == 0 {
		s.Budget = scenarios.Budget{Delta: delta}
		r, err := scenarios.Evaluate(ctx, s, scenarios.Options{})
		if err != nil || r.Best < 0 {
			return nil, err
		}
		claim = Claim{Epsilon: r.BestBound().Epsilon, Delta: delta, From: "the plan's own"}
	}
	return Quick(ctx, s, nil, Options{Claim: &claim})
}

// Refuses reports whether a promise must not be made: a fault was found. Questions that are open do not keep a ledger
// from being opened.
func (r *Review) Refuses() bool { return !r.Verdict.Holds() && r.Verdict != NotDecided }
