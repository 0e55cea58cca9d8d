package pld

import (
	"math"
	"math/rand/v2"
	"testing"

	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/internal/gauge"
)

// What an attacker misses is rounded down, and to no more than the last places of 1.
func TestMissedIsRoundedDown(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 12))
	for range 2000 {
		epsilon, delta, x := 4*r.Float64()*r.Float64(), 0.2*r.Float64()*r.Float64(), r.Float64()*r.Float64()
		rest := gauge.Wide(1)
		rest.Sub(rest, gauge.Wide(delta))
		e := gauge.WideExp(gauge.Wide(epsilon))
		steep := gauge.Wide(0).Mul(e, gauge.Wide(x))
		steep.Sub(rest, steep)
		flat := gauge.Wide(0).Sub(rest, gauge.Wide(x))
		if flat.Quo(flat, e); flat.Cmp(steep) > 0 {
			steep = flat
		}
		if got := typeIIError(epsilon, delta, x); got > 0 {
			if off, _ := gauge.Wide(0).Sub(steep, gauge.Wide(got)).Float64(); off < 0 || off > 32*ulp {
				t.Errorf("ε %g, δ %g, x %g: %.17g, %g below the truth", epsilon, delta, x, got, off)
			}
		}
	}
	if got := typeIIError(0.5, 0, 0); got != 1 {
		t.Errorf("without false alarms and failures %.17g, want 1", got)
	}
}

// However many different promises may fail, the probability that one does is right to its last
// places.
func TestManyFailures(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 12))
	parts := []pairs.Part{{Pair: pairs.Approximate(0.1, 1e-3), Count: 1}} // the first of all, by its key
	kept := gauge.Wide(0).Sub(gauge.Wide(1), gauge.Wide(1e-3))
	for range 10000 { // each below the last place of that one
		delta := 1e-19 * r.Float64()
		parts = append(parts, pairs.Part{Pair: pairs.Approximate(0.1, delta), Count: 1})
		kept.Mul(kept, gauge.Wide(0).Sub(gauge.Wide(1), gauge.Wide(delta)))
	}
	want, _ := kept.Sub(gauge.Wide(1), kept).Float64()
	if certain, possible := foldDirections(parts, nil)[0].failureProbability(); math.Abs(certain-want) > 4*ulp*want || math.Abs(possible-want) > 4*ulp*want {
		t.Errorf("%.17g and %.17g, want %.17g", certain, possible, want)
	}
}
