package pld

import (
	"context"
	"math"
	"testing"

	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/accounting/special"
	"epsiloscope/internal/gauge"
)

// Four passes, z 0.3, ten batches: the losses of the attack, rounded up to a grid and added up one by
// one, cost at least the lower end, which once was that of one pass (24.98).
func TestShuffledPassesComposeFromBelow(t *testing.T) {
	const z, batches, delta, grid, reach = 0.3, 10, 1e-9, 0.05, 4000 // cells to either side
	one := make([]float64, 2*reach+1)
	const step = 1. / 512
	for x := -14.0; x < 2/z+20; x += step {
		p, q := largestDensity(x, 2/z, batches, 1), largestDensity(x, 1/z, batches, 1)
		if p > 1e-300 && q > 1e-300 {
			one[reach+int(math.Ceil(math.Log(p/q)/grid))] += p * step
		}
	}
	twice := func(a []float64) []float64 {
		out := make([]float64, len(a))
		for i, x := range a {
			if x < 1e-40 {
				continue
			}
			for j, y := range a {
				if k := i + j - reach; k >= 0 && k < len(out) {
					out[k] += x * y
				}
			}
		}
		return out
	}
	four := twice(twice(one))
	at := func(epsilon float64) (sum float64) {
		for i, p := range four {
			sum += p * math.Max(0, -math.Expm1(epsilon-float64(i-reach)*grid))
		}
		return sum
	}
	_, most := special.Bisect(0, 100, 1e-9, func(e float64) bool { return at(e) > delta })
	i, err := Epsilon(context.Background(),
		[]pairs.Part{{Pair: pairs.ShuffledEpoch(batches, z, 1, false), Count: 4}}, delta, Options{})
	if err != nil || i.Lower > most || i.Lower < most-5*grid || i.Lower < 61.4 {
		t.Errorf("[%v, %v], %v; the attack rounded up costs %v", i.Lower, i.Upper, err, most)
	}
}

// A record that moves between two branches meets both: 0.99984 was certified for 1.99974.
func TestMovingRecordsMeetBothBranches(t *testing.T) {
	branch := []pairs.Part{{Pair: pairs.Laplace(1), Count: 1}}
	i, err := Epsilon(context.Background(),
		[]pairs.Part{{Pair: pairs.Parallel([][]pairs.Part{branch, branch}, true), Count: 1}}, 1e-5, Options{})
	both, _ := Epsilon(context.Background(), []pairs.Part{{Pair: pairs.Laplace(1), Count: 2}}, 1e-5, Options{})
	if err != nil || i.Lower > both.Upper || i.Lower < both.Lower-1e-3 {
		t.Errorf("[%v, %v], %v; both branches cost [%v, %v]", i.Lower, i.Upper, err, both.Lower, both.Upper)
	}
	// two releases per branch
	stack := []pairs.Part{{Pair: pairs.Laplace(0.5), Count: 2}, {Pair: pairs.Gaussian(0.3), Count: 1}}
	i, err = Epsilon(context.Background(),
		[]pairs.Part{{Pair: pairs.Parallel([][]pairs.Part{stack, branch}, true), Count: 1}}, 1e-5, Options{})
	all, _ := Epsilon(context.Background(),
		append([]pairs.Part{{Pair: pairs.Laplace(1), Count: 1}}, stack...), 1e-5, Options{})
	if err != nil || i.Lower > all.Upper || i.Lower < all.Lower*0.99 {
		t.Errorf("[%v, %v], %v; both branches cost [%v, %v]", i.Lower, i.Upper, err, all.Lower, all.Upper)
	}
}

