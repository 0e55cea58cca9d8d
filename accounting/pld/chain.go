package pld

import "math"

// chain is a loss that dominates P against Q when the two steps P against R and R
// against Q are dominated by first and second.
//
// If T(P, R) ≥ f and T(R, Q) ≥ g as trade-off functions then T(P, Q) ≥ g(1 − f)
// (Dong, Roth, Su 2022, Lemma A.5, the argument behind group privacy). That function is attained
// by the pair in which both steps order the outcomes alike: at the same quantile of
// R both losses add. On stand-ins with finitely many losses it is a merge of two
// sorted lists by R-mass. It is a trade-off function itself, so the result dominates
// and composes.
func chain(key string, first, second *law) *law {
	// R-mass of the first list is its Q-mass, of the second its P-mass, both from the
	// largest loss down.
	top := first.top
	var points []atom
	i, j := len(first.list)-1, len(second.list)-1
	left, right := 0.0, second.top // R-mass left in the current point of each
	infinite := second.top > 0     // the second list starts with its mass at +∞
	if i >= 0 {
		left = first.list[i].q
	}
	if !infinite && j >= 0 {
		right = second.list[j].p
	}
	for i >= 0 && (infinite || j >= 0) {
		r := math.Min(left, right)
		a := first.list[i]
		p := 0.0
		if a.q > 0 {
			p = a.p * (r / a.q)
		} else {
			p = a.p // no R-mass at all: takes no room in the second list
		}
		switch {
		case infinite:
			top += p
		default:
			b := second.list[j]
			loss := a.loss + b.loss
			q := 0.0
			if b.p > 0 {
				q = b.q * (r / b.p)
			}
			points = append(points, atom{loss, p, q})
		}
		left -= r
		right -= r
		if left <= 0 {
			if i--; i >= 0 {
				left = first.list[i].q
			}
		}
		if right <= 0 {
			if infinite {
				infinite = false
			} else {
				j--
			}
			if j >= 0 {
				right = second.list[j].p
			}
		}
	}
	// What the second list does not cover can only be round-off; its lowest loss
	// already stands below.
	rest := 0.0
	if i >= 0 {
		rest = first.list[i].p
		if q := first.list[i].q; q > 0 {
			rest *= left / q
		}
		for i--; i >= 0; i-- {
			rest += first.list[i].p
		}
	}
	if rest > 0 && len(points) > 0 {
		points[len(points)-1].p += rest
	}
	return estimate(key, points, math.Min(1, top), 0)
}
