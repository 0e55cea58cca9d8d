package peers

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"epsiloscope/mechanisms"
)

// dpAccounting returns what the two accountants of dp_accounting print. They take the sampling scheme and the adjacency
// from the event, and refuse combinations without a proof.
func dpAccounting(ctx context.Context, j job) ([]ToolResult, error) {
	const tool = "dp_accounting 0.6.0"
	loss, rdp := ToolResult{tool, "PLD", math.NaN(), "", ""}, ToolResult{tool, "RDP", math.NaN(), "", ""}
	refuses := func(ofLoss, ofRDP string) ([]ToolResult, error) {
		loss.Why, rdp.Why = ofLoss, ofRDP
		return []ToolResult{loss, rdp}, nil
	}
	if j.matrix != nil {
		loss.Why = "refuses: it has no PLD event for sums over time"
		return []ToolResult{loss, dpTree(rdp, j)}, nil
	}
	why := ""
	if j.group > 1 {
		why = mismatchText(j.recordMismatch()[len(j.recordMismatch())-1:])
	}
	var all, half []steps
	for _, r := range j.runs {
		if r.Batches != j.runs[0].Batches {
			const unlike = "not asked about unlike samplers in one stack"
			return refuses(unlike, unlike)
		}
		all = append(all, steps{r.SamplingRate, r.NoiseMultiplier, r.Steps * r.repeats})
		half = append(half, steps{r.SamplingRate, r.NoiseMultiplier / 2, r.Steps * r.repeats})
	}
	const noFixed = "refuses: it has no PLD of samples without replacement"
	replaced, orders := j.adjacency == mechanisms.Replace, dpAccountingOrders()
	d := j.sampler()
	switch {
	case d == mechanisms.Shuffled || d == mechanisms.Allocated:
		unknown := fmt.Sprintf("refuses: it has no event for %s batches", d)
		return refuses(unknown, unknown)
	case d == mechanisms.Fixed && replaced:
		rdp.Epsilon, _ = dpAccountingLeast(orders, sumOf(all, fixedRenyi), j.delta)
		right, _ := dpAccountingLeast(orders, sumOf(half, fixedRenyi), j.delta)
		return refuses(noFixed, joinReasons(why, fmt.Sprintf("its noise_multiplier is per change of a record, two clipping norms; halved it prints %.4g", right)))
	case d == mechanisms.Fixed:
		return refuses(noFixed, "refuses: supports sampling without replacement under replace only")
	case d == mechanisms.Truncated:
		loss.Why = "takes a larger pair where the batch is full"
		rdp.Why = "refuses: truncated batches in PLD only"
	case replaced:
		rdp.Why = "refuses: supports Poisson sampling under add-remove and zero-out only"
	default:
		epsilon, alpha := dpAccountingLeast(orders, sumOf(all, absoluteRenyi), j.delta)
		rdp.Epsilon, rdp.Why = epsilon, cmp.Or(why, orderNote(orders, alpha))
		if why == "" && alpha != math.Trunc(alpha) {
			rdp.Why += ", rounded up"
		}
		if epsilon == 0 {
			rdp.Why = joinReasons(why, "its shortcut: δ alone covers a divergence r ≤ −ln(1 − δ²)")
		}
	}
	var reason string
	var err error
	loss.Epsilon, reason, err = gridEpsilon(ctx, j)
	switch {
	case reason != "":
		loss.Why = reason
	case math.IsInf(loss.Epsilon, 1):
		loss.Why = "every composition moves a probability of 1e-15 to an infinite loss, which is more than this δ"
	case !gridIsFine(j):
		loss.Why = joinReasons(joinReasons(why, loss.Why), "its grid of 1e-4 is coarser than the loss of one step, so it prints more than its pair costs")
	default:
		loss.Why = cmp.Or(why, loss.Why, "our pair, on a grid of 1e-4")
	}
	return []ToolResult{loss, rdp}, err
}

// dpTree returns the tree aggregation of dp_accounting: one tree, or trees that share no record.
func dpTree(rdp ToolResult, j job) ToolResult {
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
		epsilon, alpha := dpAccountingLeast(orders, func(a float64) float64 {
			return a * depth / (2 * m.NoiseMultiplier * m.NoiseMultiplier)
		}, j.delta)
		rdp.Epsilon, rdp.Why = epsilon, orderNote(orders, alpha)
	}
	return rdp
}

// gridIsFine reports whether the grid changes what the PLD accountant prints by less than the
// tolerance of a comparison. Splitting a loss onto the two ends of its cell adds up to h²/4 to the
// variance of each step, and ε grows by about half that share.
func gridIsFine(j job) bool {
	for _, r := range j.runs {
		if pldGrid*pldGrid/8 > peerTolerance/2*variance(r.SamplingRate, r.NoiseMultiplier) {
			return false
		}
	}
	return true
}

// variance returns about the variance of the loss of a sampled step: its χ² divergence, q²(e^{1/z²} − 1).
func variance(q, z float64) float64 { return q * q * math.Expm1(1/(z*z)) }
