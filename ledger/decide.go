package ledger

import (
	"cmp"
	"fmt"
	"math/big"
	"strconv"
	"time"

	"epsiloscope/accounting"
	"epsiloscope/accounting/adaptive"
	"epsiloscope/scenarios"
)

// A priced request and the sums of the ledger come in; a grant goes out, or a refusal with its reason.

// Answer is the decision on a request, with the balance of the block that binds.
type Answer struct {
	Balance
	Fits    bool
	Refusal string // why it is refused
	// it is refused whatever it costs: by the clock, a breach, another release that is held, or as it has no price
	Blocked   bool
	Cost      adaptive.Cost
	Asked     *big.Int // nil if the filter has no price for it
	LeftAfter *big.Int // what would be left after it; nil if it does not fit
	Largest   *big.Int // how many copies of the request would fit; nil if there is no end
	// of a request that does not fit: how many of its releases would; nil if they are of several kinds
	FittingReleases *big.Int
	TotalReleases   *big.Int // how many releases it has, if FittingReleases is given
	// Advantage is the certified membership advantage of the request by itself, for information: the filter
	// does not use it. Nil if the caller did not compute it.
	Advantage *float64
	// OtherFilter says which filter grants a refused request more often on a new ledger of the same promise; "" if
	// none does.
	OtherFilter string
	Request     Request
	Blocks      []string // the blocks that it is charged to, by their names in the ledger
	accounts    []string // the same blocks, or "" alone, the one account of a ledger without blocks
	by          string
}

// Numbers returns the numbers that accompany a refusal: spent, held, asked and left, and how
// many copies of the request would fit.
func (a *Answer) Numbers() string {
	asked := "no price for what is"
	if a.Asked != nil {
		asked = a.Upper(a.Asked)
	}
	budget, spent, held, left := a.PrintedAmounts()
	text := fmt.Sprintf("%s spent, %s held, %s asked, %s left of %s", spent, held, asked, left, budget)
	if a.Block != "" {
		text += " in the block " + a.Block
	}
	if a.FittingReleases != nil {
		text += fmt.Sprintf("; %s of its %s releases would fit", a.FittingReleases, a.TotalReleases)
	}
	if a.OtherFilter != "" {
		text += "; " + a.OtherFilter
	}
	return text
}

// Verdict says that a request fits, does not, or is refused whatever it costs, and why.
func (a *Answer) Verdict() string {
	switch {
	case a.Fits:
		return "it fits"
	case a.Blocked:
		return "refused: " + a.Refusal
	}
	return "it does not fit: " + a.Refusal
}

// Ask returns what a scenario would cost now and whether it would be granted. An error means that the request is not
// one for this ledger: about other data, or without a block.
func (l *Ledger) Ask(s *scenarios.Scenario, blocks []string, by string, now time.Time) (*Answer, error) {
	if _, err := scenarios.Stack(s); err != nil {
		return nil, err // with its place in the file, which a request has not
	}
	if err := l.checkSubject(s); err != nil {
		return nil, fmt.Errorf("%s: %w", cmp.Or(s.Source(), "the request"), err)
	}
	request, err := newRequest(s)
	if err != nil {
		return nil, err
	}
	if err := (&Record{By: by, Blocks: blocks}).checkTexts(); err != nil { // it could not be recorded
		return nil, err
	}
	if blocks, err = l.resolveBlocks(blocks); err != nil {
		return nil, err
	}
	accounts, err := l.blocksOf(blocks)
	if err != nil {
		return nil, err
	}
	entries, err := l.Entries(request)
	if err != nil {
		return nil, err
	}
	cost, err := l.price(request)
	if err != nil {
		a := l.decide(&Answer{Request: request, Blocks: blocks, accounts: accounts, by: by}, now)
		a.OtherFilter = l.otherFilter(entries)
		a.Fits, a.Refusal, a.Blocked, a.Asked, a.LeftAfter, a.Largest = false, err.Error(), true, nil, nil, new(big.Int)
		return a, nil
	}
	a := l.decide(&Answer{Cost: cost, Request: request, Blocks: blocks, accounts: accounts, by: by}, now)
	if l.blockedReason(now) == "" && l.checkFits(a.Cost, a.accounts) != nil {
		a.FittingReleases, a.TotalReleases = l.fittingReleases(entries, a)
		a.OtherFilter = l.otherFilter(entries)
	}
	return a, nil
}

