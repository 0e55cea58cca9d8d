package accounting_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/internal/gauge"

	"pgregory.net/rapid"
)

// numericalOf returns the certified interval of a stack.
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
	_, unlike := numericalOf(t, accounting.Entry{Release: accounting.Subsample(accounting.BoundedRangeDP(0.1),
		0.999999), Count: 100}, selections(0.2, 5))
	if !(alone < both && both < 0.97*unlike && lower > alone*0.99) {
		t.Errorf("alone %v, with five others %v to %v, one by one %v", alone, lower, both, unlike)
	}
	lower, noisy := numericalOf(t, selections(0.1, 100),
		accounting.Entry{Release: accounting.GaussianDP(0.5), Count: 1})
	if !(noisy > alone && lower <= noisy && lower > 0.97*noisy) {
		t.Errorf("with noise %v to %v", lower, noisy)
	}
}

// Answers to other questions, or selections with another ε, may come between two selections,
// and each be chosen after all earlier answers. No such attacker beats the bound, in
// whatever order they come: every path of his game is played, with t drawn anew at every node.
func TestSelectionsInterleaved(t *testing.T) {
	gauge.Sequential(t)
	type kind struct {
		epsilon float64
		selects bool // else it is randomized response
	}
	for name, kinds := range map[string][]kind{
		"beside an answer":  {{0.7, true}, {0.7, true}, {0.7, true}, {0.9, false}},
		"two kinds, 2 + 2":  {{0.7, true}, {0.7, true}, {1.3, true}, {1.3, true}},
		"two kinds, 3 + 1":  {{0.2, true}, {0.2, true}, {0.2, true}, {2, true}},
		"both and response": {{0.5, true}, {0.5, true}, {1, true}, {1, true}, {0.6, false}},
	} {
		count, most := map[kind]float64{}, 0.0
		for _, k := range kinds {
			count[k]++
			most += k.epsilon
		}
		var stack []accounting.Entry
		for k, n := range count {
			release := accounting.PureDP(k.epsilon)
			if k.selects {
				release = accounting.BoundedRangeDP(k.epsilon)
			}
			stack = append(stack, accounting.Entry{Release: release, Count: n})
		}
		losses, bounds := []float64{}, []float64{}
		for _, share := range []float64{0, 0.15, 0.4, 0.7, 0.9} {
			_, bound, err := accounting.DeltaAt(context.Background(), stack, share*most, 1e-3)
			if err != nil {
				t.Fatal(err)
			}
			losses, bounds = append(losses, share*most), append(bounds, bound)
		}
		closest := 0.0
		gauge.Check(t, gauge.Cases(60, 400), func(t *rapid.T) {
			order := rapid.Permutation(kinds).Draw(t, "order")
			i := rapid.IntRange(0, len(losses)-1).Draw(t, "x")
			// Half of them aim: where the worst one release alone would be, t = (ε + x)/2.
			aims := rapid.Bool().Draw(t, "aims")
			var play func(x float64, left []kind) float64
			play = func(x float64, left []kind) float64 {
				if len(left) == 0 {
					return math.Max(0, -math.Expm1(x))
				}
				e := left[0].epsilon
				up, down, p := e, -e, 1/(1+math.Exp(-e))
				if left[0].selects {
					if up = rapid.Float64Range(0, e).Draw(t, "t"); aims {
						up = math.Max(0, math.Min(e, (e+x/float64(len(left)))/2))
					}
					down = up - e
					p = (math.Exp(e) - math.Exp(up)) / math.Expm1(e)
				}
				return p*play(x-up, left[1:]) + (1-p)*play(x-down, left[1:])
			}
			truth := play(losses[i], order)
			if truth > bounds[i]*(1+1e-9) {
				t.Errorf("%s at %v: %v, bound %v", name, losses[i], truth, bounds[i])
			}
			closest = math.Max(closest, truth/bounds[i])
		})
		if t.Logf("%s: the best attacker has %.4f of the bound", name, closest); closest < 0.8 {
			t.Errorf("%s: no attacker comes near the bound", name)
		}
	}
}

// Selections fixed in advance cost a little less, by the numerical bound alone; together
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
	_, besideAdaptive := numericalOf(t, selections(0.2, 20),
		accounting.Entry{Release: accounting.GaussianDP(0.3), Count: 1})
	if !(beside > settled && beside < besideAdaptive) {
		t.Errorf("beside noise %v, adaptive %v", beside, besideAdaptive)
	}
	if _, many := numericalOf(t, fixed(1e-4, 2e6)); !(many > 0 && many < 2) { // too many for the recursion, too
		t.Errorf("ε = %g of very many", many)
	}
	for _, b := range accounting.Compare(context.Background(), []accounting.Entry{fixed(0.2, 1100)},
		accounting.Target{Delta: 1e-6}) {
		if b.Method == accounting.Numerical && !strings.Contains(b.Note, "too many selections for the bound of fixed ones") {
			t.Errorf("of 1100 selections it is not said that they count as adaptive ones: %q", b.Note)
		}
	}
	if !accounting.FixedInAdvance(accounting.WithName(accounting.FixedRangeDP(1), "x")) ||
		accounting.FixedInAdvance(accounting.BoundedRangeDP(1)) {
		t.Error("what is fixed in advance is not known")
	}
}
