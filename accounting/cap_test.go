package accounting

import (
	"context"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"epsiloscope/internal/gauge"
)

// The certified upper end is never above a valid bound by another method, for several releases too, and
// however wide the interval may be.
func TestNumericalIsNotAboveAnotherBound(t *testing.T) {
	capped := 0
	gauge.Check(t, gauge.Cases(30, 100), func(t *rapid.T) {
		var stack []Entry
		for range rapid.IntRange(1, 3).Draw(t, "entries") {
			x := math.Exp(rapid.Float64Range(-3, 1).Draw(t, "size"))
			release := rapid.SampledFrom(
				[]Release{PureDP(x), GaussianDP(x), ApproximateDP(x, 1e-9), Subsample(GaussianDP(x), 0.2)}).Draw(t, "release")
			stack = append(stack, Entry{release, float64(rapid.IntRange(1, 6).Draw(t, "count"))})
		}
		target := Target{Delta: math.Exp(rapid.Float64Range(-60, -1).Draw(t, "ln δ")),
			Precision: rapid.SampledFrom([]float64{1e-4, 1e-2}).Draw(t, "precision")}
		alone := Evaluate(context.Background(), Numerical, stack, target)
		bounds := Compare(context.Background(), stack, target)
		numerical := bounds[len(bounds)-1]
		if numerical.Fault != nil || alone.Fault != nil {
			t.Fatal(numerical.Fault, alone.Fault)
		}
		for _, q := range numerical.Quantities() { // what an explanation prints beside the bound
			if q.Symbol == "ε lower" && q.Value != numerical.Lower ||
				q.Symbol == "ε upper" && q.Value != numerical.Epsilon && proseUp(q.Value) == proseUp(numerical.Epsilon) {
				t.Fatalf("%s is %v, the bound [%v, %v]", q.Symbol, q.Value, numerical.Lower, numerical.Epsilon)
			}
		}
		for _, b := range bounds {
			if b.Status == Valid && numerical.Status == Valid &&
				(b.Epsilon < numerical.Epsilon || numerical.Lower > numerical.Epsilon) {
				t.Fatalf("%s: %.12g, numerical [%.12g, %.12g]", b.Method, b.Epsilon, numerical.Lower, numerical.Epsilon)
			}
			if b.Status == Valid && b.Epsilon < alone.Epsilon {
				capped++
			}
		}
	})
	t.Logf("%d upper ends were above another bound", capped)
}

// A theorem whose bound is below what an attack reaches contradicts the certified interval: there is no answer, and the
// error names the stack. Rounding alone is no contradiction.
func TestContradictionIsNotHidden(t *testing.T) {
	stack := []Entry{{GaussianDP(0.5), 17}}
	numerical := Bound{Method: Numerical, Status: Valid, Lower: 2, Epsilon: 2.5}
	for _, c := range []struct {
		name         string
		other        Bound
		lower, upper float64
	}{
		{"inside the interval", Bound{Method: RDP, Status: Valid, Epsilon: 2.25}, 2, 2.25},
		{"above it", Bound{Method: RDP, Status: Valid, Epsilon: 3}, 2, 2.5},
		{"at the lower end but for rounding", Bound{Method: RDP, Status: Valid, Epsilon: 2 - 4e-16}, 2 - 4e-16, 2 - 4e-16},
		{"below the lower end, but it does not apply", Bound{Method: RDP, Status: NotApplicable, Epsilon: 1.9}, 2, 2.5},
		{"below the lower end, but unproven", Bound{Method: RDP, Status: Unproven, Epsilon: 1.9}, 2, 2.5},
	} {
		b := CapNumerical(t.Context(), numerical, []Bound{c.other}, stack)
		if b.Lower != c.lower || b.Epsilon != c.upper || b.Fault != nil {
			t.Errorf("a bound %s: [%v, %v], want [%v, %v]", c.name, b.Lower, b.Epsilon, c.lower, c.upper)
		}
	}
	for _, below := range []float64{1.9, 2 * (1 - 1e-8), 0} {
		b := CapNumerical(t.Context(), numerical, []Bound{{Method: RDP, Status: Valid, Epsilon: below}}, stack)
		if b.Status == Valid || b.Fault == nil || !strings.Contains(b.Fault.Error(), "17 × gaussian(0.5)") {
			t.Errorf("a bound of %v: %s, %v", below, b.Status, b.Fault)
		}
	}
}

// Of 546 runs on one sample the numerical accountant knew only the total guarantee, from above and from below: its
// lower end, 1.2103, was above the Rényi bound, 1.1771.
func TestManyRunsOnASample(t *testing.T) {
	runs := Subsample(Composite([]Entry{{PureDP(0.2718 / 546), 546}}), 0.1)
	bounds := Compare(t.Context(), []Entry{{PureDP(0.2718), 4}, {runs, 4}}, Target{Delta: 1e-12})
	numerical := bounds[len(bounds)-1]
	if least := bounds[Best(bounds)]; numerical.Fault != nil || numerical.Lower > least.Epsilon {
		t.Errorf("%s: %v, and the lower end is %v: %v", least.Method, least.Epsilon, numerical.Lower, numerical.Fault)
	}
}
