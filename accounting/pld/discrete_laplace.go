package pld

import (
	"math"
	"strconv"
)

// manyAtoms is the largest lattice that is listed point by point.
const manyAtoms = 1 << 21

// DiscreteLaplace is the pair of integer noise with P(x) ∝ e^{−|x|/scale} on an
// integer query of the given sensitivity (Ghosh, Roughgarden, Sundararajan 2012).
// The loss lives on a lattice of step 2/scale; with sensitivity 1 it is exactly
// randomized response with ε = 1/scale, and larger than that of continuous Laplace.
func DiscreteLaplace(scale float64, sensitivity int) Pair {
	if sensitivity <= 0 {
		return nothing()
	}
	d := float64(sensitivity)
	if sensitivity == 1 || sensitivity > manyAtoms {
		p := Pure(d / scale) // dominates; with sensitivity 1 it is the same pair
		if l, ok := p.Remove.(*discrete); ok && l.shift != nil && sensitivity == 1 {
			// Of k records it is not: their loss has k + 1 values, not two.
			l.shift = func(k float64) Pair { return DiscreteLaplace(scale, int(k)) }
		}
		return p
	}
	a := math.Exp(-1 / scale)
	unit := -math.Expm1(-1/scale) / (1 + a) // P(0)
	points := make([]atom, 0, sensitivity+1)
	far := math.Exp(-d/scale) / (1 + a)
	points = append(points, atom{-d / scale, far, 1 / (1 + a)})
	for x := sensitivity - 1; x >= 1; x-- {
		p := unit * math.Exp(-float64(x)/scale)
		q := unit * math.Exp(-float64(sensitivity-x)/scale)
		points = append(points, atom{(d - 2*float64(x)) / scale, p, q})
	}
	points = append(points, atom{d / scale, 1 / (1 + a), far})
	key := "discrete-laplace(" + number(scale) + "," + strconv.Itoa(sensitivity) + ")"
	l := newDiscrete(key, points, 0, 0)
	l.shift = func(k float64) Pair { return DiscreteLaplace(scale, int(k)*sensitivity) }
	return symmetric(l)
}
