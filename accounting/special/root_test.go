package special

import (
	"math"
	"testing"

	_ "epsiloscope/internal/gauge" // the seed of property tests

	"pgregory.net/rapid"
)

// Both ends were looked at, whichever way the function runs, and lie as near as asked for.
func TestCrossing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		root := rapid.Float64Range(-5, 5).Draw(t, "root")
		steep := rapid.Float64Range(0.1, 30).Draw(t, "steepness")
		f := func(x float64) float64 { return math.Expm1(steep * (root - x)) }
		from, to := -6.0, 6.0
		if rapid.Bool().Draw(t, "rising") {
			from, to = to, from
			fall := f
			f = func(x float64) float64 { return -fall(x) }
		}
		above, below := BracketRoot(f, from, to, 1e-12)
		if !(f(above) > 0) || f(below) > 0 || math.Abs(above-below) > 1e-11 {
			t.Errorf("%v and %v around %v", above, below, root)
		}
	})
	if _, b := BracketRoot(func(float64) float64 { return 1 }, 0, 1, 1e-9); !math.IsInf(b, 1) {
		t.Errorf("a function that stays positive is down at %v", b)
	}
	if _, b := BracketRoot(func(float64) float64 { return -1 }, 0, 1, 1e-9); b != 0 {
		t.Errorf("a function that is never positive is down at %v", b)
	}
}

func TestBisect(t *testing.T) {
	low, high := Bisect(0, 10, 0, func(x float64) bool { return x*x <= 2 })
	if low*low > 2 || high*high <= 2 || math.Nextafter(low, high) != high {
		t.Errorf("√2 lies between %v and %v", low, high)
	}
	if low, high := Bisect(0, 8, 1, func(x float64) bool { return x < 3.3 }); low != 3 || high != 4 {
		t.Errorf("to a width of 1: %v and %v", low, high)
	}
}
