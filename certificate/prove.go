package certificate

import (
	"context"
	"math/big"
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
