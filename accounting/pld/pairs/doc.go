// Package pairs says what one release looks like to an attacker: a dominating [Pair], with a [Loss] for each order
// of the neighbours. What comes in is the family of a release and its numbers; what goes out is a pair that package
// pld composes with others ([Part], [Fold]) and that a certificate names ([Pair.Form]).
//
// # Where losses come from
//
// The families of noise and of stated guarantees are in families.go, lattices.go and draws.go, what sampling makes of
// them in sampled.go and sampled_replace_by.go, batches in allocation.go (package bins) and shuffled.go. Chains of
// steps (chain.go, approximate_group.go), maxima of curves (parallel.go) and runs of selections (ranges.go and package
// ranges) end as lists of atoms (list.go and package exact), most of them from values of a curve at some losses
// (connect.go).
//
// # Estimates
//
// A loss holds two [Estimate] values: an upper one, which dominates the release, and a lower one, which some allowed
// mechanism attains. If the loss is known, both are the loss itself. Only this package makes a loss: a curve
// δ(ε) alone does not say how it composes.
package pairs
