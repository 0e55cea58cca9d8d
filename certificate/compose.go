package certificate

import (
	"math/big"
	mathbits "math/bits"
)

// round returns the list with masses in units of 1/unit instead of 1e-40, each rounded to the side of upward.
func (a *lossList) round(unit *big.Int, upward bool) *lossList {
	by := new(big.Int).Quo(one, unit)
	masses := make([]*big.Int, len(a.masses))
	for i, m := range a.masses {
		masses[i] = divide(m, by, upward)
	}
	return &lossList{a.low, masses, divide(a.infinite, by, upward), a.offset}
}

// trim shortens a list. Upward the thin top goes to +∞ and the thin bottom up into the lowest cell
// kept; downward the thin top goes down into the highest cell kept and the thin bottom is left out.
func (a *lossList) trim(cut *big.Int, upward bool) (*lossList, error) {
	from, to := 0, len(a.masses)
	top, bottom := new(big.Int), new(big.Int)
	for to-from > 1 {
		if sum := new(big.Int).Add(top, a.masses[to-1]); sum.Cmp(cut) <= 0 {
			top, to = sum, to-1
			continue
		}
		break
	}
	for to-from > 1 {
		if sum := new(big.Int).Add(bottom, a.masses[from]); sum.Cmp(cut) <= 0 {
			bottom, from = sum, from+1
			continue
		}
		break
	}
	if to-from > MaxPoints {
		return nil, unprovedError("more than 300000 lattice points; take a larger h")
	}
	masses, infinite := append([]*big.Int(nil), a.masses[from:to]...), a.infinite
	if upward {
		infinite = new(big.Int).Add(infinite, top)
		masses[0] = new(big.Int).Add(masses[0], bottom)
	} else {
		masses[len(masses)-1] = new(big.Int).Add(masses[len(masses)-1], top)
	}
	return &lossList{a.low + int64(from), masses, infinite, a.offset}, nil
}

func (a *lossList) sum() *big.Int {
	s := new(big.Int)
	for _, m := range a.masses {
		s.Add(s, m)
	}
	return s
}

// compose returns the composition of two lists in units of 1/unit, each product rounded once.
// All products are one multiplication of two long integers: each mass has enough words that no
// sum of products spills over.
func compose(a, b *lossList, unit *big.Int, upward bool) *lossList {
	sumA, sumB := a.sum(), b.sum()
	all := new(big.Int).Mul(sumA, sumB)
	words := all.BitLen()/mathbits.UintSize + 1
	long := func(masses []*big.Int) *big.Int {
		out := make([]big.Word, words*len(masses))
		for i, m := range masses {
			copy(out[i*words:], m.Bits())
		}
		return new(big.Int).SetBits(out)
	}
	left := long(a.masses)
	right := left
	if a != b {
		right = long(b.masses)
	}
	product := new(big.Int).Mul(left, right).Bits()
	masses := make([]*big.Int, len(a.masses)+len(b.masses)-1)
	for i := range masses {
		slot := new(big.Int)
		if from := min(i*words, len(product)); from < len(product) {
			slot.SetBits(append([]big.Word(nil), product[from:min(from+words, len(product))]...))
		}
		masses[i] = divide(slot, unit, upward)
	}
	// pairs of which at least one is infinite
	infinite := new(big.Int).Mul(new(big.Int).Add(sumA, a.infinite), new(big.Int).Add(sumB, b.infinite))
	infinite.Sub(infinite, all)
	return &lossList{a.low + b.low, masses, divide(infinite, unit, upward), new(big.Int).Add(a.offset, b.offset)}
}

// solve returns the proved end on the grid of 1e-8, in units of 1e-8: upward the least ε with g ≤ δ for
// certain, downward the greatest with g > δ for certain. g falls and was evaluated at that ε. It returns
// nil if there is none.
func (c *checker) solve(a *lossList, upward bool) *big.Int {
	n := int64(len(a.masses))
	above, weighted := make([]*big.Int, n+1), make([]*big.Float, n+1)
	above[0], weighted[0] = new(big.Int), newFloat()
	weight := quo(unitF, c.ratioAt(a.offset, a.low+n-1, 1))
	upStep := c.ratioAt(nothing, 1, 1)
	for k := range n {
		m := a.masses[n-1-k]
		above[k+1] = new(big.Int).Add(above[k], m)
		weighted[k+1] = add(weighted[k], mul(fromInt(m), weight))
		weight = mul(weight, upStep)
	}
	top := new(big.Int).Add(a.offset, new(big.Int).Mul(c.step, big.NewInt(a.low+n-1)))
	sign := pad
	if !upward {
		sign = neg(pad)
	}
	grain := new(big.Int).Exp(big.NewInt(10), big.NewInt(places-8), nil)
	exceeds := func(units *big.Int) bool {
		eps := new(big.Int).Mul(units, grain)
		// How many losses exceed ε: those with top − k·h > ε, exactly.
		k := int64(0)
		if d := new(big.Int).Sub(top, eps); d.Sign() > 0 {
			count := divide(d, c.step, true)
			k = n
			if count.IsInt64() {
				k = min(n, count.Int64())
			}
		}
		x := exp(quo(fromInt(eps), decimals))
		g := sub(fromInt(new(big.Int).Add(a.infinite, above[k])), mul(mul(weighted[k], x), sub(unitF, sign)))
		return add(quo(g, fromInt(c.unit)), sign).Cmp(c.delta) > 0
	}
	low, high := big.NewInt(-1), big.NewInt(1e13)
	if exceeds(high) {
		return nil
	}
	for {
		mid := new(big.Int).Add(low, high)
		mid.Rsh(mid, 1)
		if mid.Cmp(low) == 0 {
			break
		}
		if exceeds(mid) {
			low = mid
		} else {
			high = mid
		}
	}
	switch {
	case upward:
		return high
	case low.Sign() >= 0:
		return low
	}
	return nil
}
