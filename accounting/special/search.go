package special

import "math"

// Bisect narrows [low, high] down to a width, or to neighbouring float64 numbers if width is 0. It assumes
// left(low) and not left(high), and keeps both true for the ends it returns.
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

// BracketRoot narrows down where f passes from positive to not positive, to a relative
// tolerance: f(above) > 0 ≥ f(below) holds for the ends given, in either order on the line,
// and for those returned. Chandrupatla's method (1997): inverse quadratic steps where they
// can be trusted, halving where not. Where f is not positive even at above, that is the
// second end returned; where it is positive even at below, +Inf is.
func BracketRoot(f func(float64) float64, above, below, tolerance float64) (float64, float64) {
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
		least := 0.5 * tolerance * math.Max(math.Abs(a), math.Abs(b)) / width
		t = math.Min(1-least, math.Max(least, Step(a, fa, b, fb, c, fc)))
	}
	if fa <= 0 {
		return b, a
	}
	return a, b
}

// Step returns where between a and b Chandrupatla's method evaluates next, as a share of the way
// from a; c was an end before a.
func Step(a, fa, b, fb, c, fc float64) float64 {
	t := 0.5
	xi, phi := (a-b)/(c-b), (fa-fb)/(fc-fb)
	if phi*phi < xi && (1-phi)*(1-phi) < 1-xi {
		t = fa/(fb-fa)*fc/(fb-fc) + (c-a)/(b-a)*fa/(fc-fa)*fb/(fc-fb)
	}
	if math.IsNaN(t) {
		t = 0.5
	}
	return math.Min(1, math.Max(0, t))
}

// Minimum is the smallest value found and where. Edge reports that it sits at an end of the
// searched range, so that the true minimum may lie beyond.
type Minimum struct {
	At, Value float64
	Edge      bool
}

// Minimise looks for the smallest f on [low, high]: first on a grid of the given
// number of points, then by golden section with parabolic steps (Brent 1973)
// around the best of them. Values of +Inf are allowed, NaN counts as +Inf. It may
// miss the minimum: it is for bounds that hold at every point.
func Minimise(f func(float64) float64, low, high float64, points int) Minimum {
	g := NoNaN(f)
	step := (high - low) / float64(points-1)
	best, value := 0, math.Inf(1)
	for i := range points {
		if y := g(low + float64(i)*step); y < value {
			best, value = i, y
		}
	}
	if math.IsInf(value, 1) {
		return Minimum{low, value, true}
	}
	at := low + float64(best)*step
	x, y := Brent(g, math.Max(low, at-step), math.Min(high, at+step), at, value)
	return MinimumIn(low, high, x, y)
}

// MinimumIn returns a minimum found in a range.
func MinimumIn(low, high, at, value float64) Minimum {
	return Minimum{at, value, at-low < 1e-6*(high-low) || high-at < 1e-6*(high-low)}
}

// NoNaN returns f with +Inf for NaN.
func NoNaN(f func(float64) float64) func(float64) float64 {
	return func(x float64) float64 {
		y := f(x)
		if math.IsNaN(y) {
			return math.Inf(1)
		}
		return y
	}
}

// Brent refines a minimum known to be at most value at x, inside [a, b].
func Brent(f func(float64) float64, a, b, x, fx float64) (float64, float64) {
	const golden, tolerance = 0.3819660112501051, 1e-9
	w, v, fw, fv := x, x, fx, fx
	var d, e float64
	for range 60 {
		mid := (a + b) / 2
		tol := tolerance * (math.Abs(x) + 1)
		zero := fx == 0 && fw == 0 && fv == 0 && x != w && w != v // a bound that is down to 0 around x
		if zero || math.Abs(x-mid) <= 2*tol-(b-a)/2 {
			break
		}
		parabolic := false
		if math.Abs(e) > tol {
			r := (x - w) * (fx - fv)
			q := (x - v) * (fx - fw)
			p := (x-v)*q - (x-w)*r
			q = 2 * (q - r)
			if q > 0 {
				p = -p
			}
			q = math.Abs(q)
			if math.Abs(p) < math.Abs(q*e/2) && p > q*(a-x) && p < q*(b-x) {
				e, d, parabolic = d, p/q, true
			}
		}
		if !parabolic {
			if x < mid {
				e = b - x
			} else {
				e = a - x
			}
			d = golden * e
		}
		if math.Abs(d) < tol {
			d = math.Copysign(tol, d)
		}
		u := x + d
		fu := f(u)
		if fu <= fx {
			if u < x {
				b = x
			} else {
				a = x
			}
			v, fv, w, fw, x, fx = w, fw, x, fx, u, fu
			continue
		}
		if u < x {
			a = u
		} else {
			b = u
		}
		if fu <= fw || w == x {
			v, fv, w, fw = w, fw, u, fu
		} else if fu <= fv || v == x || v == w {
			v, fv = u, fu
		}
	}
	return x, fx
}
