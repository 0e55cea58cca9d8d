package response

import (
	"math"
	"testing"

	"epsiloscope/accounting/special"
)

// A float64 incomplete beta puts δ off downward at large K; ours is upward: around
// the switch from single points to blocks the curve must not drop.
func TestDeltaAcrossTheSwitchToBlocks(t *testing.T) {
	for _, k := range []float64{1e5, 1e7, 2.6e8, 2.8e8} {
		l := equalResponses{1 / math.Sqrt(k), k}
		got := math.Exp(l.excess(3.3/l.Epsilon - l.mean()))
		direct := 0.0
		for lies := math.Floor((k-3.3*math.Sqrt(k))/2) + 1; lies >= 0; lies-- {
			loss := (k - 2*lies) * l.Epsilon
			if loss <= 3.3 {
				continue
			}
			p := math.Exp(special.LogBinomial(lies, k, 1/(1+math.Exp(l.Epsilon))))
			direct -= p * math.Expm1(3.3-loss)
			if p < 1e-30 {
				break
			}
		}
		if got < direct*(1-1e-12) || got > direct*(1+2e-5) {
			t.Errorf("K=%g: %.15g, summed directly %.15g", k, got, direct)
		}
	}
}
