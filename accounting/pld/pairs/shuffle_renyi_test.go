package pairs

import (
	"math"
	"testing"

	"epsiloscope/accounting/special"
)

// Every number of clones counts as one that is no larger, with at least its probability: whatever c, at
// least P(C ≤ c) is put on c or fewer. That holds far below the list of masses too, where a probability
// is e^{−800}.
func TestCloneMomentsLeaveNoNumberOut(t *testing.T) {
	for _, n := range []float64{2, 40, 900, 5000} {
		for _, epsilon := range []float64{0.1, 0.5, 2, 8} {
			rate := math.Exp(-epsilon)
			m := newCloneMoments(n, epsilon, rate, 1)
			atMost := math.Inf(-1) // ln P(C ≤ c)
			for c := 0.0; c < n; c++ {
				atMost = special.LogAdd(atMost, special.LogBinomial(c, n-1, rate))
				counted := math.Inf(-1)
				for i, members := range m.members {
					if members <= c+1 {
						counted = special.LogAdd(counted, m.logMass[i])
					}
				}
				if counted < atMost-1e-9*(1-atMost) {
					t.Fatalf("%v people, ε %v: ln P(C ≤ %v) = %v, counted %v", n, epsilon, c, atMost, counted)
				}
			}
		}
	}
}
