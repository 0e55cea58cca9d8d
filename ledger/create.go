package ledger

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"epsiloscope/accounting"
	"epsiloscope/accounting/adaptive"
	"epsiloscope/accounting/numeral"
	"epsiloscope/scenarios"
)

// planPrecision is the relative width at which the numerical bound of a plan is verified.
const planPrecision = 1e-3

// Create opens a new ledger with its first record. plan and rungs are for the fixed-plan filter; its ε may be left out
// and is then computed from the plan.
func (f *Stored) Create(ctx context.Context, open Record, plan *scenarios.Scenario, rungs int) (*Ledger, error) {
	promise := *open.Promise
	switch {
	case open.Unit == "":
		return nil, errors.New("a ledger needs a unit: whose data one record is")
	case open.Follows != "" && !isHead(open.Follows):
		return nil, notHeadError(open.Follows)
	case len(promise.Quotas) > 0 && (promise.Blocks != "" || promise.Window != ""):
		return nil, errors.New("quotas are kept for the whole ledger, not by block or window")
	case promise.Window != "" && promise.Filter == adaptive.Plan:
		return nil, errors.New("a plan is spent once: it has no window")
	}
	l := newLedger(f.Path)
	l.Open = open
	filter, err := l.settlePromise(ctx, &promise, plan, rungs)
	if err != nil {
		return nil, err
	}
	promise.Budget = amounts(filter, adaptive.Cost{Parts: []*big.Int{filter.Budget()}})
	session, err := f.store.Create()
	if err != nil {
		return nil, err
	}
	defer session.Close()
	if open.Home, err = session.Settle(); err != nil {
		return nil, err
	}
	open.Kind, open.Promise, l.Open = KindOpen, &promise, Record{}
	if err := f.withClock(f.clockOf(session)).append(session, l, open); err != nil {
		return nil, err
	}
	return l, nil
}

// settlePromise fills in the parts of a promise that follow from the others and from the plan, and returns its
// filter. It writes nothing to the file.
func (l *Ledger) settlePromise(ctx context.Context, promise *Promise, plan *scenarios.Scenario,
	rungs int) (adaptive.Filter, error) {
	terms, wrong := promise.terms()
	if err := l.settlePlan(ctx, promise, &terms, plan, rungs); err != nil {
		return nil, err
	}
	if terms.Filter == adaptive.Mixture { // stored, so that other defaults cannot price it again
		orders, weights, err := terms.MixtureOrders()
		if err != nil {
			return nil, err
		}
		terms.Orders, terms.Weights = orders, weights
		promise.Orders, promise.Weights = formatNumbers(orders), formatNumbers(weights)
	}
	filter, err := adaptive.New(terms)
	if err == nil {
		err = wrong
	}
	return filter, err
}

// planPrecisions are the relative widths at which the numerical bound of a plan is computed:
// that of every evaluation, then a finer one if the upper end of the first exceeds the promised
// ε. A plan that was solved to just meet a budget has no margin for the width.
var planPrecisions = []float64{0, 1e-5}

// settlePlan fills in what follows from a plan: its request, the ε of each rung, and the ε of the promise if none was
// given.
func (l *Ledger) settlePlan(ctx context.Context, p *Promise, t *adaptive.Promise, plan *scenarios.Scenario,
	rungs int) (err error) {
	switch {
	case (plan != nil) != (p.Filter == adaptive.Plan):
		return errors.New("the filter plan needs a plan, and no other filter has one")
	case plan == nil && rungs > 1:
		return errors.New("only a plan has rungs")
	case plan == nil:
		return nil
	}
	if err := l.checkSubject(plan); err != nil {
		return fmt.Errorf("the plan: %w", err)
	}
	if t.Plan, err = scenarios.Stack(plan); err != nil {
		return err
	}
	for _, precision := range planPrecisions {
		bounds, err := adaptive.RungBounds(ctx, t.Plan, t.Delta, max(1, rungs), precision)
		if err != nil {
			return err
		}
		if t.Rungs = adaptive.Rungs(bounds); t.Epsilon == 0 ||
			t.Rungs[len(t.Rungs)-1] <= accounting.BudgetLimit(t.Epsilon) {
			break
		}
	}
	if t.Epsilon == 0 {
		t.Epsilon = t.Rungs[len(t.Rungs)-1]
		p.Epsilon = numeral.Format(t.Epsilon)
	}
	p.Rungs = formatNumbers(t.Rungs)
	request, err := newRequest(plan)
	p.Plan = &request
	return err
}
