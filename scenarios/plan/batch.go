package plan

import (
	"context"
	"fmt"

	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

// truncatedTraining returns the training of an entry whose batches are Poisson samples cut to a maximal size,
// and sets the range of that size and the start of the search.
func (u *unknown) truncatedTraining(s *scenarios.Scenario, e scenarios.Entry) (mechanisms.Batched, error) {
	m, err := mechanisms.New(e.Mechanism, e.Values)
	training, ok := m.(mechanisms.Batched)
	switch {
	case err != nil:
	case !ok:
		err = fmt.Errorf("%s has no batches to cut", e.Mechanism)
	default:
		u.high, u.start, err = training.LargestBatch(s.Records)
	}
	return training, err
}

// acceptedRise is the relative rise of ε that is accepted, over batches that are not cut.
const acceptedRise = 1e-3

// solveMaxBatch finds the smallest limit on the batches that costs next to nothing. Its target is
// not the budget but the cost of batches that are not cut.
func (p *search) solveMaxBatch(ctx context.Context) (Result, error) {
	p.target.Precision = min(p.target.Precision, acceptedRise/10)
	whole := p.trialAt(ctx, p.unknown.high, true)
	if !whole.bound.Finite() {
		return p.report(whole, ""), ctx.Err()
	}
	p.target.Epsilon = whole.bound.Epsilon * (1 + acceptedRise)
	found, _, err := p.find(ctx, p.unknown.start, true)
	if err != nil {
		return Result{}, err
	}
	return p.report(found, fmt.Sprintf("ε rises by less than 0.1 %% over batches that are not cut, which cost %s",
		numeral.Format(numeral.RoundUp(whole.bound.Epsilon, 4)))), nil
}
