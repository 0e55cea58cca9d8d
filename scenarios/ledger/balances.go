package ledger

import (
	"cmp"
	"math/big"
	"slices"
	"time"
)

// Asker is how much one asker has taken of everything, and its quota as a share of the
// budget, "" for none.
type Asker struct {
	By    string
	Spent *big.Int
	Quota string
}

// Askers lists who asked, most first. What a window has forgotten counts here.
func (l *Ledger) Askers() []Asker {
	var list []Asker
	for by, cost := range l.askers {
		list = append(list, Asker{by, l.Filter.Spent(cost), l.Promise.Quotas[by]})
	}
	slices.SortFunc(list, func(a, b Asker) int { return cmp.Or(b.Spent.Cmp(a.Spent), cmp.Compare(a.By, b.By)) })
	return list
}

// Balance is what one block has: spent + held + left is the budget.
type Balance struct {
	Block             string
	Spent, Held, Left *big.Int
}

// Balances lists the blocks that were charged, the one with least left first.
func (l *Ledger) Balances(now time.Time) []Balance {
	l.expire(now)
	var list []Balance
	for _, block := range l.Blocks() {
		b := Balance{Block: block}
		_, b.Spent, b.Held, b.Left = l.balance(block)
		list = append(list, b)
	}
	slices.SortStableFunc(list, func(a, b Balance) int { return a.Left.Cmp(b.Left) })
	return list
}
