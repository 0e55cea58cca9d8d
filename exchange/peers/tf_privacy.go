package peers

import (
	"cmp"
	"context"
	"math"
	"strconv"
)

// tfPrivacy returns the two values of ε in the statement that TF-Privacy prints for one training, and that of its
// deprecated function. By default the statement assumes microbatches of several records, which halves the noise
// multiplier; the deprecated function does not.
func tfPrivacy(_ context.Context, j job) ([]ToolResult, error) {
	const tool = "TF-Privacy 0.9.0"
	once := ToolResult{tool, "statement, once per epoch", math.NaN(), "", ""}
	poisson := ToolResult{tool, "statement, Poisson", math.NaN(), "", ""}
	older := ToolResult{tool, "compute_dp_sgd_privacy", math.NaN(), "", ""}
	if j.matrix != nil || len(j.runs) != 1 || j.runs[0].repeats != 1 {
		once.Why = "states one training by DP-SGD only"
		poisson.Why, older.Why = once.Why, once.Why
		return []ToolResult{once, poisson, older}, nil
	}
	r := j.runs[0]
	q, z, epochs := r.SamplingRate, r.NoiseMultiplier, cmp.Or(r.Epochs, r.Steps*r.SamplingRate)
	orders, halved := dpAccountingOrders(), "half the noise, as it assumes microbatches"
	one := []steps{{1, z / 2, math.Ceil(epochs)}}
	once.Epsilon, _ = dpAccountingLeast(orders, sumOf(one, absoluteRenyi), j.delta)
	once.Why = joinReasons(mismatchText(j.recordMismatch()), "no gain by sampling, and "+halved)
	many := []steps{{q, z / 2, math.Ceil(epochs / q)}}
	poisson.Epsilon, _ = dpAccountingLeast(orders, sumOf(many, absoluteRenyi), j.delta)
	poisson.Why = joinReasons(j.poissonMismatch(), halved)
	once.roundToStatement()
	poisson.roundToStatement()
	orders = tfPrivacyOrders()
	many[0].z = z
	if r.Batch > 0 { // the older function divides in another order, which can be a step more or less
		many[0].count = math.Ceil(epochs * r.Records / r.Batch)
	}
	epsilon, alpha := dpAccountingLeast(orders, sumOf(many, absoluteRenyi), j.delta)
	older.Epsilon, older.Why = epsilon, cmp.Or(j.poissonMismatch(), orderNote(orders, alpha))
	return []ToolResult{once, poisson, older}, nil
}

// statementDecimals is the number of decimals of ε in a statement, rounded to the nearest.
const statementDecimals = 3

// roundToStatement keeps the decimals that a statement prints.
func (f *ToolResult) roundToStatement() {
	if f.HasValue() {
		f.Text = strconv.FormatFloat(f.Epsilon, 'f', statementDecimals, 64)
		f.Epsilon, _ = strconv.ParseFloat(f.Text, 64)
	}
}
