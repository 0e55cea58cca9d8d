package adaptive

import "math/big"

// Account is a filter in use.
type Account struct {
	Filter Filter
	Sum    Cost
}

// Add takes a cost if it fits, in constant time, and says what is left. The error says
// why it does not fit; then nothing is taken, and a cheaper request may still pass.
func (a *Account) Add(cost Cost) (left *big.Int, err error) {
	sum := a.Sum.Plus(cost)
	if err := a.Filter.Fits(sum); err != nil {
		return a.Left(), err
	}
	a.Sum = sum
	return a.Left(), nil
}

// Left is what is left of the budget, never below 0.
func (a *Account) Left() *big.Int {
	left := a.Filter.Budget()
	if left.Sub(left, a.Filter.Spent(a.Sum)); left.Sign() < 0 {
		left.SetInt64(0)
	}
	return left
}

// Largest is how many copies of a cost would still fit; false if there is no end to
// them, as of a request that costs nothing.
func (a *Account) Largest(cost Cost) (copies *big.Int, bounded bool) {
	fits := func(n *big.Int) bool { return a.Filter.Fits(a.Sum.Plus(cost.Times(n))) == nil }
	one := big.NewInt(1)
	if !fits(one) {
		return new(big.Int), true
	}
	low, high := one, big.NewInt(2)
	for fits(high) {
		if high.BitLen() > 100 {
			return nil, false
		}
		low, high = high, new(big.Int).Lsh(high, 1)
	}
	for {
		middle := new(big.Int).Add(low, high)
		if middle.Rsh(middle, 1); middle.Cmp(low) == 0 {
			return low, true
		}
		if fits(middle) {
			low = middle
		} else {
			high = middle
		}
	}
}
