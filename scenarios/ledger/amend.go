package ledger

import (
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"time"

	"epsiloscope/accounting/adaptive"
	"epsiloscope/mechanisms/numeral"
)

// Amend lowers the ε at which the ledger refuses. It may only tighten, and what is
// spent must still fit. The promise to quote stays the one the ledger was opened with:
// the decision to stop earlier may have been taken by looking.
func (f *File) Amend(epsilon float64, reason string) (*Ledger, error) {
	return f.change(func(l *Ledger, _ time.Time) ([]Record, error) {
		p := l.Promise
		p.Epsilon, p.Budget = numeral.Format(epsilon), nil
		t, err := p.terms()
		if err != nil {
			return nil, err
		}
		if l.Filter.About().Kind == adaptive.Plan {
			return nil, errors.New("a plan cannot be amended: leave its tickets unspent")
		}
		filter, err := adaptive.New(t)
		if err != nil {
			return nil, err
		}
		p.Budget = amounts(filter, adaptive.Cost{Parts: []*big.Int{filter.Budget()}})
		return []Record{{Kind: KindAmend, Promise: &p, Reason: reason}}, nil
	})
}

func (l *Ledger) replayAmend(r Record) error {
	if r.Promise == nil || r.Reason == "" {
		return errors.New("an amendment needs a promise and a reason")
	}
	same := *r.Promise
	same.Epsilon, same.Budget = l.Promise.Epsilon, l.Promise.Budget
	if !same.equal(l.Promise) {
		return errors.New("an amendment may change ε and nothing else; open a new ledger that names this one's head")
	}
	f, terms, err := l.filter(r.Promise)
	if err != nil {
		return err
	}
	if was, _ := strconv.ParseFloat(l.Epsilon(), 64); r.Promise.Epsilon == "" || !(terms.Epsilon < was) {
		return fmt.Errorf("an amendment may only tighten: ε %s is not below %s", r.Promise.Epsilon, l.Epsilon())
	}
	for block := range l.accounts {
		if err := f.Fits(l.total(block)); err != nil {
			return fmt.Errorf("what is spent does not fit any more: %w", err)
		}
	}
	l.amended = f
	return nil
}

// Epsilon is the ε at which the ledger refuses now.
func (l *Ledger) Epsilon() string {
	for i := len(l.Records) - 1; i > 0; i-- {
		if l.Records[i].Kind == KindAmend {
			return l.Records[i].Promise.Epsilon
		}
	}
	return l.Promise.Epsilon
}
