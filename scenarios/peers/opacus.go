package peers

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"epsiloscope/accounting/numeral"
)

// opacus keeps a history of Poisson-sampled steps, one record more or less. It takes the
// rate from the number of batches of the loader, which its own loader replaces unless
// poisson_sampling is switched off; the history is the same either way. PRV returns the
// upper end of its error allowance: 0.01 of ε, a thousandth of δ.
func opacus(ctx context.Context, j job) ([]Figure, error) {
	const tool = "Opacus 1.5.4"
	prv, rdp := Figure{tool, "PRV, its default", math.NaN(), ""}, Figure{tool, "RDP", math.NaN(), ""}
	if j.matrix != nil {
		prv.Why = "has no correlated noise: it knows Poisson-sampled steps only"
		rdp.Why = prv.Why
		return []Figure{prv, rdp}, nil
	}
	var all []steps
	why := j.asPoisson()
	for _, r := range j.runs {
		s := steps{r.SamplingRate, r.NoiseMultiplier, r.Steps}
		if r.Batch > 0 {
			batches := math.Ceil(r.Records / r.Batch)
			if s.q = 1 / batches; s.q != r.SamplingRate {
				why = both(why, fmt.Sprintf("takes the rate from its loader, 1/%s", numeral.Format(batches)))
			}
			if r.Epochs > 0 {
				s.count = math.Ceil(r.Epochs * math.Trunc(1/s.q))
			}
		}
		s.count *= r.times
		all = append(all, s)
	}
	orders := opacusOrders()
	epsilon, alpha := leastOf(orders, sumOf(all, exactRenyi), j.delta)
	rdp.Epsilon, rdp.Why = epsilon, cmp.Or(why, ofOrders(orders, alpha))
	prv.Why = cmp.Or(why, "adds 0.01 to ε and takes 0.1 % off δ for its errors")
	if j.delta < minDelta {
		prv.Why = errRounding
		return []Figure{prv, rdp}, nil
	}
	upper, err := numerical(ctx, partsOf(all), j.delta*(1-1e-3))
	prv.Epsilon = upper + 0.01
	return []Figure{prv, rdp}, err
}
