package pairs

import (
	"context"
	"math"
	"testing"

	"epsiloscope/internal/gauge"
)

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
