package pld

import (
	"context"
	"math"
	"strings"
	"testing"

	"epsiloscope/internal/gauge"
)

// Balls and bins: reference/batches, computed there on a linear grid by FFT, with
// certified ends.
func TestAllocation(t *testing.T) {
	for _, c := range []struct {
		z, t, epochs, delta float64
		lower, upper        float64
	}{
		{1, 100, 1, 1e-6, 0.857985, 0.857987},
		{1, 100, 10, 1e-6, 1.964226, 1.964304},
		{0.7, 100, 1, 1e-6, 2.828341, 2.828376},
		{0.7, 100, 10, 1e-6, 5.0365, 5.0406},
		{2, 100, 20, 1e-5, 0.880227, 0.880248},
	} {
		i, err := Epsilon(context.Background(), []Part{{Pair: Allocation(c.t, c.z), Count: c.epochs}}, c.delta, Options{Width: 1e-4})
		t.Logf("z %v t %v × %v: [%.6f, %.6f], reference [%v, %v]", c.z, c.t, c.epochs, i.Lower, i.Upper, c.lower, c.upper)
		if err != nil || i.Lower > c.upper || i.Upper < c.lower || i.Upper > c.upper*1.001 || i.Lower < c.lower*0.999 {
			t.Errorf("z %v t %v × %v: [%v, %v], want it around [%v, %v]; %v", c.z, c.t, c.epochs, i.Lower, i.Upper, c.lower, c.upper, err)
		}
	}
}

// The mesh follows the width that is asked for; what stays wider says so.
func TestAllocationWidth(t *testing.T) {
	gauge.Sequential(t)
	for _, c := range gauge.Some(4, []struct{ t, z, count, width float64 }{
		{100, 0.7, 1, 1e-4}, // few enough to be listed
		{100, 1, 10, 1e-4}, {10_000, 0.6, 10, 1e-3}, {100_000, 0.3, 10, 1e-4}, {50, 1, 10, 1e-6}, {1000, 3, 10, 1e-4}, {100_000, 1, 10, 1e-3},
	}) {
		i, err := Epsilon(context.Background(), []Part{{Pair: Allocation(c.t, c.z), Count: c.count}}, 1e-6, Options{Width: c.width})
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
		i, err := Epsilon(context.Background(), []Part{{Pair: ShuffledEpoch(c.t, c.z, 1, false), Count: c.epochs}}, c.delta, Options{})
		if err != nil || math.Abs(i.Lower/c.lower-1) > 2e-3 || math.Abs(i.Upper/c.upper-1) > 2e-3 {
			t.Errorf("z %v t %v × %v: [%v, %v], want [%v, %v]; %v", c.z, c.t, c.epochs, i.Lower, i.Upper, c.lower, c.upper, err)
		}
	}
}

// E[(S/t)^α] for whole α is a coefficient of a power of a polynomial:
// α!/t^α·[x^α](Σ_a x^a/a!·e^{(a²−a)/(2z²)})^t. Jensen gives (α+t−1)/(2tz²) for the other
// direction.
func TestAllocationRenyi(t *testing.T) {
	exact := func(n int, batches, z float64) float64 {
		power := make([]float64, n+1)
		power[0] = 1
		for range int(batches) {
			next := make([]float64, n+1)
			for i, p := range power {
				fact := 1.0
				for a := 0; i+a <= n; a++ {
					if a > 1 {
						fact *= float64(a)
					}
					next[i+a] += p / fact * math.Exp(float64(a*a-a)/(2*z*z))
				}
			}
			power = next
		}
		m := power[n]
		for i := 1; i <= n; i++ {
			m *= float64(i) / batches
		}
		return math.Log(m) / float64(n-1)
	}
	for _, z := range []float64{0.7, 1, 3} {
		for _, batches := range []float64{2, 10, 100} {
			a := newAllocation(context.Background(), batches, z, 0)
			for _, n := range []int{2, 3, 8} {
				got, want := a.renyi.Remove(float64(n)), exact(n, batches, z)
				if got < want*(1-1e-12) || got > want*1.02 {
					t.Errorf("z %v, t %v, α %d: D_α(P‖Q) ≤ %v, exactly %v", z, batches, n, got, want)
				}
				if got, most := a.renyi.Add(float64(n)), (float64(n)+batches-1)/(2*batches*z*z); got > most*(1+1e-9) {
					t.Errorf("z %v, t %v, α %d: D_α(Q‖P) ≤ %v, Jensen says %v", z, batches, n, got, most)
				}
			}
		}
	}
}

