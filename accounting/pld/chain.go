package pld

import (
	"math"
	"slices"
)

// chain is a loss that dominates P against Q when the two steps P against R and R
// against Q are dominated by first and second.
//
// If T(P, R) ≥ f and T(R, Q) ≥ g as trade-off functions then T(P, Q) ≥ g(1 − f)
// (Dong, Roth, Su 2022, Lemma A.5, the argument behind group privacy). That function is attained
// by the pair in which both steps order the outcomes alike: at the same quantile of
// R both losses add. For finitely many losses it is a merge of two
// sorted lists by R-mass. It is a trade-off function itself, so the result dominates
// and composes.
func chain(key string, first, second *law) *law {
	// R-mass of the first list is its Q-mass, of the second its P-mass, both from the
	// largest loss down; the second starts with its mass at +∞.
	over := []atom{{loss: math.Inf(1), p: second.top}}
	for _, b := range slices.Backward(second.list) {
		over = append(over, b)
	}
	top := first.top
	var points []atom
	j, right := 0, second.top // R-mass left of over[j]
	for _, a := range slices.Backward(first.list) {
		for left := a.q; ; { // R-mass of a that is not yet placed
			for right <= 0 && j < len(over) {
				if j++; j < len(over) {
					right = over[j].p
				}
			}
			if j == len(over) {
				// What the second list does not cover can only be round-off; its lowest loss
				// already stands below.
				if n := len(points); n > 0 && a.q > 0 {
					points[n-1].p += a.p * (left / a.q)
				} else if n > 0 {
					points[n-1].p += a.p
				}
				break
			}
			r, p := math.Min(left, right), a.p
			if a.q > 0 { // without R-mass it takes no room in the second list
				p *= r / a.q
			}
			if b := over[j]; j == 0 {
				top += p
			} else {
				points = append(points, atom{a.loss + b.loss, p, b.q * (r / b.p)})
			}
			left -= r
			right -= r
			if left <= 0 {
				break
			}
		}
	}
	return estimate(key, points, math.Min(1, top), 0)
}
