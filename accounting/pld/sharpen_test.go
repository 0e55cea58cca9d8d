package pld

import (
	"context"
	"math"
	"testing"

	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/internal/gauge"
)

// Two pure releases beside one whose curve is known: δ is the mean of that curve over
// their four outcomes. No tilt suits both, and once δ near 1e-19 was all but unknown,
// [0, 2.4e-7].
func TestProfileNextToTheLargestLoss(t *testing.T) {
	const sigma, e = 77.911878331335842, 1.0502505984759796
	noise := pairs.DiscreteGaussian(sigma, 1)
	yes := 1 / (1 + math.Exp(-e))
	truth := func(epsilon float64) float64 {
		sum := yes * yes * noise.Delta(epsilon-2*e)
		sum += 2 * yes * (1 - yes) * noise.Delta(epsilon)
		return sum + (1-yes)*(1-yes)*noise.Delta(epsilon+2*e)
	}
	var epsilons []float64
	for x := -1.0; x < 2.22; x += 0.06 {
		epsilons = append(epsilons, x)
	}
	parts := []pairs.Part{{Pair: noise, Count: 1}, {Pair: pairs.Pure(e), Count: 2}}
	lower, upper, err := Profile(context.Background(), parts, epsilons, Options{NoForm: true})
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range epsilons {
		want := truth(x)
		if lower[i] > want*(1+1e-10) || upper[i] < want*(1-1e-10) {
			t.Errorf("at %g: [%g, %g] misses %g", x, lower[i], upper[i], want)
		}
		if upper[i] > lower[i]*1.2 {
			t.Errorf("at %g: [%g, %g] is wide around %g", x, lower[i], upper[i], want)
		}
	}
}

// Stacks whose curve one tilt did not suit: at ε of the interval's ends δ is what was asked
// for, and known as well as lets expect.
func TestProfileIsSharp(t *testing.T) {
	for _, c := range gauge.Some(2, []struct {
		parts []pairs.Part
		delta float64
		once  string // what was known of δ at the upper end
	}{
		{[]pairs.Part{
			{Pair: pairs.Subsample(0.10399714001545307, pairs.Approximate(0.015129603291854457, 2.5313316140175597e-20)), Count: 1},
			{Pair: pairs.Subsample(0.26154846409598292, pairs.Laplace(0.023394327884040424)), Count: 2},
			{Pair: pairs.Subsample(0.012578993020260212, pairs.DiscreteGaussian(41.285265440740339, 2)), Count: 2},
		}, 6.9873366328839e-17, "[6.01e-17, 1.71e-13]"},
		{[]pairs.Part{{Pair: pairs.Subsample(0.0011681359242158985, pairs.DiscreteGaussian(19.974197252026119, 2)), Count: 1}}, 8.538348654682564e-13, "[6.97e-13, 2.58e-9]"},
	}) {
		i, err := Epsilon(context.Background(), c.parts, c.delta, Options{NoForm: true})
		if err != nil {
			t.Fatal(err)
		}
		lower, upper, err := Profile(context.Background(), c.parts, []float64{i.Lower, i.Upper}, Options{NoForm: true})
		if err != nil {
			t.Fatal(err)
		}
		if upper[0] < c.delta*(1-1e-9) || lower[1] > c.delta*(1+1e-9) {
			t.Errorf("δ at both ends of [%g, %g]: at most %g, at least %g; want %g between", i.Lower, i.Upper, upper[0], lower[1], c.delta)
		}
		for k := range lower {
			if upper[k] > lower[k]*1.2 {
				t.Errorf("δ in [%g, %g], once %s", lower[k], upper[k], c.once)
			}
		}
	}
}