// otherFilter words which filter would grant a request more often than this ledger's on a new ledger of the same ε
// and δ; "" if none would. A filter cannot be changed, as the choice could depend on earlier answers.
func (l *Ledger) otherFilter(entries []accounting.Entry) string {
	copies := func(kind adaptive.Kind) *big.Int {
		f, err := adaptive.New(adaptive.Promise{Filter: kind, Epsilon: l.terms.Epsilon, Delta: l.terms.Delta})
		if err != nil {
			return new(big.Int)
		}
		cost, err := f.Price(entries)
		if err != nil {
			return new(big.Int)
		}
		n, bounded := adaptive.LargestFitting(func(n *big.Int) bool { return f.Fits(cost.Times(n)) == nil })
		if !bounded {
			return new(big.Int)
		}
		return n
	}
	best, most := adaptive.Kind(""), new(big.Int)
	for _, kind := range []adaptive.Kind{adaptive.ZCDP, adaptive.Basic, adaptive.GDP} {
		if n := copies(kind); n.Cmp(most) > 0 {
			best, most = kind, n
		}
	}
	// as for training with sampled batches; it takes longest to ask
	if best == "" && l.Promise.Filter != adaptive.Mixture {
		if n := copies(adaptive.Mixture); n.Sign() > 0 {
			best, most = adaptive.Mixture, n
		}
	}
	if best == "" || best == l.Promise.Filter || l.Promise.Filter == adaptive.Plan {
		return ""
	}
	if own := copies(l.Promise.Filter); own.Cmp(most) < 0 {
		return fmt.Sprintf("a new ledger of the same promise would grant %s of it with --filter %s, and %s with --filter %s", most, best, own, l.Promise.Filter)
	}
	return ""
}

// fittingReleases returns how many releases of a request that does not fit would, and how many it has; nil if they
// are of several kinds.
func (l *Ledger) fittingReleases(entries []accounting.Entry, a *Answer) (fitting, total *big.Int) {
	if len(entries) != 1 {
		return nil, nil
	}
	one, err := l.Filter.Price([]accounting.Entry{{Release: entries[0].Release, Count: 1}})
	if err != nil {
		return nil, nil
	}
	total, _ = big.NewFloat(entries[0].Count).Int(nil)
	return l.largest(one, a.accounts, a.by), total
}

// decide fills in the numbers and the verdict.
func (l *Ledger) decide(a *Answer, now time.Time) *Answer {
	l.expire(now)
	a.Balance = l.balance(l.bindingBlock(a.accounts, adaptive.Cost{}))
	before := new(big.Int).Sub(a.Budget, a.Left)
	with := l.Filter.Spent(l.account(a.Block).sum().Plus(a.Cost))
	a.Asked = with.Sub(with, before)
	a.Refusal = l.refusal(a, now)
	a.Fits, a.Blocked = a.Refusal == "", l.blockedReason(now) != ""
	a.Largest = new(big.Int)
	if a.Fits {
		a.Largest, a.LeftAfter = l.largest(a.Cost, a.accounts, a.by), new(big.Int).Sub(a.Left, a.Asked)
	}
	return a
}

// refusal returns why a request cannot be granted, "" if it can.
func (l *Ledger) refusal(a *Answer, now time.Time) string {
	if why := l.blockedReason(now); why != "" {
		return why
	}
	if err := l.admits(a.Cost, a.accounts, a.by); err != nil {
		return err.Error()
	}
	return ""
}