// No record leaves the branch that it enters: of many branches, one of which alone is expensive, the lower
// end is that one and another, not that one twice.
func TestMovingRecordsMeetABranchOnce(t *testing.T) {
	branches := [][]pairs.Part{{{Pair: pairs.Laplace(1), Count: 1}}}
	for range 12 { // more than are composed two by two
		branches = append(branches, []pairs.Part{{Pair: pairs.Laplace(0.01), Count: 1},
			{Pair: pairs.Gaussian(0.01), Count: 1}})
	}
	i, err := Epsilon(context.Background(),
		[]pairs.Part{{Pair: pairs.Parallel(branches, true), Count: 1}}, 1e-5, Options{})
	once, _ := Epsilon(context.Background(),
		[]pairs.Part{{Pair: pairs.Laplace(1), Count: 1}, {Pair: pairs.Laplace(0.01), Count: 1},
			{Pair: pairs.Gaussian(0.01), Count: 1}}, 1e-5, Options{})
	if err != nil || i.Lower > once.Upper || i.Lower < 0.99 {
		t.Errorf("[%v, %v], %v; the two cost [%v, %v]", i.Lower, i.Upper, err, once.Lower, once.Upper)
	}
}

// δ covers the total variation distance: ten steps at rate 1e-6 tell no more than 1e-5, so ε is 0 at
// once; at a smaller δ it is not.
func TestDeltaThatCoversTheDistance(t *testing.T) {
	parts := []pairs.Part{{Pair: pairs.Subsample(1e-6, pairs.Gaussian(1/0.3)), Count: 10}}
	if i, err := Epsilon(context.Background(), parts, 1e-5, Options{}); err != nil || i.Upper != 0 || i.Form == "" {
		t.Errorf("[%v, %v] by %q, %v", i.Lower, i.Upper, i.Form, err)
	}
	if !gauge.All() {
		return // a second
	}
	if i, err := Epsilon(context.Background(), parts, 5e-6, Options{}); err != nil || !(i.Lower > 0) {
		t.Errorf("[%v, %v], %v", i.Lower, i.Upper, err)
	}
}

// largestDensity is the density at x, in deviations, of the largest of t coordinates of which one is
// shifted with probability share, by the rule for products.
func largestDensity(x, shift, t, share float64) float64 {
	one := func(shift float64) float64 {
		rest := math.Pow(special.NormalCDF(x), t-1)
		others := 0.0
		if t > 1 {
			others = (t - 1) * special.NormalPDF(x) * math.Pow(special.NormalCDF(x), t-2)
		}
		return special.NormalPDF(x-shift)*rest + special.NormalCDF(x-shift)*others
	}
	return share*one(shift) + (1-share)*one(0)
}

// The attack on shuffled batches against a sum over its densities, which shares no distribution
// function with it: the lower end may lie below, as cells tell less, but not above.
func TestShuffledAttackIsNotOverstated(t *testing.T) {
	for _, c := range []struct{ batches, z, share float64 }{{10, 0.3, 1}, {100, 1, 1}, {3, 1, 0.3}, {1, 1, 0.01},
		{1, 0.5, 0.5}, {7, 0.05, 0.7}} {
		pair := pairs.ShuffledEpoch(c.batches, c.z, c.share, false)
		const step = 1. / 512
		var one, two []float64 // densities where the target pulls once and twice
		for x := -14.0; x < 2/c.z+20; x += step {
			one = append(one, largestDensity(x, 1/c.z, c.batches, c.share))
			two = append(two, largestDensity(x, 2/c.z, c.batches, c.share))
		}
		for _, direction := range []struct {
			loss *pairs.Loss
			a, b []float64
		}{{pair.Remove, two, one}, {pair.Add, one, two}} {
			for _, epsilon := range []float64{0, 0.1, 0.5, 1, 3, 10, 25} {
				truth, times := 0.0, math.Exp(epsilon)
				for i, density := range direction.a {
					truth += step * math.Max(0, density-times*direction.b[i])
				}
				lower := math.Exp(direction.loss.Lower().LogDelta(epsilon))
				if lower > truth*(1+1e-4)+1e-12 || lower < 0.98*truth-1e-9 {
					t.Errorf("%+v at ε %v: δ %v from below, the attack has %v", c, epsilon, lower, truth)
				}
			}
		}
	}
}
