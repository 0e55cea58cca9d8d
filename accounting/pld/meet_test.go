package pld

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/accounting/pld/spectrum"
)

// Intervals that overlap meet; two that contradict each other by more than rounding are a fault, whichever comes
// first: an upper end that may be wrong must not win by being smaller.
func TestMeet(t *testing.T) {
	for _, c := range []struct {
		i, j, want [2]float64
		nothing    float64
		fault      bool
	}{
		{[2]float64{1, 3}, [2]float64{2, 4}, [2]float64{2, 3}, 1e-12, false},
		{[2]float64{1, 2}, [2]float64{2 + 1e-12, 3}, [2]float64{2 + 1e-12, 2 + 1e-12}, 1e-12, false},
		{[2]float64{0, 0}, [2]float64{1e-13, 1}, [2]float64{1e-13, 1e-13}, 1e-12, false},
		{[2]float64{1, 2}, [2]float64{3, 4}, [2]float64{}, 1e-12, true},
		{[2]float64{3, 4}, [2]float64{1, 2}, [2]float64{}, 1e-12, true},
		{[2]float64{1, 2}, [2]float64{2.00000001, 3}, [2]float64{}, 1e-12, true},
		{[2]float64{1e-20, 2e-20}, [2]float64{3e-20, 4e-20}, [2]float64{}, smallestDelta, true},
	} {
		got, err := Interval{Lower: c.i[0], Upper: c.i[1]}.meet(Interval{Lower: c.j[0], Upper: c.j[1]}, c.nothing)
		var contradiction *spectrum.ContradictionError
		if errors.As(err, &contradiction) != c.fault {
			t.Errorf("%v meets %v: %v", c.i, c.j, err)
		} else if !c.fault && (got.Lower != c.want[0] || got.Upper != c.want[1]) {
			t.Errorf("%v meets %v: [%v, %v], want %v", c.i, c.j, got.Lower, got.Upper, c.want)
		}
	}
}

// A method that contradicts what is known ends the evaluation, and the error names the stack.
func TestContradictionNamesTheStack(t *testing.T) {
	contradict := func(_ context.Context, d *direction, q query, open []unresolvedPoint) error {
		d.known[open[0].index] = answer{Interval{Lower: 50, Upper: 60}, false}
		return nil
	}
	parts := []pairs.Part{{Pair: pairs.Laplace(0.1), Count: 20}}
	_, err := enclose(context.Background(), parts, query{quantity: epsilonAt{}, at: []float64{1e-6}, width: 1e-4},
		contradict, bySpectrum)
	if err == nil || !strings.Contains(err.Error(), "20 × laplace(0.1)") {
		t.Errorf("%v", err)
	}
}

// FuzzContradictions looks for a stack of which two certified intervals contradict each other.
func FuzzContradictions(f *testing.F) {
	f.Add(0.1, 0.01, 3.0, 1e-6)
	f.Add(2.0, 1e-6, 100.0, 1e-30)
	f.Add(1e-5, 0.5, 1e6, 0.1)
	f.Fuzz(func(t *testing.T, epsilon, rate, count, delta float64) {
		in := func(x, least, most float64) bool { return x >= least && x <= most }
		if !in(epsilon, 1e-9, 50) || !in(rate, 1e-9, 1) || !in(count, 1, 1e9) || !in(delta, 1e-200, 0.9) {
			return
		}
		parts := []pairs.Part{
			{Pair: pairs.Subsample(rate, pairs.Laplace(epsilon)), Count: math.Floor(count)},
			{Pair: pairs.Pure(epsilon / 3), Count: 2},
		}
		for _, width := range []float64{1e-2, 1e-4} {
			var contradiction *spectrum.ContradictionError
			if _, err := Epsilon(context.Background(), parts, delta,
				Options{Width: width}); errors.As(err, &contradiction) {
				t.Fatal(err)
			}
		}
	})
}

// Half a copy has no composition: it falls back on a Rényi bound, and an attack that reaches more than that contradicts
// it. Such a bracket is made by hand here; when the lower end was cut to the upper one nobody would have seen it.
func TestFallbackContradicts(t *testing.T) {
	wrong := pairs.Bracket(pairs.Pure(0.1), pairs.Pure(3), "upside down")
	_, err := Epsilon(t.Context(), []pairs.Part{{Pair: wrong, Count: 1.5}}, 1e-6, Options{})
	var contradiction *spectrum.ContradictionError
	if !errors.As(err, &contradiction) || contradiction.Stack == "" {
		t.Errorf("%v", err)
	}
}
