package plan

import (
	"context"
	"fmt"

	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

// truncatedTraining returns the training of an entry with truncated Poisson batches, and sets the range of the unknown
// maximal size and the start of the search.
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

// acceptedRise is the relative rise of ε over that of batches without a maximal size that [search.solveMaxBatch]
// accepts.
const acceptedRise = 1e-3

// solveMaxBatch finds the smallest maximal size of the batches that raises ε by at most acceptedRise. Its target is
// the cost without a maximal size, not the budget.
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
