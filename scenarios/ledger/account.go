package ledger

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"epsiloscope/accounting/adaptive"
)

// account is the sums of one block. In a window only what was committed within it counts.
type account struct {
	spent, held adaptive.Cost
	recent      []charge // committed, oldest first; kept only where there is a window
}

type charge struct {
	at   time.Time
	cost adaptive.Cost
}

func (a *account) sum() adaptive.Cost { return a.spent.Plus(a.held) }

// expire forgets what was committed before a window starts.
func (a *account) expire(start time.Time) {
	for len(a.recent) > 0 && a.recent[0].at.Before(start) {
		a.spent = a.spent.Minus(a.recent[0].cost)
		a.recent = a.recent[1:]
	}
}

func (l *Ledger) account(block string) *account {
	a, ok := l.accounts[block]
	if !ok {
		a = &account{}
		l.accounts[block] = a
	}
	if l.Promise.window > 0 {
		a.expire(l.now.Add(-l.Promise.window))
	}
	return a
}

// total returns the cost that a block's filter decides on: its own sum, and the δ of all blocks.
// With approximate releases and data that arrive over time, the largest δ of a block is no bound
// (Henzinger, Safavi & Vadhan 2024); the sum over the blocks is.
func (l *Ledger) total(block string) adaptive.Cost {
	sum := l.account(block).sum()
	sum.Failures = new(big.Int).Set(l.failures)
	return sum
}

// blocksOf returns the blocks a request is charged to.
func (l *Ledger) blocksOf(blocks []string) ([]string, error) {
	key := l.Promise.Blocks
	switch {
	case key == "" && len(blocks) > 0:
		return nil, fmt.Errorf("this ledger has no blocks, and the request names %q", blocks[0])
	case key == "":
		return []string{""}, nil
	case len(blocks) == 0:
		return nil, fmt.Errorf("this ledger is kept by %s: name every %s that the request reads", key, key)
	}
	for i, b := range blocks {
		switch {
		case b == "":
			return nil, fmt.Errorf("a %s without a name is among those that the request reads", key)
		case slices.Contains(blocks[:i], b):
			return nil, fmt.Errorf("the request names the %s %q twice", key, b)
		}
	}
	return blocks, nil
}

// BlocksIn returns the blocks that a text names, set apart by commas. A ledger may have one with a
// comma in its name, which is named alone.
func (l *Ledger) BlocksIn(text string) (names []string) {
	if text = strings.TrimSpace(text); text != "" && l.accounts[text] != nil {
		return []string{text}
	}
	for name := range strings.SplitSeq(text, ",") {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}

func (l *Ledger) charge(cost adaptive.Cost, blocks []string, by string) {
	for _, b := range blocks {
		a := l.account(b)
		a.held = a.held.Plus(cost)
	}
	l.failures.Add(l.failures, l.failuresOf(cost, blocks))
	l.analysts[by] = l.analysts[by].Plus(cost)
	l.held++
}

func (l *Ledger) failuresOf(cost adaptive.Cost, blocks []string) *big.Int {
	if cost.Failures == nil {
		return new(big.Int)
	}
	return new(big.Int).Mul(cost.Failures, big.NewInt(int64(len(blocks))))
}

// settle takes a reserve out of what is held.
func (l *Ledger) settle(r *reservation, at time.Time, state State) {
	blocks, _ := l.blocksOf(r.Blocks)
	cost := r.Cost.Cost
	for _, b := range blocks {
		a := l.account(b)
		a.held = a.held.Minus(cost)
		if state != Committed {
			continue
		}
		a.spent = a.spent.Plus(cost)
		if l.Promise.window > 0 {
			a.recent = append(a.recent, charge{at, cost})
		}
	}
	if state == Cancelled {
		l.failures.Sub(l.failures, l.failuresOf(cost, blocks))
		l.analysts[r.By] = l.analysts[r.By].Minus(cost)
	}
	r.state, r.settled = state, at
	l.held--
}

// bindingBlock returns the block that has least left with a cost charged to all of them. Sums of
// several orders grow in different ways: which one binds may change with the cost.
func (l *Ledger) bindingBlock(accounts []string, cost adaptive.Cost) string {
	accounts = l.fullBlocks(accounts)
	best, most := accounts[0], (*big.Int)(nil)
	if len(accounts) == 1 { // what is spent of several orders takes long to find
		return best
	}
	for _, b := range accounts {
		if spent := l.amended.Spent(l.account(b).sum().Plus(cost)); most == nil || spent.Cmp(most) > 0 {
			best, most = b, spent
		}
	}
	return best
}

// fullBlocks returns the blocks of whose sums no other's covers any: a request that these grant is granted by all, and
// one of them has least left. Several orders take long to decide, and hundreds of blocks have few such sums.
func (l *Ledger) fullBlocks(accounts []string) (full []string) {
	if len(accounts) == 1 {
		return accounts
	}
	var sums []adaptive.Cost
	for _, b := range accounts {
		sum := l.account(b).sum()
		if slices.ContainsFunc(sums, func(s adaptive.Cost) bool { return s.Covers(sum) }) {
			continue
		}
		kept := 0
		for i, s := range sums {
			if !sum.Covers(s) {
				full[kept], sums[kept] = full[i], s
				kept++
			}
		}
		full, sums = append(full[:kept], b), append(sums[:kept], sum)
	}
	return full
}

// sumWith returns the sum of spent and held cost in the binding block if a request of this cost
// is granted.
func (l *Ledger) sumWith(accounts []string, cost adaptive.Cost) adaptive.Cost {
	return l.account(l.bindingBlock(accounts, cost)).sum().Plus(cost)
}

// expire sets the end of the window. Time in a ledger does not run back. Each block forgets
// when it is looked at: there may be as many blocks as records.
func (l *Ledger) expire(now time.Time) {
	for _, t := range []time.Time{now, l.lastTime()} {
		if t.After(l.now) {
			l.now = t
		}
	}
}

// pendingReservation returns the id of a reserve that is held where the filter allows no other
// beside it, "" if there is none.
func (l *Ledger) pendingReservation() string {
	if l.held == 0 || l.Filter.Describe().Concurrent {
		return ""
	}
	for i := len(l.Records) - 1; i >= 0; i-- {
		if r := l.reservations[l.Records[i].ID]; r != nil && r.state == Held {
			return l.Records[i].ID
		}
	}
	return ""
}

// zero returns the cost of no release, in the form of the filter's costs.
func (l *Ledger) zero() adaptive.Cost {
	c, _ := l.Filter.Price(nil)
	return c
}
