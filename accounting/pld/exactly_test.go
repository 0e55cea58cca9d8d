package pld

import (
	"context"
	"math"
	"testing"

	"epsiloscope/internal/gauge"
)

// Adding up losses one by one meets what the spectrum says.
func TestExactly(t *testing.T) {
	for _, c := range []struct {
		parts []Part
		delta float64
	}{
		{[]Part{{Gaussian(0.3), 4}}, 1e-6},
		{[]Part{{Laplace(0.5), 2}}, 1e-8},
		{[]Part{{Laplace(1), 3}, {Gaussian(0.5), 1}}, 1e-12},
		{[]Part{{sgd(0.1, 2), 20}}, 1e-9},
		{[]Part{{Subsample(0.02, DiscreteGaussian(2, 1)), 12}, {BoundedRange(0.3), 2}}, 1e-10},
		{[]Part{{Approximate(0.2, 1e-9), 5}, {Laplace(0.4), 1}}, 1e-6},
	} {
		want, err := Epsilon(context.Background(), c.parts, c.delta, Options{Width: 1e-4})
		if err != nil {
			t.Error(err)
			continue
		}
		got, ok := Exactly(c.parts, c.delta, 2e-3)
		if !ok || got.width() > 2e-3 || got.Lower > want.Upper || got.Upper < want.Lower {
			t.Errorf("%s: one by one [%.9g, %.9g], want [%.9g, %.9g]", c.parts[0].Pair.Key(), got.Lower, got.Upper, want.Lower, want.Upper)
		}
	}
}

// A stack too large to add up one by one, or of losses out of all proportion, is left as it
// is, or has an answer that holds: never NaN, never without end.
func TestExactlyIsBounded(t *testing.T) {
	gauge.Sequential(t)
	for _, parts := range gauge.Some(3, [][]Part{
		{{Laplace(0.01), 1e9}},
		{{Pure(0.1), 2.5}},
		{{Gaussian(1), 1}, {Laplace(1e-7), 3000}},
		{{Pure(1e6), 3}, {Laplace(1e-9), 2}},
		{{Gaussian(1e4), 1}, {Laplace(3), 2}},
		{{Gaussian(1e-12), 1}, {Laplace(1e-12), 2}},
		{{Laplace(700), 2}, {Pure(1e-3), 4000}},
		{{Subsample(1e-200, Gaussian(1)), 2}, {Subsample(1e-9, Laplace(30)), 2}},
		{{Approximate(0, 1e-3), 2}, {Approximate(1, 0.5), 1}},
		{{Approximate(1, 1), 1}, {Laplace(1), 1}},
		{{DiscreteGaussian(100, 1), 2}, {Subsample(0.5, DiscreteGaussian(0.1, 1)), 2}},
		{{Response(1e-8, 3), 4096}, {BoundedRange(1e3), 2}},
	}) {
		for _, delta := range gauge.Some(3, []float64{1e-200, 0.9, 1e-6}) {
			i, ok := Exactly(parts, delta, 1e-2)
			if ok && !(i.Lower <= i.Upper && i.Lower >= 0) {
				t.Errorf("%s, δ = %g: [%g, %g]", parts[0].Pair.Key(), delta, i.Lower, i.Upper)
			}
			j, err := Epsilon(context.Background(), parts, delta, Options{Width: 1e-2})
			if ok && err == nil && (j.Lower > i.Upper || i.Lower > j.Upper) {
				t.Errorf("%s, δ = %g: [%g, %g] and [%g, %g]", parts[0].Pair.Key(), delta, i.Lower, i.Upper, j.Lower, j.Upper)
			}
		}
	}
}

// Losses so unlike that nothing is left of one list: composing on, for nothing, was not
// counted as work, and did not end.
func TestExactlyEndsWhereNothingIsLeft(t *testing.T) {
	i, err := Epsilon(context.Background(), []Part{{DiscreteGaussian(0.3, 1e6), 1000}}, 1e-6, Options{})
	if err != nil || !(i.Lower > 5e12 && i.Lower <= i.Upper && !math.IsInf(i.Upper, 1)) {
		t.Errorf("[%g, %g], %v", i.Lower, i.Upper, err)
	}
}
