package mechanisms

import (
	"context"
	"math"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/accounting/pld"
	"epsiloscope/accounting/pld/pairs"

	"pgregory.net/rapid"
)

// What must hold between the ways to draw batches, the matrices, the selections and the
// reports, beside [TestBatchesInvariants]. Shuffled local reports are not priced here, so
// nothing holds of them.

func interval(t *testing.T, p pairs.Pair, count, delta float64) pld.Interval {
	t.Helper()
	i, err := pld.Epsilon(context.Background(), []pairs.Part{{Pair: p, Count: count}}, delta, pld.Options{Width: 1e-3})
	if err != nil {
		t.Fatal(err)
	}
	return i
}

// A pass over allocated batches never costs more than one over one batch, and one batch costs
// just that; to remove a record never tells less than to add it (seen, not proven). The ends of
// shuffled batches are in order, and lie above the allocated ones.
func TestAllocatedBatchesInvariants(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		z := rapid.SampledFrom([]float64{0.4, 1, 2.5}).Draw(rt, "z")
		batches := rapid.SampledFrom([]float64{1, 2, 3, 10}).Draw(rt, "t")
		epsilon := rapid.Float64Range(0, 4).Draw(rt, "ε")
		pair, plain := pairs.Allocation(batches, z), pairs.Gaussian(1/z)
		remove, add := pair.Remove.LogDelta(epsilon), pair.Add.LogDelta(epsilon)
		if most := plain.LogDelta(epsilon); remove > math.Max(-60, most)+1e-3 ||
			batches == 1 && math.Abs(remove-most) > 1e-12 {
			rt.Errorf("ln δ(%v) = %v, of one batch %v", epsilon, remove, most)
		}
		if add > math.Max(-30, remove)+2e-3 { // below, the mesh is coarse
			rt.Errorf("ln δ(%v) is %v to remove a record, %v to add it", epsilon, remove, add)
		}
	})
	for _, epochs := range []float64{1, 4, 30} {
		one, shuffled := interval(t, pairs.Allocation(10, 1.2), epochs, 1e-6),
			interval(t, pairs.ShuffledEpoch(10, 1.2, 1, false), epochs, 1e-6)
		if most := accounting.GaussianToEpsilon(math.Sqrt(epochs)/1.2, 1e-6); one.Upper > most ||
			math.Abs(shuffled.Upper/most-1) > 2e-3 {
			t.Errorf("%v epochs: allocated %v, shuffled %v, one batch %v", epochs, one.Upper, shuffled.Upper, most)
		}
		if !(one.Lower <= one.Upper && shuffled.Lower <= shuffled.Upper && one.Upper <= shuffled.Upper) {
			t.Errorf("%v epochs: allocated %v, shuffled %v", epochs, one, shuffled)
		}
	}
}

// A square root with all its bands is the square root, in cost and in error.
func TestAllBandsAreTheSquareRoot(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		steps := float64(rapid.IntRange(1, 200).Draw(rt, "steps"))
		banded, whole := matrix(t, BandedRoot, steps, steps, 1, steps), matrix(t, SquareRoot, steps, 0, 1, steps)
		_, rms, _ := banded.RunningError(BandedRoot)
		_, want, _ := whole.RunningError(SquareRoot)
		if math.Abs(banded.Mu()-whole.Mu()) > 1e-12*whole.Mu() || math.Abs(rms-want) > 1e-9*want {
			rt.Errorf("%v steps: μ %v and %v, error %v and %v", steps, banded.Mu(), whole.Mu(), rms, want)
		}
	})
}

// One run, always: the best of it costs what it costs, and of more runs never less.
func TestOneRunCostsWhatItCosts(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		inner := accounting.GaussianDP(rapid.Float64Range(0.1, 3).Draw(rt, "μ"))
		one := accounting.BestOf(inner, accounting.Runs{Mean: 1, Shape: 1})
		some := accounting.BestOf(inner,
			accounting.Runs{Mean: rapid.Float64Range(1, 50).Draw(rt, "m"),
				Shape: rapid.Float64Range(-0.5, 2).Draw(rt, "η")})
		alpha := rapid.Float64Range(1.5, 60).Draw(rt, "α")
		r, _ := inner.Renyi(alpha)
		a, _ := one.Renyi(alpha)
		b, _ := some.Renyi(alpha)
		if a < r || b < r {
			rt.Errorf("α %v: a run %v, one run %v, some runs %v", alpha, r, a, b)
		}
	})
}

// What is fixed in advance tells no more than what is chosen adaptively, that no more than one
// release after the other by the pair of one, and that no more than any pure releases.
func TestSelectionsInOrder(t *testing.T) {
	for _, c := range []struct{ epsilon, count float64 }{{0.1, 10}, {1, 5}, {0.3, 40}, {2, 3}} {
		fixed, ok := pairs.FixedRange(c.epsilon, c.count)
		adaptive, ok2 := pairs.AdaptiveRange(c.epsilon, c.count, 1e-4)
		if !ok || !ok2 {
			t.Fatal("refused")
		}
		ends := []pld.Interval{
			interval(t, fixed, 1, 1e-6), interval(t, adaptive, 1, 1e-6),
			interval(t, pairs.BoundedRange(c.epsilon), c.count, 1e-6),
			interval(t, pairs.Pure(c.epsilon), c.count, 1e-6),
		}
		for i := 1; i < len(ends); i++ {
			if ends[i-1].Lower > ends[i].Upper || ends[i-1].Upper > ends[i].Upper*(1+1e-3) {
				t.Errorf("%v × %v: %v, then %v", c.count, c.epsilon, ends[i-1], ends[i])
			}
		}
	}
}

// With two categories the estimate is that of a coin survey, whose variance is
// λ(1−λ)/(4γ²n); and its error is never below that at any share.
func TestEstimatesOfReports(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := RandomizedResponse{Epsilon: rapid.Float64Range(0.05, 6).Draw(rt, "ε"),
			Categories: float64(rapid.IntRange(2, 40).Draw(rt, "k"))}
		share := rapid.Float64Range(0, 1).Draw(rt, "share")
		coin := RandomizedResponse{Epsilon: r.Epsilon, Categories: 2}
		gamma := coin.Gamma()
		yes := 2*gamma*share + 0.5 - gamma
		if got, want := coin.EstimatorVariance(share,
			100), yes*(1-yes)/(4*gamma*gamma*100); math.Abs(got-want) > 1e-12*want {
			rt.Errorf("two categories: %v, a coin %v", got, want)
		}
		a, err := r.EstimateError(0.05, 1, 100)
		deviation := a.Each / 1.959963984540054
		if err != nil || deviation*deviation < r.EstimatorVariance(share, 100)*(1-1e-12) {
			rt.Errorf("%+v: deviation %v, at a share of %v it is %v; %v", r, deviation, share, math.Sqrt(r.EstimatorVariance(share, 100)), err)
		}
	})
}
