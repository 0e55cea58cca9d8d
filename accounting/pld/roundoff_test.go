package pld

import (
	"math"
	"math/rand/v2"
	"testing"

	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/internal/gauge"
)

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
	if certain, possible := foldDirections(parts, nil)[0].failureProbability(); math.Abs(certain-want) > 4*ulp*want ||
		math.Abs(possible-want) > 4*ulp*want {
		t.Errorf("%.17g and %.17g, want %.17g", certain, possible, want)
	}
}
