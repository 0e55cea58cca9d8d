package certificate

import (
	"context"
	"math/big"
	"slices"
	"strings"
)

// Prove returns the ends that a check of this certificate proves, whatever it claims: nil if there is no finite
// upper end, or no lower end was asked for or found.
func (c *Certificate) Prove(ctx context.Context, withLower bool) (upper, lower *big.Rat, err error) {
	claim := *c
	claim.Upper, claim.Lower = "99999", "0"
	k, err := newChecker(&claim)
	if err != nil {
		return nil, nil, err
	}
	k.ctx = ctx
	high, low, err := k.ends(withLower)
	if high != nil {
		upper = grains(high)
	}
	if low != nil {
		lower = grains(low)
	}
	return upper, lower, err
}

// Offsets tried within a cell, and how often the interval around the best is halved.
const (
	firstOffsets   = 6
	offsetHalvings = 6
)

// TuneOffsets sets the offset of each release without a lattice of its own so that the lower end is large: a
// choice that no checker believes. What is compared is the mean loss of the release's lower list.
func (c *Certificate) TuneOffsets(ctx context.Context) error {
	k, err := newChecker(c)
	if err != nil {
		return err
	}
	k.ctx = ctx
	for i, r := range k.pairs {
		if r.table || r.batch || r.offset.Sign() != 0 || r.kind == "gaussian" {
			continue
		}
		low, high, err := k.window(r, remove)
		if err != nil {
			return err
		}
		v, err := k.corners(r, remove, low, high)
		if err != nil {
			return err
		}
		mean := func(offset *big.Int) *big.Float { return k.meanLoss(k.lossesBelow(v, low-1, high+1, offset)) }
		best, value := new(big.Int), mean(new(big.Int))
		try := func(offset *big.Int) error {
			if m := mean(offset); m.Cmp(value) > 0 {
				best, value = offset, m
			}
			return k.ended()
		}
		for n := int64(1); n < firstOffsets; n++ {
			o := new(big.Int).Mul(k.step, big.NewInt(n))
			if err := try(o.Quo(o, big.NewInt(firstOffsets))); err != nil {
				return err
			}
		}
		around := new(big.Int).Quo(k.step, big.NewInt(2*firstOffsets))
		for range offsetHalvings {
			centre := best
			if err := try(new(big.Int).Add(centre, around)); err != nil {
				return err
			}
			if err := try(new(big.Int).Sub(centre, around)); err != nil {
				return err
			}
			around.Rsh(around, 1)
		}
		c.Releases[i].Offset = offsetText(best)
	}
	return nil
}

// meanLoss returns the mean loss of a lower list, its missing mass counted at loss −3.
func (c *checker) meanLoss(a *lattice) *big.Float {
	sum, missing := newFloat(), new(big.Int).Set(one)
	for i, m := range a.masses {
		l := new(big.Int).Mul(c.step, big.NewInt(a.low+int64(i)))
		sum.Add(sum, mul(fromInt(m), fromInt(l.Add(l, a.offset))))
		missing.Sub(missing, m)
	}
	return sub(sum, mul(fromInt(missing), mul(newFloat().SetInt64(3), decimals)))
}

// offsetText writes an offset in units of 1e-45, cut to 20 decimals.
func offsetText(o *big.Int) string {
	text := new(big.Rat).SetFrac(o, power(places)).FloatString(20)
	text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	if slices.Contains([]string{"-0", ""}, text) {
		return "0"
	}
	return text
}
