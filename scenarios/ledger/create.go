package ledger

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"epsiloscope/accounting/adaptive"
	"epsiloscope/mechanisms"
)

// planPrecision is the relative width of the numerical bound of a plan.
const planPrecision = 1e-3

// Create opens a new ledger. A plan's ε may be left at 0: then it is the plan's own.
func (f *File) Create(ctx context.Context, t Terms, data, unit string, adjacency mechanisms.Adjacency, rungs int, follows string) (*Ledger, error) {
	if unit == "" {
		return nil, errors.New("a ledger needs a unit: whose data one record is")
	}
	if len(t.Quotas) > 0 && (t.Blocks != "" || t.Window > 0) {
		return nil, errors.New("quotas are kept for the whole ledger, not by block or window")
	}
	if t.Window > 0 && t.Filter == adaptive.Plan {
		return nil, errors.New("a plan is spent once: it has no window")
	}
	l := newLedger(f.Path)
	l.Open = Record{Adjacency: string(adjacency), Unit: unit}
	if err := t.settle(ctx, l, rungs); err != nil {
		return nil, err
	}
	filter, err := adaptive.New(t.Promise)
	if err != nil {
		return nil, err
	}
	promise, err := t.write(filter)
	if err != nil {
		return nil, err
	}
	file, err := f.open(f.Path, os.O_RDWR|os.O_CREATE|os.O_EXCL|os.O_APPEND)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	l.Open = Record{}
	r := Record{Kind: KindOpen, Data: data, Unit: unit, Adjacency: string(adjacency), Promise: &promise, Follows: follows}
	if err := f.append(file, l, r); err != nil {
		os.Remove(f.Path) // nothing was promised yet
		return nil, err
	}
	if d, err := os.Open(filepath.Dir(f.Path)); err == nil {
		_ = d.Sync() // not every system syncs folders
		d.Close()
	}
	return l, nil
}

// settle fills in what a plan decides: its tickets, the bound of each book, and the ε
// if none was named.
func (t *Terms) settle(ctx context.Context, l *Ledger, rungs int) error {
	if (t.Plan != nil) != (t.Filter == adaptive.Plan) {
		return errors.New("the filter plan needs a plan, and no other filter has one")
	}
	if t.Plan == nil {
		if rungs > 1 {
			return errors.New("only a plan has rungs")
		}
		return nil
	}
	if err := l.suits(t.Plan); err != nil {
		return fmt.Errorf("the plan: %w", err)
	}
	tickets, err := l.evaluator.Stack(t.Plan)
	if err != nil {
		return err
	}
	books, err := adaptive.Climb(ctx, tickets, t.Delta, max(1, rungs), planPrecision)
	if err != nil {
		return err
	}
	t.Promise.Plan, t.Rungs = tickets, adaptive.Rungs(books)
	if t.Epsilon == 0 {
		t.Epsilon = t.Rungs[len(t.Rungs)-1]
	}
	return nil
}
