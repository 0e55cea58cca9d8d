package pld

import (
	"context"
	"math"
	"strings"
	"testing"

	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/internal/gauge"
)

// Balls and bins: reference/batches, computed there on a linear grid by FFT, with
// certified ends.
func TestAllocation(t *testing.T) {
	for _, c := range gauge.Some(5, []struct {
		z, t, epochs, delta float64
		lower, upper        float64
	}{
		{1, 100, 1, 1e-6, 0.857985, 0.857987},
		{1, 100, 10, 1e-6, 1.964226, 1.964304},
		{0.7, 100, 1, 1e-6, 2.828341, 2.828376},
		{0.7, 100, 10, 1e-6, 5.0365, 5.0406},
		{2, 100, 20, 1e-5, 0.880227, 0.880248},
	}) {
		i, err := Epsilon(context.Background(), []pairs.Part{{Pair: pairs.Allocation(c.t, c.z), Count: c.epochs}},
			c.delta, Options{Width: 1e-4})
		t.Logf("z %v t %v × %v: [%.6f, %.6f], reference [%v, %v]", c.z, c.t, c.epochs, i.Lower, i.Upper, c.lower, c.upper)
		if err != nil || i.Lower > c.upper || i.Upper < c.lower || i.Upper > c.upper*1.001 || i.Lower < c.lower*0.999 {
			t.Errorf("z %v t %v × %v: [%v, %v], want it around [%v, %v]; %v", c.z, c.t, c.epochs, i.Lower, i.Upper, c.lower, c.upper, err)
		}
	}
}

// The mesh follows the width that is asked for; what stays wider says so.
func TestAllocationWidth(t *testing.T) {
	gauge.Sequential(t)
	for _, c := range gauge.Some(7, []struct{ t, z, count, width float64 }{
		{100, 0.7, 1, 1e-4}, // few enough to be listed
		{100, 1, 10, 1e-4}, {10_000, 0.6, 10, 1e-3}, {100_000, 0.3, 10, 1e-4}, {50, 1, 10, 1e-6}, {1000, 3, 10, 1e-4}, {100_000, 1, 10, 1e-3},
	}) {
		i, err := Epsilon(context.Background(), []pairs.Part{{Pair: pairs.Allocation(c.t, c.z), Count: c.count}}, 1e-6,
			Options{Width: c.width})
		wide := i.width() > c.width
		if err != nil || wide != (c.width == 1e-6) || wide != strings.Contains(i.Note, "wider than asked") || i.width() > 1e-3 {
			t.Errorf("t %v, z %v × %v: width %v, asked for %v, %q, %v", c.t, c.z, c.count, i.width(), c.width, i.Note, err)
		}
	}
}

// Shuffled batches: both ends, from the same tables. The upper end is Gaussian noise.
func TestShuffled(t *testing.T) {
	for _, c := range []struct{ z, t, epochs, delta, lower, upper float64 }{
		{1, 100, 1, 1e-6, 4.6809, 4.8866},
		{1, 100, 10, 1e-6, 10.8136, 19.4237},
		{0.7, 100, 1, 1e-6, 7.3661, 7.3726},
		{0.7, 100, 10, 1e-6, 26.887, 30.997},
		{2, 100, 20, 1e-5, 1.2518, 11.4800},
	} {
		i, err := Epsilon(context.Background(),
			[]pairs.Part{{Pair: pairs.ShuffledEpoch(c.t, c.z, 1, false), Count: c.epochs}}, c.delta, Options{})
		if err != nil || math.Abs(i.Lower/c.lower-1) > 2e-3 || math.Abs(i.Upper/c.upper-1) > 2e-3 {
			t.Errorf("z %v t %v × %v: [%v, %v], want [%v, %v]; %v", c.z, c.t, c.epochs, i.Lower, i.Upper, c.lower, c.upper, err)
		}
	}
}

// The second moment has a closed form, E[(S/t)²] = 1 + (e^{1/z²} − 1)/t, also where there are
// more batches than a sum could be built from, and less noise. Training with hardly any noise
// costs hardly less than without allocation.
func TestAllocationBeyondItsNumbers(t *testing.T) {
	gauge.Sequential(t)
	look := gauge.OneIn(5)
	for _, z := range []float64{1e-6, 0.05, 0.1, 1} {
		for _, batches := range []float64{2, 1e5, 1e15} {
			if !look() {
				continue
			}
			p := pairs.Allocation(batches, z)
			want := math.Log1p(math.Expm1(1/(z*z)) / batches)
			if math.IsInf(want, 1) {
				want = 1/(z*z) - math.Log(batches)
			}
			if got := p.Remove.Renyi(2); !(got >= want*(1-1e-12)) {
				t.Errorf("z %v, t %v: D₂(P‖Q) ≤ %v, exactly %v", z, batches, got, want)
			}
			lower := p.Remove.Lower()
			for _, e := range []float64{1e-6, 0.1, 2, 50} {
				if lo, hi := lower.LogDelta(e), p.Remove.LogDelta(e); lo > hi {
					t.Errorf("z %v, t %v: ln δ(%v) is at least %v and at most %v", z, batches, e, lo, hi)
				}
			}
			if z == 0.05 && batches < 1e15 {
				i, err := Epsilon(context.Background(), []pairs.Part{{Pair: p, Count: 10}}, 1e-6, Options{})
				if least := 5/(z*z) - 10*math.Log(batches); err != nil || !(i.Upper > least) {
					t.Errorf("z %v, t %v: ε is at most %v, %v", z, batches, i.Upper, err)
				}
			}
		}
	}
}

// Below what the list of an epoch takes for +∞ there is no upper end, and closer estimates, which
// once took minutes, would not give one: none are made. What is attained is still known.
func TestAllocationBelowItsTail(t *testing.T) {
	const batches, z = 31, 0.7
	i, err := Epsilon(context.Background(), []pairs.Part{{Pair: pairs.Allocation(batches, z), Count: 2}},
		1e-60, Options{Width: 1e-3})
	if err != nil || !math.IsInf(i.Upper, 1) || !(i.Lower > 5) {
		t.Errorf("[%g, %g], %v", i.Lower, i.Upper, err)
	}
	for _, key := range pairs.Forget() {
		if strings.HasPrefix(key, "allocation(31,0.7)/") {
			t.Errorf("%s was made in vain", key)
		}
	}
}