// The second moment has a closed form, E[(S/t)²] = 1 + (e^{1/z²} − 1)/t, also where there are
// more batches than a sum could be built from, and less noise. Training with hardly any noise
// costs hardly less than without allocation.
func TestAllocationBeyondItsNumbers(t *testing.T) {
	gauge.Sequential(t)
	for _, z := range gauge.Some(2, []float64{1e-6, 0.05, 0.1, 1}) {
		for _, batches := range gauge.Some(2, []float64{2, 1e5, 1e15}) {
			p := Allocation(batches, z)
			want := math.Log1p(math.Expm1(1/(z*z)) / batches)
			if math.IsInf(want, 1) {
				want = 1/(z*z) - math.Log(batches)
			}
			if got := p.Remove.Renyi(2); !(got >= want*(1-1e-12)) {
				t.Errorf("z %v, t %v: D₂(P‖Q) ≤ %v, exactly %v", z, batches, got, want)
			}
			lower := p.Remove.lower
			for _, e := range []float64{1e-6, 0.1, 2, 50} {
				if lo, hi := lower.LogDelta(e), p.Remove.LogDelta(e); lo > hi {
					t.Errorf("z %v, t %v: ln δ(%v) is at least %v and at most %v", z, batches, e, lo, hi)
				}
			}
			if z == 0.05 && batches < 1e15 {
				i, err := Epsilon(context.Background(), []Part{{Pair: p, Count: 10}}, 1e-6, Options{})
				if least := 5/(z*z) - 10*math.Log(batches); err != nil || !(i.Upper > least) {
					t.Errorf("z %v, t %v: ε is at most %v, %v", z, batches, i.Upper, err)
				}
			}
		}
	}
}

// One batch is no allocation; more batches never cost more than plain noise, and two
// batches have a closed form (theory of random allocation at t = 2, ε = 1, z = 1).
func TestAllocationOfFewBatches(t *testing.T) {
	gauge.Sequential(t)
	if z := 1.3; Allocation(1, z).Key() != Gaussian(1/z).Key() {
		t.Error("one batch is Gaussian noise")
	}
	p := Allocation(2, 1)
	for _, c := range []struct {
		loss *Loss
		want float64
	}{{p.Remove, 0.05920650109}, {p.Add, 0.05019766237}} {
		lo, hi := math.Exp(c.loss.lower.LogDelta(1)), math.Exp(c.loss.upper.LogDelta(1))
		if lo > c.want || hi < c.want || hi-lo > 5e-4*c.want {
			t.Errorf("δ(1) of two batches: [%v, %v], want %v", lo, hi, c.want)
		}
	}
	for _, batches := range []float64{2, 7, 1000} {
		for _, z := range []float64{0.3, 1, 5} {
			p := Allocation(batches, z)
			for _, e := range []float64{-1, 0, 0.5, 2, 8} {
				if got, most := p.LogDelta(e), Gaussian(1/z).LogDelta(e); got > math.Max(-60, most)+1e-3 {
					t.Errorf("t %v, z %v, ε %v: ln δ = %v, without allocation %v", batches, z, e, got, most)
				}
			}
		}
	}
}

// Below what the list of an epoch takes for +∞ there is no upper end, and closer estimates, which
// once took minutes, would not give one: none are made. What is attained is still known.
func TestAllocationBelowItsTail(t *testing.T) {
	const batches, z = 31, 0.7
	i, err := Epsilon(context.Background(), []Part{{Allocation(batches, z), 2}}, 1e-60, Options{Width: 1e-3})
	if err != nil || !math.IsInf(i.Upper, 1) || !(i.Lower > 5) {
		t.Errorf("[%g, %g], %v", i.Lower, i.Upper, err)
	}
	slowPairs.mu.Lock()
	defer slowPairs.mu.Unlock()
	for key := range slowPairs.pairs {
		if strings.HasPrefix(key, "allocation(31,0.7)/") {
			t.Errorf("%s was made in vain", key)
		}
	}
}
