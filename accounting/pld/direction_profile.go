package pld

import "context"

// Neighbours names the order in which the two data sets of a pair are read.
type Neighbours int

// The two orders of a pair. Under add-remove, WithRecord takes the data set with the record
// as the true one and the data set without it as the alternative.
const (
	WithRecord    Neighbours = iota // the loss called remove
	WithoutRecord                   // the loss called add
)

// DirectedProfile returns certified ends of δ(ε) of the stack in one direction, at every
// real ε asked for. Profile, in contrast, stops refining the direction that is not the worse.
func DirectedProfile(ctx context.Context, parts []Part, order Neighbours, epsilons []float64, opt Options) (lower, upper []float64, err error) {
	one := make([]Part, len(parts))
	for i, p := range parts {
		if p.Pair.Remove == nil || p.Pair.Add == nil {
			return nil, nil, unsupportedError("a line of the stack has no dominating pair")
		}
		loss := p.Pair.Remove
		if order == WithoutRecord {
			loss = p.Pair.Add
		}
		one[i] = Part{symmetric(loss), p.Count}
	}
	return Profile(ctx, one, epsilons, opt)
}

// SymmetricStack reports whether every pair of the stack reads the same in both directions.
func SymmetricStack(parts []Part) bool {
	for _, p := range parts {
		if p.Pair.Remove == nil || p.Pair.Add == nil || !p.Pair.Symmetric() {
			return false
		}
	}
	return true
}
