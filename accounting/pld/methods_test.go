package pld

import (
	"context"
	"math"
	"slices"
	"testing"

	"epsiloscope/accounting/pld/pairs"
)

// Each method is needed: it answers for the stacks named here, and without it the interval is wider than
// asked, or has no end at all.
func TestMethods(t *testing.T) {
	const form, sums, spectrum, renyi = 0, 1, 2, 3
	named := []string{"closed form", "sums of losses", "spectrum", "Rényi divergences"}
	if len(methods) != len(named) {
		t.Fatalf("there are %d methods, and the table knows %d: say which stacks need the new one", len(methods), len(named))
	}
	for _, c := range []struct {
		name   string
		parts  []pairs.Part
		delta  float64
		method int
	}{
		{"one release", []pairs.Part{{Pair: pairs.Laplace(1), Count: 1}}, 1e-6, form},
		{"one approximate release at its own δ", []pairs.Part{{Pair: pairs.Approximate(1, 1e-6), Count: 1}}, 1e-6, form},
		{"stated failures above δ", []pairs.Part{{Pair: pairs.Approximate(1, 1e-5), Count: 3}}, 1e-6, form},
		{"a Gaussian next to nothing", []pairs.Part{{Pair: pairs.Gaussian(1e-9), Count: 1}}, 1e-300, form},
		{"pure releases, every sum asked for", []pairs.Part{{Pair: pairs.Pure(1), Count: 100}}, 1e-6, sums},
		{"kinds of pure releases, every sum asked for", []pairs.Part{{Pair: pairs.Pure(0.1), Count: 5}, {Pair: pairs.Pure(0.13), Count: 4},
			{Pair: pairs.Pure(0.17), Count: 3}}, 0.1, sums},
		{"two pure releases", []pairs.Part{{Pair: pairs.Pure(1), Count: 2}}, 0.1, spectrum},
		{"few pure releases, tiny δ", []pairs.Part{{Pair: pairs.Pure(1), Count: 5}, {Pair: pairs.Pure(0.3), Count: 2}}, 1e-60, spectrum},
		{"few samples with little noise", []pairs.Part{{Pair: sgd(1e-4, 0.5), Count: 10}}, 1e-9, spectrum},
		{"few samples, small ε", []pairs.Part{{Pair: sgd(1e-6, 0.6), Count: 16}}, 1e-6, spectrum},
		{"DP-SGD", []pairs.Part{{Pair: sgd(0.01, 1.1), Count: 1000}}, 1e-5, spectrum},
		{"many kinds", []pairs.Part{{Pair: pairs.Laplace(0.1), Count: 20}, {Pair: pairs.Gaussian(0.2), Count: 5}, {Pair: pairs.DiscreteGaussian(3, 1), Count: 4}}, 1e-6, spectrum},
		{"random allocation", []pairs.Part{{Pair: pairs.Allocation(10, 1), Count: 5}}, 1e-5, spectrum},
		{"half a release", []pairs.Part{{Pair: pairs.Pure(0.1), Count: 2.5}}, 1e-6, renyi},
		{"losses beyond a spectrum", []pairs.Part{{Pair: pairs.Laplace(1e9), Count: 2}, {Pair: pairs.Pure(1), Count: 3}}, 1e-6, renyi},
	} {
		q := query{quantity: epsilonAt{}, at: []float64{c.delta}, width: 1e-3, sums: c.method == sums}
		ctx := NewContext(context.Background(), new(Accountant)) // the same values, each computed once
		ends := func(methods ...method) (Interval, bool) {
			s, err := enclose(ctx, c.parts, q, methods...)
			if err != nil {
				t.Fatal(c.name, err)
			}
			return s.intervalAt(0), s.done(q)
		}
		all, _ := ends(methods...)
		before, done := ends(methods[:c.method]...)
		if done {
			t.Errorf("%s: [%g, %g] is an answer before %s is asked", c.name, before.Lower, before.Upper, named[c.method])
		}
		after, _ := ends(methods[:c.method+1]...)
		if after.Lower != all.Lower || after.Upper != all.Upper ||
			math.IsInf(after.Upper, 1) && after.Lower < after.Upper {
			t.Errorf("%s: [%g, %g] by %s, in all [%g, %g]", c.name, after.Lower, after.Upper, named[c.method], all.Lower, all.Upper)
		}
		without := slices.Delete(slices.Clone(methods), c.method, c.method+1)
		if i, _ := ends(without...); i.Upper-i.Lower <= all.Upper-all.Lower {
			t.Errorf("%s: without %s [%g, %g] is as good as [%g, %g]", c.name, named[c.method], i.Lower, i.Upper, all.Lower, all.Upper)
		}
	}
}