// blockedReason says why no request can be granted now; "" if one can.
func (l *Ledger) blockedReason(now time.Time) string {
	if l.breach != nil {
		return fmt.Sprintf("the promise was broken on line %d; nothing is granted any more", l.breach.Seq+1)
	}
	if why := l.undecidedReason(); why != "" {
		return why
	}
	if held := l.pendingReservation(); held != "" {
		return fmt.Sprintf("%s is still held, and the %s is not proven for concurrent releases; commit it first, or cancel it if the data were never read", held, l.Filter.Describe().Title)
	}
	if why := l.clockSkewReason(now); why != "" {
		return why + ", or open a new ledger with --follows " + shortHash(l.Head()) + ", whose ε adds to this one's"
	}
	return ""
}

// clockSkewReason returns why a record ahead of the clock keeps requests from being granted: times in a ledger are
// those of its writers, and never go back. "" if there is none.
func (l *Ledger) clockSkewReason(now time.Time) string {
	if ahead := l.lastTime().Sub(now); ahead > clockTolerance {
		return fmt.Sprintf("the last record is dated %s, %s ahead of this machine's clock. If this clock is slow, correct it; if the clock that wrote the record was fast, wait",
			l.lastTime().Format(timeLayout), ahead.Round(time.Second))
	}
	return ""
}

// clockTolerance is the largest difference of two clocks.
const clockTolerance = 2 * time.Minute

// checkFits returns an error if a further cost does not fit the filter in one of the accounts that it is charged to.
func (l *Ledger) checkFits(cost adaptive.Cost, accounts []string) error {
	failures := l.failuresOf(cost, accounts)
	for _, b := range l.fullBlocks(accounts) {
		sum := l.total(b).Plus(cost)
		sum.Failures = new(big.Int).Add(l.failures, failures)
		if err := l.Filter.Fits(sum); err != nil {
			if b != "" {
				return fmt.Errorf("in the block %s %w", b, err)
			}
			return err
		}
	}
	return nil
}

// admits returns nil if a further cost fits the filter, and the quota of the analyst who asks for it.
func (l *Ledger) admits(cost adaptive.Cost, accounts []string, by string) error {
	if err := l.checkFits(cost, accounts); err != nil {
		return err
	}
	return l.checkQuota(by, cost)
}

// everyoneElse is the name in a promise's quotas of all analysts who are not listed, together.
const everyoneElse = "*"

// checkQuota refuses a request that would exceed the analyst's share of the budget, and one of an analyst without a
// share if shares are set. A quota divides the budget fairly; it is no privacy guarantee, because analysts may see each
// other's answers.
func (l *Ledger) checkQuota(by string, cost adaptive.Cost) error {
	if len(l.Promise.Quotas) == 0 {
		return nil
	}
	name, taken := by, l.analysts[by]
	text, listed := l.Promise.Quotas[by]
	if !listed || by == everyoneElse {
		if text, listed = l.Promise.Quotas[everyoneElse]; !listed {
			return fmt.Errorf("%s has no quota in this ledger, which has some for others: name an analyst who has one with --by, or open a ledger with --quota '*=SHARE' for all who are not listed", analystText(by))
		}
		name, taken = "all who are not listed, together", adaptive.Cost{}
		for other, cost := range l.analysts {
			if _, own := l.Promise.Quotas[other]; !own || other == everyoneElse {
				taken = taken.Plus(cost)
			}
		}
	}
	share, _ := strconv.ParseFloat(text, 64) // checked on reading
	part, _ := new(big.Float).Mul(new(big.Float).SetInt(l.Filter.Budget()), big.NewFloat(share)).Int(nil)
	if would := l.Filter.Spent(taken.Plus(cost)); would.Cmp(part) > 0 {
		unit := l.Filter.Describe().Unit
		return fmt.Errorf("the quota of %s, a share of %s, is %s, and this would bring it to %s; a quota is for fairness and guarantees nothing",
			name, text, adaptive.Lower(part, unit), adaptive.Upper(would, unit))
	}
	return nil
}

func analystText(by string) string {
	if by == "" {
		return "a request without --by"
	}
	return by
}

// largest returns how many releases of a cost would be granted to an analyst; nil if there is no end.
func (l *Ledger) largest(cost adaptive.Cost, accounts []string, by string) *big.Int {
	n, _ := adaptive.LargestFitting(func(n *big.Int) bool { return l.admits(cost.Times(n), accounts, by) == nil })
	return n
}
