package pld

import (
	"context"
	"math"
	"testing"

	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/internal/gauge"
)

// Adding up losses one by one meets what the spectrum says.
func TestExactly(t *testing.T) {
	for _, c := range gauge.Some(2, []struct {
		parts []pairs.Part
		delta float64
	}{
		{[]pairs.Part{{Pair: pairs.Gaussian(0.3), Count: 4}}, 1e-6},
		{[]pairs.Part{{Pair: pairs.Laplace(0.5), Count: 2}}, 1e-8},
		{[]pairs.Part{{Pair: pairs.Laplace(1), Count: 3}, {Pair: pairs.Gaussian(0.5), Count: 1}}, 1e-12},
		{[]pairs.Part{{Pair: pairs.Subsample(0.02, pairs.DiscreteGaussian(2, 1)), Count: 12}, {Pair: pairs.BoundedRange(0.3), Count: 2}}, 1e-10},
		{[]pairs.Part{{Pair: sgd(0.1, 2), Count: 20}}, 1e-9},
		{[]pairs.Part{{Pair: pairs.Approximate(0.2, 1e-9), Count: 5}, {Pair: pairs.Laplace(0.4), Count: 1}}, 1e-6},
	}) {
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
	for _, parts := range gauge.Some(3, [][]pairs.Part{
		{{Pair: pairs.Laplace(0.01), Count: 1e9}},
		{{Pair: pairs.Pure(0.1), Count: 2.5}},
		{{Pair: pairs.Gaussian(1), Count: 1}, {Pair: pairs.Laplace(1e-7), Count: 3000}},
		{{Pair: pairs.Pure(1e6), Count: 3}, {Pair: pairs.Laplace(1e-9), Count: 2}},
		{{Pair: pairs.Gaussian(1e4), Count: 1}, {Pair: pairs.Laplace(3), Count: 2}},
		{{Pair: pairs.Gaussian(1e-12), Count: 1}, {Pair: pairs.Laplace(1e-12), Count: 2}},
		{{Pair: pairs.Laplace(700), Count: 2}, {Pair: pairs.Pure(1e-3), Count: 4000}},
		{{Pair: pairs.Subsample(1e-200, pairs.Gaussian(1)), Count: 2}, {Pair: pairs.Subsample(1e-9, pairs.Laplace(30)), Count: 2}},
		{{Pair: pairs.Approximate(0, 1e-3), Count: 2}, {Pair: pairs.Approximate(1, 0.5), Count: 1}},
		{{Pair: pairs.Approximate(1, 1), Count: 1}, {Pair: pairs.Laplace(1), Count: 1}},
		{{Pair: pairs.DiscreteGaussian(100, 1), Count: 2}, {Pair: pairs.Subsample(0.5, pairs.DiscreteGaussian(0.1, 1)), Count: 2}},
		{{Pair: pairs.Response(1e-8, 3), Count: 4096}, {Pair: pairs.BoundedRange(1e3), Count: 2}},
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
	i, err := Epsilon(context.Background(),
		[]pairs.Part{{Pair: pairs.DiscreteGaussian(0.3, 1e6), Count: 1000}}, 1e-6, Options{})
	if err != nil || !(i.Lower > 5e12 && i.Lower <= i.Upper && !math.IsInf(i.Upper, 1)) {
		t.Errorf("[%g, %g], %v", i.Lower, i.Upper, err)
	}
}
