package mechanisms

import (
	"context"
	"math"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/accounting/special"
)

// The lower end of noisy max is that of the best event on its list, not of one picked by a few Rényi orders: no event
// of the list, counted over ten selections by its binomial distribution, reaches more.
func TestNoisyMaxTriesEveryAttack(t *testing.T) {
	const times = 10.0
	n := NoisyMax{Epsilon: 0.5, Sensitivity: 1, Shape: "laplace", Outputs: 2}
	for _, delta := range []float64{0.1, 0.05, 0.02, 1e-2, 1e-3, 1e-5} {
		b := accounting.Evaluate(context.Background(), accounting.Numerical, n.Releases(times),
			accounting.Target{Delta: delta})
		beyond := math.Min(b.Lower*1.001, b.Lower+0.001)
		for _, a := range n.attacks(0.5) {
			reached := 0.0
			for j := 0.0; j <= times; j++ {
				p, q := special.LogBinomial(j, times, a.P), special.LogBinomial(j, times, a.Q)
				reached += math.Max(0, math.Exp(p)-math.Exp(beyond+q))
			}
			if reached > delta {
				t.Errorf("δ %v: the lower end is %v, and an event of probability %v against %v has δ(%v) = %v", delta, b.Lower, a.P, a.Q, beyond, reached)
				break
			}
		}
	}
}
