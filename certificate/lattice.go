package certificate

import (
	"math/big"
	"sort"
)

// lossList holds a release, or a composition, as a list of losses on a lattice: P-mass masses[i] at loss
// offset + (low + i)·h, and P-mass infinite at loss +∞. Its curve is
// g(x) = infinite + Σ p·max(0, 1 − x·e^−loss). Raising a mass, or moving it to a larger loss,
// raises g everywhere.
type lossList struct {
	low      int64
	masses   []*big.Int
	infinite *big.Int
	offset   *big.Int // in units of 1e-45
}

// Largest losses of a lattice point of one release: with normal distributions, where e^25·1e-56
// must stay below pad, and without.
const (
	farNormal = 25
	farClosed = 55
)

// ratioAt returns e^(offset + j·h) for j and offset in lattice units.
func (c *checker) ratioAt(offset *big.Int, j int64, cells int64) *big.Float {
	units := new(big.Int).Mul(c.step, big.NewInt(j))
	l := add(quo(fromInt(units), mul(newFloat().SetInt64(cells), decimals)), quo(fromInt(offset), decimals))
	return exp(l)
}

// window returns lattice indices between which most of the mass lies. It is a choice: what lies
// outside is not neglected.
func (c *checker) window(r *pair, way direction) (low, high int64, err error) {
	far := int64(farClosed)
	if r.normal {
		far = farNormal
	}
	limit := quo(mul(newFloat().SetInt64(far), decimals), fromInt(c.step))
	most, _ := limit.Int64()
	ends := [2]int64{}
	for side, sign := range []int64{-1, 1} {
		excess := func(j int64) *big.Float { // over the straight line that f is beyond its finite losses
			x := c.ratioAt(nothing, sign*j, 1)
			f := r.curve(way, x)
			if sign < 0 {
				f = quo(add(sub(f, unitF), x), x)
			}
			return f
		}
		least := add(add(excess(most), c.cut), mul(twoF, r.error()))
		from, to := int64(0), most
		for to-from > 1 {
			if mid := (from + to) / 2; excess(mid).Cmp(least) <= 0 {
				to = mid
			} else {
				from = mid
			}
		}
		ends[side] = sign * to
	}
	if ends[1]-ends[0] > MaxPoints {
		return 0, 0, unprovedError("a release needs more than 300000 lattice points; take a larger h")
	}
	return ends[0], ends[1], nil
}

// lossesAbove returns a list whose curve is nowhere below that of the release. From the top down
// each mass is the least that lifts g to f at the next point below. g is straight between lattice
// points and f is convex, so g ≥ f between them; above the top g = infinite ≥ f; below the lowest
// point g is the chord to g(0) ≥ 1 = f(0).
func (c *checker) lossesAbove(r *pair, way direction) (*lossList, error) {
	low, high, err := c.window(r, way)
	if err != nil {
		return nil, err
	}
	x, off := c.ratioAt(nothing, high, 1), r.error()
	infinite := intAbove(r.curve(way, x), off)
	sumP, sumQ := new(big.Int).Set(infinite), newFloat() // sumQ ≥ Σ p·e^−loss
	more, less := add(unitF, pad), sub(unitF, pad)
	drop := mul(sub(unitF, c.ratioAt(nothing, -1, 1)), less) // ≤ 1 − e^−h
	masses := make([]*big.Int, high-low+1)
	for j := high - 1; j >= low; j-- {
		if err := c.checkContext(); err != nil {
			return nil, err
		}
		below := c.ratioAt(nothing, j, 1)
		g := sub(fromInt(sumP), mul(mul(below, sumQ), more)) // at most the curve so far
		lack := sub(fromInt(intAbove(r.curve(way, below), off)), g)
		p := ceiling(quo(lack, drop)) // p·(1 − below/x) ≥ lack
		if p.Add(p, big.NewInt(1)); p.Sign() < 0 {
			p.SetInt64(0)
		}
		masses[j+1-low] = p
		sumP.Add(sumP, p)
		sumQ = mul(add(sumQ, quo(fromInt(p), x)), more)
		x = below
	}
	last := new(big.Int).Sub(one, sumP) // so that g(0) ≥ 1
	if last.Sign() < 0 {
		last.SetInt64(0)
	}
	masses[0] = last
	return &lossList{low, masses, infinite, new(big.Int)}, nil
}

// corner is a point that an event S attains or exceeds: q ≥ Q(S), p ≤ P(S).
type corner struct{ q, p *big.Int }

