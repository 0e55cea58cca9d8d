package special

import "math"

// Bisect narrows [low, high] down to a width, or to neighbouring numbers if that is 0. At
// low left holds, at high it does not; both are taken for granted at the ends given.
func Bisect(low, high, width float64, left func(float64) bool) (float64, float64) {
	for high-low > width {
		mid := low + (high-low)/2
		if !(mid > low && mid < high) {
			break
		}
		if left(mid) {
			low = mid
		} else {
			high = mid
		}
	}
	return low, high
}

// Crossing narrows down where f passes from positive to not positive, to a relative
// tolerance: f(above) > 0 ≥ f(below) holds for the ends given, in either order on the line,
// and for those returned. Chandrupatla's method (1997): inverse quadratic steps where they
// can be trusted, halving where not. Where f is not positive even at above, that is the
// second end returned; where it is positive even at below, +Inf is.
func Crossing(f func(float64) float64, above, below, tolerance float64) (float64, float64) {
	a, fa := below, f(below)
	b, fb := above, f(above)
	switch {
	case fb <= 0:
		return above, above
	case fa > 0:
		return below, math.Inf(1)
	}
	c, fc := a, fa
	t := 0.5
	for range 200 {
		x := a + t*(b-a)
		fx := f(x)
		if (fx > 0) == (fa > 0) {
			c, fc = a, fa
		} else {
			c, fc = b, fb
			b, fb = a, fa
		}
		a, fa = x, fx
		width := math.Abs(b - a)
		if width <= tolerance*math.Max(math.Abs(a), math.Abs(b)) || width < 1e-300 {
			break
		}
		t = chandrupatlaStep(a, fa, b, fb, c, fc, tolerance)
	}
	if fa <= 0 {
		return b, a
	}
	return a, b
}

func chandrupatlaStep(a, fa, b, fb, c, fc, tolerance float64) float64 {
	t := 0.5
	xi, phi := (a-b)/(c-b), (fa-fb)/(fc-fb)
	if phi*phi < xi && (1-phi)*(1-phi) < 1-xi {
		t = fa/(fb-fa)*fc/(fb-fc) + (c-a)/(b-a)*fa/(fc-fa)*fb/(fc-fb)
	}
	least := 0.5 * tolerance * math.Max(math.Abs(a), math.Abs(b)) / math.Abs(b-a)
	if math.IsNaN(t) {
		t = 0.5
	}
	return math.Min(1-least, math.Max(least, t))
}
