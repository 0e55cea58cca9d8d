package renyi

import (
	"math"
	"slices"

	"epsiloscope/accounting/special"
)

// gridOrders is the number of orders that a search over α evaluates first, about one per e-fold
// of α − 1.
const gridOrders = 56

// The searched range of α − 1.
const (
	minOrder = 1e-9
	maxOrder = 1e15
)

// LeastOrder returns the order α > 1 at which convert(α, D_α) is least, that value, and whether the order is
// at an edge of the searched range. beat is a value already known: larger ones need not be found. convert
// must be nondecreasing in D_α, and the curve in α; so an order can be skipped, unevaluated, if the
// divergence of a lower order already gives too large a value. Curves of group and sampled releases are
// expensive, and most orders are skipped.
//
// Every order gives a valid bound, so a minimum that is missed costs tightness, never safety.
func LeastOrder(curve Curve, convert func(alpha, r float64) float64, beat float64) (alpha, least float64, edge bool) {
	return leastOrder(curve, convert, beat, gridOrders)
}

// LeastOrderOfSteps is [LeastOrder] for a curve that jumps, as one that is stated at some orders does: it looks at
// thirty times as many.
func LeastOrderOfSteps(curve Curve, convert func(alpha, r float64) float64, beat float64) (alpha,
	least float64, edge bool) {
	return leastOrder(curve, convert, beat, 30*gridOrders)
}

func leastOrder(curve Curve, convert func(alpha, r float64) float64, beat float64, orders int) (alpha,
	least float64, edge bool) {
	f := special.NoNaN(func(u float64) float64 {
		alpha := 1 + math.Exp(u)
		return convert(alpha, curve(alpha))
	})
	low, high := math.Log(minOrder), math.Log(maxOrder)
	step := (high - low) / float64(orders-1)
	at := func(i int) float64 { return low + float64(i)*step }
	best, value := -1, math.Inf(1)
	found := slices.Repeat([]float64{math.Inf(1)}, orders) // the value at each order that was evaluated
	// visit takes a lower bound on the divergence, and returns one for larger orders.
	visit := func(i int, floor float64) float64 {
		alpha := 1 + math.Exp(at(i))
		if convert(alpha, floor) >= math.Min(value, beat) {
			return floor
		}
		r := curve(alpha)
		if found[i] = convert(alpha, r); found[i] < value {
			best, value = i, found[i]
		}
		if r < floor { // the curve falls after all: no order may be skipped on its account
			return 0
		}
		return r
	}
	start := int((1 - low) / step) // α ≈ 4
	floor := 0.0
	for i := start; i < orders; i++ {
		floor = visit(i, floor)
	}
	for i := start - 1; i >= 0; i-- {
		visit(i, 0)
	}
	if best < 0 {
		return 1 + math.Exp(low), math.Inf(1), true
	}
	x, y := at(best), value
	for _, i := range valleys(found, best) {
		if u, v := special.Brent(f, math.Max(low, at(i-1)), math.Min(high, at(i+1)), at(i), found[i]); v < y {
			x, y = u, v
		}
	}
	x, y = sharpen(f, x, y, low, high)
	// Generic sampled curves are known at whole orders and joined by chords: their minima
	// are kinks there, which a search for smooth minima may walk past.
	centre := math.Floor(1 + math.Exp(x))
	for _, order := range []float64{2, 3, centre - 1, centre, centre + 1, centre + 2} {
		if order < 2 || order > 1e6 {
			continue
		}
		if v := convert(order, curve(order)); v < y {
			x, y = math.Log(order-1), v
		}
	}
	return 1 + math.Exp(x), y, special.MinimumIn(low, high, x, y).Edge
}

// valleys returns the indices of the local minima that a search on a grid may refine to the least value: the best one,
// and others within a tenth of it. The curve of a group or of the best of several runs can have two of nearly the same
// depth, and which one is the deeper on the grid says little: a search that refined that one alone would find a larger
// ε for a larger δ.
func valleys(values []float64, best int) []int {
	list := []int{best}
	var known []int // the orders that were evaluated
	for i, v := range values {
		if !math.IsInf(v, 1) {
			known = append(known, i)
		}
	}
	for k, i := range known {
		left := k == 0 || values[i] < values[known[k-1]]
		right := k == len(known)-1 || values[i] < values[known[k+1]]
		if i != best && left && right && values[i] <= values[best]+0.1*math.Abs(values[best]) {
			list = append(list, i)
		}
	}
	return list
}

// sharpen returns a minimum at a corner of f, if x is next to one, to the last digits. A search for smooth minima ends
// as soon as the square of its step is below rounding, at which f beside a corner is still above its minimum.
func sharpen(f func(float64) float64, x, y, low, high float64) (at, value float64) {
	const step = 1e-6
	a, b := math.Max(low, x-step), math.Min(high, x+step)
	if !(math.Min(f(a), f(b))-y > 1e-9*math.Abs(y)) {
		return x, y
	}
	const golden = 0.3819660112501051
	left, right := a+golden*(b-a), b-golden*(b-a)
	atLeft, atRight := f(left), f(right)
	for range 40 {
		if atLeft < atRight {
			b, right, atRight = right, left, atLeft
			left = a + golden*(b-a)
			atLeft = f(left)
		} else {
			a, left, atLeft = left, right, atRight
			right = b - golden*(b-a)
			atRight = f(right)
		}
	}
	for _, u := range []float64{left, right} {
		if v := f(u); v < y {
			x, y = u, v
		}
	}
	return x, y
}
