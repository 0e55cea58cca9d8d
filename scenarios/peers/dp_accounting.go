package peers

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"epsiloscope/accounting"
	"epsiloscope/accounting/pld"
	"epsiloscope/mechanisms"
)

// dpAccounting takes the sampler and the adjacency from the event, and refuses combinations
// it has no proof for.
func dpAccounting(ctx context.Context, j job) ([]Figure, error) {
	const tool = "dp_accounting 0.6.0"
	loss, rdp := Figure{tool, "PLD", math.NaN(), ""}, Figure{tool, "RDP", math.NaN(), ""}
	refuses := func(ofLoss, ofRDP string) ([]Figure, error) {
		loss.Why, rdp.Why = ofLoss, ofRDP
		return []Figure{loss, rdp}, nil
	}
	if j.matrix != nil {
		loss.Why = "refuses: it has no PLD event for sums over time"
		return []Figure{loss, dpTree(rdp, j)}, nil
	}
	why := ""
	if j.group > 1 {
		why = prices(j.asOne()[len(j.asOne())-1:])
	}
	var all, half []steps
	for _, r := range j.runs {
		if r.Batches != j.runs[0].Batches {
			const unlike = "not asked about unlike samplers in one stack"
			return refuses(unlike, unlike)
		}
		all = append(all, steps{r.SamplingRate, r.NoiseMultiplier, r.Steps * r.times})
		half = append(half, steps{r.SamplingRate, r.NoiseMultiplier / 2, r.Steps * r.times})
	}
	const noFixed = "refuses: it has no PLD of samples without replacement"
	replaced, orders := j.adjacency == mechanisms.Replace, dpAccountingOrders()
	switch d := j.sampler(); {
	case d == mechanisms.Shuffled || d == mechanisms.Allocated:
		unknown := fmt.Sprintf("refuses: it has no event for %s batches", d)
		return refuses(unknown, unknown)
	case d == mechanisms.Fixed && replaced:
		rdp.Epsilon, _ = dpAccountingLeast(orders, sumOf(all, fixedRenyi), j.delta)
		right, _ := dpAccountingLeast(orders, sumOf(half, fixedRenyi), j.delta)
		return refuses(noFixed, both(why, fmt.Sprintf("its noise_multiplier is per change of a record, two clipping norms; halved it prints %.4g", right)))
	case d == mechanisms.Fixed:
		return refuses(noFixed, "refuses: samples without replacement only where a record is changed")
	case d == mechanisms.Truncated:
		loss.Why = "takes a larger pair where the batch is full"
		rdp.Why = "refuses: truncated batches in PLD only"
	case replaced:
		rdp.Why = "refuses: Poisson samples only where a record comes or goes, or is zeroed"
	default:
		epsilon, alpha := dpAccountingLeast(orders, sumOf(all, absoluteRenyi), j.delta)
		rdp.Epsilon, rdp.Why = epsilon, cmp.Or(why, ofOrders(orders, alpha))
		if why == "" && alpha != math.Trunc(alpha) {
			rdp.Why += ", rounded up"
		}
	}
	if j.delta < minDelta {
		return refuses(errRounding, rdp.Why)
	}
	if !gridIsFine(j) {
		loss.Why = "its grid of 1e-4 is coarser than the loss of one step: it prints more than this pair costs, how much is not followed here"
		return []Figure{loss, rdp}, nil
	}
	loss.Why = cmp.Or(why, loss.Why, "our pair, on a grid of 1e-4")
	var parts []pld.Part
	for i, r := range j.runs {
		parts = append(parts, pld.Part{Pair: dpPair(r, replaced), Count: all[i].count})
	}
	var err error
	loss.Epsilon, err = numerical(ctx, parts, j.delta)
	return []Figure{loss, rdp}, err
}

// dpPair is the pair that its PLD has for a step: of a full truncated batch that of a
// changed record, whatever the adjacency.
func dpPair(r run, replaced bool) pld.Pair {
	sampled := func(mu, q float64, replaced bool) pld.Pair {
		if replaced || q < 1 {
			return pld.Draws(mu, q, 1, replaced)
		}
		return pld.Gaussian(mu)
	}
	z := r.NoiseMultiplier
	pair := sampled(1/z, r.SamplingRate, replaced)
	if r.Batches != mechanisms.Truncated {
		return pair
	}
	full, kept, ok := accounting.Overflow(r.Records, r.SamplingRate, r.MaxBatch)
	if !ok || full == 0 {
		return pair
	}
	return pld.Revealed([]float64{1 - full, full}, []pld.Pair{pair, sampled(2/z, kept, true)})
}

// dpTree is the tree aggregation of dp_accounting: one tree, or trees that share no record.
func dpTree(rdp Figure, j job) Figure {
	m := j.matrix
	switch {
	case m.Factorisation != mechanisms.Tree && m.Factorisation != mechanisms.Honaker:
		rdp.Why = "refuses: of sums over time it knows the tree only"
	case m.Participations > 1:
		rdp.Why = "refuses: a record may be in one step of one tree"
	case j.adjacency != mechanisms.ZeroOut:
		rdp.Why = "refuses: trees only where a record is zeroed"
	default:
		orders := dpAccountingOrders()
		depth := math.Ceil(math.Log2(m.Steps + 1))
		epsilon, alpha := dpAccountingLeast(orders, func(a float64) float64 { return a * depth / (2 * m.NoiseMultiplier * m.NoiseMultiplier) }, j.delta)
		rdp.Epsilon, rdp.Why = epsilon, ofOrders(orders, alpha)
	}
	return rdp
}

// pldGrid is the width of dp_accounting's cells of loss, by default.
const pldGrid = 1e-4

// gridIsFine reports whether the grid changes what the PLD accountant prints by less than the
// tolerance of a comparison. Splitting a loss onto the two ends of its cell adds up to h²/4 to the
// variance of each step, and ε grows by about half that share. The variance of a sampled step is
// near q²(e^{1/z²} − 1), its χ² divergence.
func gridIsFine(j job) bool {
	for _, r := range j.runs {
		variance := r.SamplingRate * r.SamplingRate * math.Expm1(1/(r.NoiseMultiplier*r.NoiseMultiplier))
		if pldGrid*pldGrid/8 > slack/2*variance {
			return false
		}
	}
	return true
}
