package accounting_test

import (
	"context"
	"math"
	"testing"

	"epsiloscope/accounting"

	"pgregory.net/rapid"
)

// numericalOf is the certified interval of a stack.
func numericalOf(t *testing.T, stack ...accounting.Entry) (lower, upper float64) {
	t.Helper()
	for _, b := range accounting.Compare(context.Background(), stack, accounting.Target{Delta: 1e-6}) {
		if b.Method == accounting.Numerical {
			if b.Status != accounting.Valid {
				t.Fatalf("%+v", b)
			}
			return b.Lower, b.Epsilon
		}
	}
	return 0, 0
}

func selections(epsilon, count float64) accounting.Entry {
	return accounting.Entry{Release: accounting.BoundedRangeDP(epsilon), Count: count}
}

// A hundred selections at ε = 0.1: 2.2514 by the recursion; 2.401 by RDP, 2.613 one by one.
func TestSelectionsTogether(t *testing.T) {
	lower, upper := numericalOf(t, selections(0.1, 100))
	if upper < 2.250809 || upper > 2.2520 || lower > 2.251393 || lower < 2.249 {
		t.Errorf("%v to %v", lower, upper)
	}
}

// Of selections with unlike ε each kind is taken together: more
// than either, less than all one by one; and noise beside them adds to both.
func TestSelectionsBesideOthers(t *testing.T) {
	_, alone := numericalOf(t, selections(0.1, 100))
	lower, both := numericalOf(t, selections(0.1, 100), selections(0.2, 5))
	_, unlike := numericalOf(t, accounting.Entry{Release: accounting.Subsample(accounting.BoundedRangeDP(0.1), 0.999999), Count: 100}, selections(0.2, 5))
	if !(alone < both && both < 0.97*unlike && lower > alone*0.99) {
		t.Errorf("alone %v, with five others %v to %v, one by one %v", alone, lower, both, unlike)
	}
	lower, noisy := numericalOf(t, selections(0.1, 100), accounting.Entry{Release: accounting.GaussianDP(0.5), Count: 1})
	if !(noisy > alone && lower <= noisy && lower > 0.97*noisy) {
		t.Errorf("with noise %v to %v", lower, noisy)
	}
}

// An answer to another question may come between two selections, and the second be chosen by
// looking at it. No such attacker beats the bound.
func TestSelectionsInterleaved(t *testing.T) {
	const epsilon, other = 0.7, 0.9
	stack := []accounting.Entry{selections(epsilon, 3), {Release: accounting.PureDP(other), Count: 1}}
	losses, bounds := []float64{0, 0.6, 1.3, 2.2, 2.8}, make([]float64, 5)
	for i, x := range losses {
		var err error
		if _, bounds[i], err = accounting.DeltaAt(context.Background(), stack, x, 0); err != nil {
			t.Fatal(err)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		order := rapid.Permutation([]bool{true, true, true, false}).Draw(t, "selects")
		var play func(x float64, left []bool) float64
		play = func(x float64, left []bool) float64 {
			if len(left) == 0 {
				return math.Max(0, -math.Expm1(x))
			}
			up, down := other, -other
			p := 1 / (1 + math.Exp(-other))
			if left[0] {
				up = rapid.Float64Range(0, epsilon).Draw(t, "t")
				down = up - epsilon
				p = (math.Exp(epsilon) - math.Exp(up)) / math.Expm1(epsilon)
			}
			return p*play(x-up, left[1:]) + (1-p)*play(x-down, left[1:])
		}
		i := rapid.IntRange(0, len(losses)-1).Draw(t, "x")
		if truth := play(losses[i], order); truth > bounds[i]*(1+1e-9) {
			t.Errorf("at %v: %v, bound %v", losses[i], truth, bounds[i])
		}
	})
}

// Selections fixed in advance cost a little less, by the numerical column alone; together
// with others they still do.
func TestSelectionsFixedInAdvance(t *testing.T) {
	fixed := func(epsilon, count float64) accounting.Entry {
		return accounting.Entry{Release: accounting.FixedRangeDP(epsilon), Count: count}
	}
	_, adaptive := numericalOf(t, selections(0.2, 20))
	lower, settled := numericalOf(t, fixed(0.2, 20))
	if !(settled < adaptive && settled > 0.98*adaptive && lower <= settled && lower > 0.999*settled) {
		t.Errorf("%v to %v, adaptive %v", lower, settled, adaptive)
	}
	_, beside := numericalOf(t, fixed(0.2, 20), accounting.Entry{Release: accounting.GaussianDP(0.3), Count: 1})
	_, besideAdaptive := numericalOf(t, selections(0.2, 20), accounting.Entry{Release: accounting.GaussianDP(0.3), Count: 1})
	if !(beside > settled && beside < besideAdaptive) {
		t.Errorf("beside noise %v, adaptive %v", beside, besideAdaptive)
	}
	if !accounting.FixedInAdvance(accounting.Named(accounting.FixedRangeDP(1), "x")) || accounting.FixedInAdvance(accounting.BoundedRangeDP(1)) {
		t.Error("what is fixed in advance is not known")
	}
}
