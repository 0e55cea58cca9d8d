package pld

import (
	"context"
	"math"
	"slices"
	"testing"

	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/accounting/pld/spectrum"
	"epsiloscope/internal/gauge"
)

func TestProfileOfGaussians(t *testing.T) {
	var epsilons []float64
	for e := -2.0; e <= 20; e += 0.5 {
		epsilons = append(epsilons, e)
	}
	parts := []pairs.Part{{Pair: pairs.Gaussian(0.1), Count: 400}}
	lower, upper, err := Profile(context.Background(), parts, epsilons, Options{NoForm: true})
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range epsilons {
		want := pairs.Gaussian(2).Delta(e)
		if lower[i] > want*(1+1e-12) || upper[i] < want*(1-1e-12) {
			t.Errorf("at %g: [%g, %g] misses %g", e, lower[i], upper[i], want)
		}
		if upper[i]-lower[i] > 0.08*want {
			t.Errorf("at %g: [%g, %g] is wide around %g", e, lower[i], upper[i], want)
		}
	}
}

// A δ that float64 has no number for is not 0: that is said of losses that end.
func TestProfileBelowFloat(t *testing.T) {
	for name, c := range map[string]struct {
		parts []pairs.Part
		zero  bool
	}{
		"one Gaussian": {[]pairs.Part{{Pair: pairs.Gaussian(1), Count: 1}}, false},
		"sampled":      {[]pairs.Part{{Pair: sgd(0.01, 1), Count: 3}}, false},
		"Laplace":      {[]pairs.Part{{Pair: pairs.Laplace(1), Count: 3}}, true},
	} {
		_, upper, err := Profile(context.Background(), c.parts, []float64{1, 200}, Options{})
		if err != nil || (upper[1] == 0) != c.zero || upper[1] > upper[0] {
			t.Errorf("%s: %g, %v", name, upper, err)
		}
		if lower, upper, err := DeltaAt(context.Background(), c.parts, math.Inf(1), Options{}); err != nil ||
			lower != 0 || upper != 0 || math.Signbit(upper) {
			t.Errorf("%s: beyond all losses [%g, %g], %v", name, lower, upper, err)
		}
		if _, _, err := DeltaAt(context.Background(), c.parts, math.NaN(), Options{}); err == nil {
			t.Errorf("%s: δ at what is not a number", name)
		}
	}
}

// A curve asked several times shares its compositions, a clone starts from them and leaves them alone, and all its ends
// enclose the same δ as those from nothing.
func TestDirectedCurveShares(t *testing.T) {
	parts := []pairs.Part{
		{Pair: pairs.Subsample(0.1, pairs.Gaussian(0.5)), Count: 50},
		{Pair: pairs.Laplace(0.03), Count: 20},
	}
	accountant := new(Accountant)
	ctx := NewContext(context.Background(), accountant)
	for _, way := range []Direction{WithRecord, WithoutRecord} {
		shared := NewDirectedCurve(parts, way)
		ask := func(curve *DirectedCurve, epsilons ...float64) (lower, upper []float64) {
			lower, upper, err := curve.Profile(ctx, epsilons, Options{Width: 1e-5})
			if err != nil {
				t.Fatal(err)
			}
			return lower, upper
		}
		ask(shared, 0, 0.1, 0.2, 0.3)
		before := accountant.Computed()
		between := []float64{0.05, 0.15, 0.25}
		lower, upper := ask(shared, between...)
		if more := accountant.Computed() - before; more != 0 {
			t.Errorf("%d values computed for ε between known ones", more)
		}
		again, _ := ask(shared.Clone(), between...)
		ask(shared.Clone(), 0.9)
		afterwards, _ := ask(shared, between...)
		for i, e := range between {
			l, u, err := NewDirectedCurve(parts, way).Profile(context.Background(), []float64{e}, Options{Width: 1e-5})
			if err != nil {
				t.Fatal(err)
			}
			if lower[i] > u[0] || upper[i] < l[0] || !(upper[i]-lower[i] <= 2e-3*lower[i]) {
				t.Errorf("ε = %g: [%v, %v], from nothing [%v, %v]", e, lower[i], upper[i], l[0], u[0])
			}
			if again[i] != lower[i] || afterwards[i] != lower[i] {
				t.Errorf("ε = %g: %v, by a clone %v, after another one %v", e, lower[i], again[i], afterwards[i])
			}
		}
	}
}

// Where δ is negligible its ends say no more than that. Everywhere else they are as narrow as without a negligible δ,
// in whatever order the ε are asked for: a δ at one ε says nothing about that at a smaller one.
func TestNegligibleDeltas(t *testing.T) {
	ctx := context.Background()
	const negligible = 1e-9
	var epsilons []float64
	for e := 0.0; e <= 3; e += 0.15 * float64(gauge.Cases(2, 1)) {
		epsilons = append(epsilons, e)
	}
	backwards := slices.Clone(epsilons)
	slices.Reverse(backwards)
	small, large := 0, 0
	for name, parts := range map[string][]pairs.Part{
		"sampled, few":    {{Pair: pairs.Subsample(0.1, pairs.Gaussian(0.5)), Count: 3}},
		"sampled, many":   {{Pair: pairs.Subsample(0.01, pairs.Gaussian(0.8)), Count: 400}},
		"beside failures": {{Pair: pairs.Laplace(0.2), Count: 4}, {Pair: pairs.Approximate(0.3, 1e-12), Count: 2}},
	} {
		for _, way := range []Direction{WithRecord, WithoutRecord} {
			least, most, err := NewDirectedCurve(parts, way).Profile(ctx, epsilons, Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, list := range [][]float64{epsilons, backwards} {
				if &list[0] == &backwards[0] {
					slices.Reverse(least)
					slices.Reverse(most)
				}
				lower, upper, err := NewDirectedCurve(parts, way).Profile(ctx, list, Options{Negligible: negligible})
				if err != nil {
					t.Fatal(err)
				}
				for i, e := range list {
					switch {
					case lower[i] > most[i] || upper[i] < least[i]:
						t.Errorf("%s, %v: δ(%g) in [%g, %g], and in [%g, %g]", name, way, e, lower[i], upper[i], least[i], most[i])
					case most[i] <= negligible && upper[i] <= negligible:
						small++
					case upper[i] > lower[i]*(1+spectrum.DeltaShare*DefaultWidth):
						t.Errorf("%s, %v: δ(%g) in [%g, %g], which is wide", name, way, e, lower[i], upper[i])
					default:
						large++
					}
				}
			}
		}
	}
	if least := gauge.Cases(15, 30); small < least || large < least {
		t.Errorf("%d δ are negligible, %d are not", small, large)
	}
}
