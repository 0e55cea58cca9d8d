package pld

import (
	"context"
	"math"
	"strings"
	"testing"

	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/internal/gauge"
)

// The bound of last resort lies above the tight value, also with mass at +∞.
func TestFallbackIsAbove(t *testing.T) {
	for _, parts := range [][]pairs.Part{
		{{Pair: pairs.Pure(0.1), Count: 100}},
		{{Pair: pairs.Laplace(0.05), Count: 1000}},
		{{Pair: pairs.Approximate(0.1, 1e-8), Count: 100}},
		{{Pair: sgd(0.01, 1.1), Count: 1000}, {Pair: pairs.Laplace(0.1), Count: 5}},
	} {
		tight, err := Epsilon(context.Background(), parts, 1e-5, Options{})
		if err != nil {
			t.Fatal(err)
		}
		q := query{quantity: epsilonAt{}, at: []float64{1e-5}, width: 1e-4}
		directions, _ := enclose(context.Background(), parts, q, byRenyi)
		got := directions.intervalAt(0)
		if got.Upper < tight.Lower || got.Lower > tight.Upper || math.IsInf(got.Upper, 1) {
			t.Errorf("%s: [%g, %g], tight [%g, %g]", parts[0].Pair.Key(), got.Lower, got.Upper, tight.Lower, tight.Upper)
		}
	}
}

// The points of a curve share their orders: each bound is hardly above the one at the best order of its point alone,
// and not below it.
func TestFallbackOfCurve(t *testing.T) {
	epsilons := gauge.Some(2, []float64{0, 0.01, 0.3, 1, 2.5, 7})
	for _, parts := range [][]pairs.Part{
		{{Pair: pairs.Laplace(0.05), Count: 1000}},
		{{Pair: pairs.Approximate(0.1, 1e-8), Count: 100}},
		{{Pair: sgd(1e-6, 0.6), Count: 100}},
		{{Pair: sgd(0.01, 1.1), Count: 1000}, {Pair: pairs.Laplace(0.1), Count: 5}},
	} {
		fallback := func(at ...float64) directions {
			out, err := enclose(context.Background(), parts, query{quantity: deltaAt{}, at: at, width: 1e-4}, byRenyi)
			if err != nil {
				t.Fatal(err)
			}
			return out
		}
		curve := fallback(epsilons...)
		for n, epsilon := range epsilons {
			shared, alone := curve.intervalAt(n), fallback(epsilon).intervalAt(0)
			if shared.Upper < alone.Upper*(1-1e-8) || shared.Upper > alone.Upper*1.001 || shared.Lower != alone.Lower {
				t.Errorf("%s at %g: [%g, %g], alone [%g, %g]", parts[0].Pair.Key(), epsilon, shared.Lower, shared.Upper,
					alone.Lower, alone.Upper)
			}
		}
	}
}

// Below the range of the masses the accountant says what it did instead.
func TestTinyDelta(t *testing.T) {
	i, err := Epsilon(context.Background(), []pairs.Part{{Pair: pairs.Laplace(0.1), Count: 100}}, 1e-307, Options{})
	if err != nil || !strings.Contains(i.Note, "Rényi") || i.Upper > 10.000001 || i.Upper < 9 {
		t.Errorf("[%g, %g] %q %v", i.Lower, i.Upper, i.Note, err)
	}
}

// A bound of last resort says why it is one, and what else keeps the interval wide, each once.
func TestFallbackNotes(t *testing.T) {
	const why = "the scale is not known"
	parts := []pairs.Part{{Pair: pairs.Bracket(pairs.Laplace(0.2), pairs.Laplace(0.1), why), Count: 100},
		{Pair: pairs.Pure(0.1), Count: 3}}
	i, err := Epsilon(context.Background(), parts, 1e-307, Options{})
	if err != nil || i.Form != FormRenyi || strings.Count(i.Note, why) != 1 || strings.Count(i.Note, fallenBack) != 1 {
		t.Errorf("%q: %q, %v", i.Form, i.Note, err)
	}
	if i, err := Epsilon(context.Background(), parts, 1e-6, Options{}); err != nil || i.Note != why {
		t.Errorf("%q: %q, %v", i.Form, i.Note, err)
	}
}

// Where δ is at least the distance of the two data sets, ε is 0, and no grid is needed to
// see it; where it is a little less, ε is not.
func TestLargeDelta(t *testing.T) {
	var parts []pairs.Part
	for i := range gauge.Cases(20, 60) {
		parts = append(parts, pairs.Part{Pair: pairs.Subsample(0.01, pairs.Laplace(0.1+0.001*float64(i))), Count: 1000})
	}
	i, err := Epsilon(context.Background(), parts, 0.5, Options{})
	if err != nil || i.Upper != 0 || i.Form == "" {
		t.Errorf("%+v, %v", i, err)
	}
	distance := pairs.Laplace(0.3).Delta(0)
	for _, share := range []float64{0.9, 0.999, 1.001, 2} {
		i, err := Epsilon(context.Background(),
			[]pairs.Part{{Pair: pairs.Laplace(0.3), Count: 1}, {Pair: pairs.Pure(1e-9), Count: 1}},
			share*distance, Options{NoForm: true})
		if err != nil || (i.Upper <= 1e-8) != (share > 1) {
			t.Errorf("δ = %g of the distance: %+v, %v", share, i, err)
		}
	}
}

// An (ε, δ) guarantee at its own δ is exactly ε: for every smaller one its curve is above δ.
func TestApproximateAtItsOwnDelta(t *testing.T) {
	for _, epsilon := range []float64{0.1, 1.3, 25} {
		for _, delta := range []float64{1e-9, 3e-7, 0.01} {
			parts := []pairs.Part{{Pair: pairs.Approximate(epsilon, delta), Count: 1}}
			i, err := Epsilon(t.Context(), parts, delta, Options{})
			if err != nil || i.Lower != epsilon || i.Upper != epsilon {
				t.Errorf("(%v, %v): [%v, %v], %v", epsilon, delta, i.Lower, i.Upper, err)
			}
		}
	}
}

// What a list charges for masses beyond those that float64 has is no attack: below it the lower end is finite.
func TestNoAttackBeyondFloat(t *testing.T) {
	noise := pairs.DiscreteGaussian(16.5, 1)
	for _, pair := range []pairs.Pair{noise, pairs.Subsample(0.1, noise)} {
		for _, count := range []float64{1, 4} {
			for _, delta := range []float64{1e-280, 1e-289, 1e-300, 1e-307} {
				i, err := Epsilon(t.Context(), []pairs.Part{{Pair: pair, Count: count}}, delta, Options{})
				if err != nil || math.IsInf(i.Lower, 1) {
					t.Errorf("%v × %s at %v: [%v, %v], %v", count, pair.Key(), delta, i.Lower, i.Upper, err)
				}
			}
		}
	}
}