// corners returns points that rise in both coordinates, from the P-mass where Q has none to (1, 1),
// on their upper hull. Any events will do.
func (c *checker) corners(r *pair, way direction, low, high int64) ([]corner, error) {
	sure, off := zeroF, r.error()
	var tests []test
	if r.table {
		tests = r.sums[way]
		for _, t := range tests {
			if t.q.Sign() == 0 {
				sure = larger(sure, t.p)
			}
		}
	} else {
		q := unitF
		if r.sampled {
			q = r.q
		}
		if r.delta != nil && (way == remove || q.Cmp(unitF) == 0) {
			sure = mul(r.delta, q)
		}
		var xs []*big.Float
		for n := low * c.tests; n <= high*c.tests; n++ {
			if n%c.tests == 0 || max(n, -n) < 128*c.tests { // finer where most mass is
				xs = append(xs, c.ratioAt(nothing, n, c.tests))
			}
		}
		if r.eps != nil { // beside its atoms
			tiny := mustFloat("1e-32")
			for _, l := range []*big.Float{sub(r.eps, tiny), sub(tiny, r.eps), sub(neg(tiny), r.eps)} {
				mixed := func(e *big.Float) *big.Float { return add(sub(unitF, q), mul(q, e)) }
				if way == remove {
					xs = append(xs, mixed(exp(l)))
				} else {
					xs = append(xs, quo(unitF, mixed(exp(neg(l)))))
				}
			}
		}
		sort.Slice(xs, func(i, j int) bool { return xs[i].Cmp(xs[j]) > 0 })
		for _, x := range xs {
			if err := c.checkContext(); err != nil {
				return nil, err
			}
			tests = append(tests, r.testAt(way, x))
		}
	}
	start := intBelow(sure, off)
	if start.Sign() < 0 {
		start.SetInt64(0)
	}
	list := []corner{{new(big.Int), start}}
	for _, t := range tests {
		v := corner{intAbove(t.q, off), intBelow(t.p, off)}
		last := list[len(list)-1]
		if v.q.Cmp(last.q) <= 0 || v.q.Cmp(one) >= 0 || v.p.Cmp(last.p) <= 0 { // leaving an event out is allowed
			continue
		}
		for len(list) > 1 && belowChord(list[len(list)-2], list[len(list)-1], v) {
			list = list[:len(list)-1]
		}
		list = append(list, v)
	}
	return append(list, corner{one, one}), nil
}

// belowChord reports whether b lies on or below the line from a to c.
func belowChord(a, b, c corner) bool {
	left := new(big.Int).Mul(new(big.Int).Sub(b.p, a.p), new(big.Int).Sub(c.q, b.q))
	right := new(big.Int).Mul(new(big.Int).Sub(c.p, b.p), new(big.Int).Sub(b.q, a.q))
	return left.Cmp(right) <= 0
}

// lossesBelow returns a list whose curve is nowhere above that of the release: a path from the first
// corner with legs of the slopes e^(offset+jh), j falling. A leg over the Q-mass b becomes the P-mass
// a ≥ b·e^loss, so g(x) ≤ p − x·q at the corner (q, p) of the path where the slopes pass x. Each corner
// of the path is on or below an edge of v, so it is attained or exceeded by a random choice between two events.
func (c *checker) lossesBelow(v []corner, low, high int64, offset *big.Int) *lossList {
	at, i := v[0], 1
	masses := make([]*big.Int, high-low+1)
	for j := high; j >= low; j-- {
		masses[j-low] = new(big.Int)
		slope := intAbove(c.ratioAt(offset, j, 1), pad)
		rise := func(to *big.Int) *big.Int { // P-mass from at to the given q, rounded up
			b := new(big.Int).Sub(to, at.q)
			return divide(b.Mul(b, slope), one, true)
		}
		below := func(q, p *big.Int) bool { return new(big.Int).Add(at.p, rise(q)).Cmp(p) <= 0 }
		first := i
		for i < len(v) && below(v[i].q, v[i].p) {
			i++
		}
		if i == first {
			continue
		}
		from := v[i-1]
		end := from.q
		if i < len(v) { // on, as far as the leg stays below the edge
			dq, dp := new(big.Int).Sub(v[i].q, from.q), new(big.Int).Sub(v[i].p, from.p)
			step, limit := new(big.Int), new(big.Int).Set(dq)
			// Where the two lines meet, which saves most of the halving.
			gap, closing := new(big.Int).Sub(from.p, new(big.Int).Add(at.p, rise(from.q))), new(big.Int).Mul(slope, dq)
			if closing.Sub(closing, new(big.Int).Mul(dp, one)); closing.Sign() > 0 {
				meet := divide(gap.Mul(gap, new(big.Int).Mul(dq, one)), closing, false)
				margin := big.NewInt(1 << 20)
				for _, guess := range []*big.Int{new(big.Int).Sub(meet, margin), new(big.Int).Add(meet, margin)} {
					if guess.Cmp(step) <= 0 || guess.Cmp(limit) >= 0 {
						continue
					}
					p := new(big.Int).Add(from.p, divide(new(big.Int).Mul(guess, dp), dq, false))
					if below(new(big.Int).Add(from.q, guess), p) {
						step = guess
					} else {
						limit = guess
					}
				}
			}
			for {
				mid := new(big.Int).Add(step, limit)
				mid.Rsh(mid, 1)
				if mid.Cmp(step) == 0 {
					break
				}
				q := new(big.Int).Add(from.q, mid)
				p := new(big.Int).Add(from.p, divide(new(big.Int).Mul(mid, dp), dq, false))
				if below(q, p) {
					step = mid
				} else {
					limit = mid
				}
			}
			end = new(big.Int).Add(from.q, step)
		}
		leg := rise(end)
		masses[j-low] = leg
		at = corner{end, new(big.Int).Add(at.p, leg)}
	}
	return &lossList{low, masses, v[0].p, new(big.Int).Set(offset)}
}
