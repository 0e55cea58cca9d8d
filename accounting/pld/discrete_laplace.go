package pld

import (
	"math"
	"strconv"
)

// DiscreteLaplace is the pair of integer noise with P(x) ∝ e^{−|x|/scale} on an
// integer query of the given sensitivity (Ghosh, Roughgarden, Sundararajan 2012).
// The loss lives on a lattice of step 2/scale; with sensitivity 1 it is exactly
// randomized response with ε = 1/scale, and larger than that of continuous Laplace. It is
// the chain of that many steps of a pure promise, and as such taken coarser where it is
// long.
func DiscreteLaplace(scale float64, sensitivity int) Pair {
	if sensitivity <= 0 {
		return nothing()
	}
	d := float64(sensitivity)
	switch {
	case sensitivity == 1:
		return Pure(1 / scale)
	case sensitivity > 1<<14: // longer lists take long to sum
		return promised(1/scale, 0, d)
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
