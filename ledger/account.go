package ledger

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"epsiloscope/accounting/adaptive"
)

// account holds the sums of one block. If the promise has a window, only what was committed within it counts.
type account struct {
	spent, held adaptive.Cost
	recent      []charge // committed, oldest first; nil without a window
}

type charge struct {
	at   time.Time
	cost adaptive.Cost
}

func (a *account) sum() adaptive.Cost { return a.spent.Plus(a.held) }

// expire drops what was committed before the window starts.
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

// BlocksIn returns the blocks that a text names, separated by commas. A block of the ledger whose name contains a
// comma can only be named by itself.
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

// settle moves the cost of a reservation from held to spent if it was committed, and removes it if it was cancelled.
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

// bindingBlock returns the block that has least left after a cost is charged to all of them. If a filter adds up
// several Rényi orders, the block depends on the cost.
func (l *Ledger) bindingBlock(accounts []string, cost adaptive.Cost) string {
	accounts = l.fullBlocks(accounts)
	best, most := accounts[0], (*big.Int)(nil)
	if len(accounts) == 1 { // with several Rényi orders, computing what is spent is slow
		return best
	}
	for _, b := range accounts {
		if spent := l.Filter.Spent(l.account(b).sum().Plus(cost)); most == nil || spent.Cmp(most) > 0 {
			best, most = b, spent
		}
	}
	return best
}

// fullBlocks drops every block whose sum is at most that of another block in every component. A request that the rest
// grant is granted by all, and one of the rest has least left. Deciding by several Rényi orders is slow, and of
// hundreds of blocks only a few remain.
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

// expire sets the end of the window; it never moves back. Old charges of a block are dropped when the block is next
// read, because there may be as many blocks as records.
func (l *Ledger) expire(now time.Time) {
	for _, t := range []time.Time{now, l.lastTime()} {
		if t.After(l.now) {
			l.now = t
		}
	}
}

// pendingReservation returns the id of a held reservation if the filter does not allow concurrent ones; else "".
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
