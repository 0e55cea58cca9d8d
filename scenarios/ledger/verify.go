package ledger

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"epsiloscope/accounting/adaptive"
)

// Verify replays a ledger: the chain, the sums, every price and every decision. A
// [*BadLine] names the first line that does not hold. head, if not empty, must be the
// hash of a record, or its first digits: then the file contains what was seen then.
func Verify(ctx context.Context, path, head string) (*Ledger, error) {
	l := newLedger(path)
	l.strict = true
	l, err := l.read()
	if err != nil {
		return l, err
	}
	if err := l.verifyPlan(ctx); err != nil {
		return l, &BadLine{Path: path, Line: 1, Reason: err.Error()}
	}
	return l, l.contains(head)
}

// contains checks that a head somebody kept is in the chain.
func (l *Ledger) contains(head string) error {
	if head == "" {
		return nil
	}
	if len(head) < 8 {
		return errors.New("a head needs at least its first 8 digits")
	}
	for _, r := range l.Records {
		if strings.HasPrefix(r.Hash, head) || r.From != "" && strings.HasPrefix(r.From, head) {
			return nil
		}
	}
	return &BadLine{Path: l.Path, Line: len(l.Records), Reason: fmt.Sprintf("the head %s is not in this ledger: it was cut back, or is another one", short(head))}
}

// canonical refuses a line that says its record in other bytes than this program
// would: a field twice, or one that does not belong to it.
func canonical(r Record, line []byte) error {
	again, err := r.sealed()
	if err != nil {
		return err
	}
	if !bytes.Equal(bytes.TrimSuffix(again, []byte("\n")), line) {
		return errors.New("it is not written as this program writes it: a field may stand there twice")
	}
	return nil
}

// judge decides once more what a record says was decided.
func (l *Ledger) judge(r Record, blocks []string, granted bool) error {
	a := &Answer{Cost: r.Cost.Cost, accounts: blocks, by: r.By}
	filter := l.amended
	if r.From != "" { // granted on a branch that need not have been amended
		filter = l.Filter
	}
	if r.Kind == KindTorn { // it was granted, though nobody was told
		return shouldFit(l.fits(filter, a, big.NewInt(1)))
	}
	price, err := l.price(r.Request)
	if err != nil {
		return fmt.Errorf("its stack cannot be priced: %w", err)
	}
	if understates(r.Cost.Cost, price) {
		return fmt.Errorf("its cost is below the price of its stack, %s", number(l.Filter, l.Filter.Spent(price)))
	}
	if !granted {
		return nil
	}
	if held := l.pendingReservation(); held != "" {
		return fmt.Errorf("it was granted while %s was held", held)
	}
	if r.From != "" { // a merge does not look at quotas
		return shouldFit(l.fits(filter, a, big.NewInt(1)))
	}
	return shouldFit(l.admits(a, big.NewInt(1)))
}

func shouldFit(err error) error {
	if err != nil {
		return fmt.Errorf("it should have been refused: %w", err)
	}
	return nil
}

// price is what a request costs, remembered: most requests come again and again.
func (l *Ledger) price(r Request) (adaptive.Cost, error) {
	if c, known := l.prices[r.key()]; known {
		return c, nil
	}
	entries, err := l.Entries(r)
	if err != nil {
		return adaptive.Cost{}, err
	}
	c, err := l.Filter.Price(entries)
	if err == nil {
		l.prices[r.key()] = c
	}
	return c, err
}

// understates reports whether a recorded cost is less than a price by more than another
// version's last digits.
func understates(cost, price adaptive.Cost) bool {
	for i, p := range price.Parts {
		slack := new(big.Int).Quo(p, big.NewInt(1e9))
		if new(big.Int).Add(cost.Parts[i], slack).Cmp(p) < 0 {
			return true
		}
	}
	return cost.Failures.Cmp(price.Failures) < 0
}

// verifyPlan computes the bounds of a plan again: none may lie below the certified
// lower end.
func (l *Ledger) verifyPlan(ctx context.Context) error {
	if l.Promise.Plan == nil {
		return nil
	}
	books, err := adaptive.RungBounds(ctx, l.terms.Plan, l.terms.Delta, len(l.terms.Rungs), planPrecision)
	if err != nil {
		return err
	}
	for i, b := range books {
		if l.terms.Rungs[i] < b.Lower {
			return fmt.Errorf("the bound of book %d is %g, and it costs at least %.6g", i+1, l.terms.Rungs[i], b.Lower)
		}
	}
	return nil
}
