package ledger

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"epsiloscope/accounting/adaptive"
	"epsiloscope/accounting/numeral"
)

// Verify replays a ledger: the chain, the sums, every price and every decision. A
// [*BadLine] names the first line that does not hold. head, if not empty, must be the
// hash of a record, or its first digits: then the file contains what was seen then.
func Verify(ctx context.Context, path, head string) (*Ledger, error) {
	f, err := Open(path, LockWait{})
	if err != nil {
		return nil, err
	}
	f.Head = head
	return f.Verify(ctx)
}

// Verify replays the ledger as [Verify] does.
func (f *Stored) Verify(ctx context.Context) (*Ledger, error) {
	if s, ok := f.store.(*ServerStore); ok { // the mirror's lines too
		c, whole := *f, *s
		whole.whole, whole.spare = true, nil
		c.store, f = &whole, &c
	}
	l, err := f.read(newLedger(f.Path))
	if err != nil {
		return l, err
	}
	if err := l.checkTimes(f.clock()); err != nil {
		return l, err
	}
	return l, l.VerifyPlan(ctx)
}

// checkTimes returns the error of the first line whose time is ahead of the clock.
func (l *Ledger) checkTimes(now time.Time) error {
	for _, r := range l.Records {
		if ahead := r.Time().Sub(now); ahead > clockTolerance {
			return &BadLine{Path: l.Path, Line: r.Seq + 1, Reason: fmt.Sprintf("its time %s is %s ahead of this machine's clock", r.At, ahead.Round(time.Second))}
		}
	}
	return nil
}

// TimeJumps lists the longest gaps between the times of two lines if the promise has a window: each of at
// least a tenth of it, no more than five, in the order of the lines. Times are those of the writers, and a window
// returns budget by them. Only heads kept elsewhere show when a line was written.
func (l *Ledger) TimeJumps() []string {
	type jump struct {
		line int
		gap  time.Duration
	}
	var jumps []jump
	for i := 1; i < len(l.Records) && l.Promise.window > 0; i++ {
		if gap := l.Records[i].Time().Sub(l.Records[i-1].Time()); gap >= l.Promise.window/10 {
			jumps = append(jumps, jump{i + 1, gap})
		}
	}
	slices.SortStableFunc(jumps, func(a, b jump) int { return cmp.Compare(b.gap, a.gap) })
	more := max(0, len(jumps)-5)
	jumps = jumps[:len(jumps)-more]
	slices.SortFunc(jumps, func(a, b jump) int { return a.line - b.line })
	var list []string
	for _, j := range jumps {
		list = append(list, fmt.Sprintf("line %d is dated %s after the line before it", j.line, windowText(j.gap)))
	}
	if more > 0 {
		list = append(list, fmt.Sprintf("and %s", numeral.Plural(more, "shorter jump", "shorter jumps")))
	}
	return list
}

// CheckHead refuses a head, or its first digits, that is not in the chain; "" is in every one.
func (l *Ledger) CheckHead(head string) error {
	if head == "" {
		return nil
	}
	if !isHead(head) {
		return notHeadError(head)
	}
	for _, r := range l.Records {
		if strings.HasPrefix(r.Hash, head) {
			return nil
		}
	}
	return &BadLine{Path: l.Path, Line: len(l.Records), Reason: fmt.Sprintf("the head %s is not in this ledger: it was cut back, or is another one", shortHash(head))}
}

func notHeadError(text string) error {
	return fmt.Errorf("%q is not a head: it is the hash that every ledger command prints, 64 hexadecimal digits, or at least the first %d of them", text, headDigits)
}

// headDigits is the smallest number of digits of a head that are printed and accepted: a line whose hash begins with
// eight given digits is found in minutes.
const headDigits = 16

// isHead reports whether a text is a head or its first digits.
func isHead(text string) bool {
	return len(text) >= headDigits && len(text) <= 64 && strings.Trim(text, "0123456789abcdef") == ""
}

// checkCanonical refuses a line whose bytes differ from those that this program would write for its record: a field
// twice, or one that its kind does not have.
func checkCanonical(r Record, line []byte) error {
	again, err := r.seal()
	if err != nil {
		return err
	}
	if !bytes.Equal(bytes.TrimSuffix(again, []byte("\n")), line) {
		return errors.New("it is not in the form this program writes: a field may be repeated")
	}
	return nil
}

// judge repeats the decision that a record states, and returns an error if it comes out otherwise.
func (l *Ledger) judge(r Record, blocks []string, granted bool) error {
	price, err := l.price(r.Request)
	if err != nil {
		return fmt.Errorf("its stack cannot be priced: %w", err)
	}
	if understates(r.Cost.Cost, price, l.Filter) {
		return fmt.Errorf("its cost is below the price of its stack, %s", number(l.Filter, l.Filter.Spent(price)))
	}
	if r.Kind == KindTorn { // the line was torn before the grant was acknowledged
		return wrongGrant(l.checkFits(r.Cost.Cost, blocks))
	}
	if !granted {
		return nil
	}
	if held := l.pendingReservation(); held != "" {
		return fmt.Errorf("it was granted while %s was held", held)
	}
	if r.From != "" { // it was granted before
		return wrongGrant(l.checkFits(r.Cost.Cost, blocks))
	}
	if _, listed := l.Promise.Quotas[r.By]; !listed && l.Promise.Quotas[everyoneElse] == "" {
		return wrongGrant(l.checkFits(r.Cost.Cost, blocks)) // earlier versions granted without a quota
	}
	return wrongGrant(l.admits(r.Cost.Cost, blocks, r.By))
}

func wrongGrant(err error) error {
	if err != nil {
		return fmt.Errorf("it should have been refused: %w", err)
	}
	return nil
}

// price returns the cost of a request. It is cached, because most requests are repeated.
func (l *Ledger) price(r Request) (adaptive.Cost, error) {
	// The key is spelled out, so that the compiler need not copy the stack for looking it up.
	if c, known := l.prices[requestKey{string(r.Rounds), string(r.Group), string(r.Records), string(r.Stack)}]; known {
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

// understates reports whether a recorded cost is below the recomputed price by more than 1e-9 of it, or at all if the
// filter adds up numbers as they were written.
func understates(cost, price adaptive.Cost, filter adaptive.Filter) bool {
	if filter.Describe().Exact {
		return !cost.Covers(price)
	}
	for i, p := range price.Parts {
		slack := new(big.Int).Quo(p, big.NewInt(1e9))
		if slack.Add(slack, cost.Parts[i]).Cmp(p) < 0 {
			return true
		}
	}
	return cost.Failures.Cmp(price.Failures) < 0
}

// VerifyPlan computes the bounds of a fixed plan again: none may lie below the certified
// lower end. It does nothing for another filter.
func (l *Ledger) VerifyPlan(ctx context.Context) error {
	if l.Promise.Plan == nil || l.planVerified {
		return nil
	}
	bounds, err := adaptive.RungBounds(ctx, l.terms.Plan, l.terms.Delta, len(l.terms.Rungs), planPrecision)
	if err != nil {
		return &BadLine{Path: l.Path, Line: 1, Reason: err.Error()}
	}
	for i, b := range bounds {
		if l.terms.Rungs[i] < b.Lower {
			return &BadLine{Path: l.Path, Line: 1, Reason: fmt.Sprintf("the bound of rung %d is %g, and it costs at least %.6g", i+1, l.terms.Rungs[i], b.Lower)}
		}
	}
	l.planVerified = true
	return nil
}
