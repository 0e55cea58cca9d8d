package plan

import (
	"context"
	"fmt"
	"slices"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/numeral"
	"epsiloscope/scenarios"
)

// cutting makes the limit on the batches of a training the unknown: batches are Poisson
// samples, cut to at most that many records.
func (u *unknown) cutting(s *scenarios.Scenario, e *scenarios.Entry) error {
	m, err := mechanisms.New(e.Mechanism, e.Values)
	if err != nil {
		return err
	}
	training, ok := m.(mechanisms.Batched)
	if !ok {
		return fmt.Errorf("%s has no batches to cut", e.Mechanism)
	}
	u.high, u.start, err = training.LargestBatch(s.Records)
	u.custom = func(s *scenarios.Scenario, x float64) (*scenarios.Scenario, error) {
		c := *s
		c.Stack = slices.Clone(s.Stack)
		e := &c.Stack[u.entry-1]
		e.Disabled, e.Values = false, training.Truncated(e.Values, x)
		return &c, nil
	}
	if err == nil { // not every adjacency has a price for cut batches
		cut, _ := u.custom(s, u.high)
		_, err = scenarios.NewEvaluator().Stack(cut)
	}
	return err
}

// unnoticed is the relative rise of ε that is accepted, over batches that are not cut.
const unnoticed = 1e-3

// harmless finds the smallest limit on the batches that costs next to nothing. Its target is
// not the budget but the cost of batches that are not cut.
func (p *search) harmless(ctx context.Context) (Result, error) {
	p.target.Precision = min(p.target.Precision, unnoticed/10)
	whole := p.at(ctx, p.unknown.high, true)
	if !whole.bound.Finite() {
		return p.report(whole, ""), ctx.Err()
	}
	p.target.Epsilon = whole.bound.Epsilon * (1 + unnoticed)
	found, _, err := p.find(ctx, p.unknown.start, true)
	if err != nil {
		return Result{}, err
	}
	return p.report(found, fmt.Sprintf("ε rises by less than 0.1 %% over batches that are not cut, which cost %s",
		numeral.Format(numeral.RoundUp(whole.bound.Epsilon, 4)))), nil
}
