package peers

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
)

// opacus returns what the accountants of Opacus print. They keep a history of Poisson-sampled steps under add-remove.
// Opacus takes the rate from the number of batches of the loader, which its own loader replaces unless poisson_sampling
// is switched off; the history is the same either way. PRV returns the upper end of its error allowance: 0.01 of ε, a
// thousandth of δ.
func opacus(ctx context.Context, j job) ([]ToolResult, error) {
	const tool = "Opacus 1.5.4"
	prv, rdp := ToolResult{tool, "PRV, its default", math.NaN(), "", ""}, ToolResult{tool, "RDP", math.NaN(), "", ""}
	gdp := ToolResult{tool, "GDP", math.NaN(), "", ""}
	if j.matrix != nil {
		prv.Why = "has no correlated noise: it knows Poisson-sampled steps only"
		rdp.Why, gdp.Why = prv.Why, prv.Why
		return []ToolResult{prv, rdp, gdp}, nil
	}
	var all []steps
	why := j.poissonMismatch()
	for _, r := range j.runs {
		s := steps{r.SamplingRate, r.NoiseMultiplier, r.Steps}
		if r.Batch > 0 {
			batches := math.Ceil(r.Records / r.Batch)
			if s.q = 1 / batches; s.q != r.SamplingRate {
				why = joinReasons(why, fmt.Sprintf("takes the rate from its loader, 1/%s", numeral.Format(batches)))
			}
			if r.Epochs > 0 {
				s.count = math.Ceil(r.Epochs * math.Trunc(1/s.q))
			}
		}
		s.count *= r.repeats
		all = append(all, s)
	}
	orders := opacusOrders()
	epsilon, alpha := leastEpsilon(orders, sumOf(all, exactRenyi), j.delta)
	rdp.Epsilon, rdp.Why = epsilon, cmp.Or(why, orderNote(orders, alpha))
	gdp = opacusGDP(gdp, all, j.delta, why)
	prv.Why = cmp.Or(why, "adds 0.01 to ε and takes 0.1 % off δ for its errors")
	if j.delta < minDelta {
		prv.Why = roundingReason
		return []ToolResult{prv, rdp, gdp}, nil
	}
	if !meshIsFine(all, j.delta) {
		prv.Why = "its mesh is coarser than the loss of one step: how much that adds is not followed here"
		return []ToolResult{prv, rdp, gdp}, nil
	}
	upper, err := numericalEpsilon(ctx, partsOf(all), j.delta*(1-1e-3))
	// below the first point of its mesh it extrapolates, also to negative numbers
	if prv.Epsilon = upper + 0.01; upper == 0 {
		prv.Epsilon, prv.Why = math.NaN(), "δ alone covers the training; it prints an ε of 0.01 or less, or a negative one, which is not followed here"
	}
	return []ToolResult{prv, rdp, gdp}, err
}

// meshIsFine reports whether Opacus' mesh, 0.01 divided by √(T/2·ln(12/δ')) with δ' a thousandth of
// δ, changes its ε by less than the tolerance of a comparison. Rounding a loss to the middle of
// its cell adds about h²/12 to the variance of each step, and ε grows by about half that share.
func meshIsFine(all []steps, delta float64) bool {
	total, least := 0.0, math.Inf(1)
	for _, s := range all {
		total += s.count
		least = math.Min(least, variance(s.q, s.z))
	}
	mesh := 0.01 / math.Sqrt(total/2*math.Log(12e3/delta))
	return mesh*mesh/24 <= peerTolerance/2*least
}

// opacusGDP returns the central-limit estimate of Opacus' GDP accountant, which takes one kind of steps:
// μ = q·√(T·(e^{1/σ²} − 1)), and the ε of that μ, looked for between 0 and 500.
func opacusGDP(gdp ToolResult, all []steps, delta float64, why string) ToolResult {
	s := steps{all[0].q, all[0].z, 0}
	for _, other := range all { // entries that are alike are one history
		if other.q != s.q || other.z != s.z {
			gdp.Why = "takes one noise multiplier and rate only"
			return gdp
		}
		s.count += other.count
	}
	mu := math.Sqrt(math.Expm1(1/(s.z*s.z))) * math.Sqrt(s.count) * s.q
	if epsilon := accounting.GaussianToEpsilon(mu, delta); epsilon > 0 && epsilon <= 500 {
		gdp.Epsilon, gdp.Why = epsilon, cmp.Or(why, "a central-limit estimate, not a bound")
		return gdp
	}
	gdp.Why = "stops with an error: there is no root between 0 and 500"
	return gdp
}
