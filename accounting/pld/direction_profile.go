package pld

import "context"

// DirectedProfile returns certified ends of δ(ε) of the stack in one direction, at every
// real ε asked for. Profile, in contrast, stops refining the direction that is not the worse.
func DirectedProfile(ctx context.Context, parts []Part, way Direction, epsilons []float64, opt Options) (lower, upper []float64, err error) {
	one := make([]Part, len(parts))
	for i, p := range parts {
		if p.Pair.Remove == nil || p.Pair.Add == nil {
			return nil, nil, unsupportedError("a line of the stack has no dominating pair")
		}
		loss := p.Pair.Remove
		if way == WithoutRecord {
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
