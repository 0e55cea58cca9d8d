package pairs

import (
	"math"
	"slices"
)

// maxCorners is the largest number of corners of a profile that are listed.
const maxCorners = 400

// Corners returns the ε ≥ 0 at which the profile of a stack has a corner, in increasing order: the sums of
// losses that have a mass of their own. Between two of them δ(ε) is a line in e^ε if the stack has no other
// losses, so that its values there give the whole curve. It is empty if there are too many.
func Corners(parts []Part) []float64 {
	var corners []float64
	for _, way := range []func(Pair) *Loss{removeLoss, addLoss} {
		sums := []float64{0}
		for _, part := range parts {
			one := way(part.Pair.orInvalid()).upper.list
			if len(one) == 0 || !(part.Count <= maxCorners) || len(one) > maxCorners {
				return nil
			}
			for range int(part.Count) {
				if sums = addLosses(sums, one); len(sums) > maxCorners {
					return nil
				}
			}
		}
		for _, s := range sums {
			corners = append(corners, math.Max(0, s))
		}
	}
	return distinctLosses(corners)
}

// addLosses returns all sums of one number of each list.
func addLosses(sums []float64, list []atom) []float64 {
	all := make([]float64, 0, len(sums)*len(list))
	for _, s := range sums {
		for _, a := range list {
			all = append(all, s+a.loss)
		}
	}
	return distinctLosses(all)
}

// distinctLosses sorts losses and keeps one of those that differ by rounding.
func distinctLosses(losses []float64) []float64 {
	slices.Sort(losses)
	return slices.CompactFunc(losses, func(a, b float64) bool { return math.Abs(b-a) <= 1e-12*(1+math.Abs(b)) })
}
