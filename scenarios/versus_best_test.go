package scenarios

import (
	"testing"

	"epsiloscope/accounting"
)

// A pure bound is quoted if it reads the same as the smallest, and never over a budget that the
// smallest meets.
func TestPureBoundsAreQuotedWithinTheBudget(t *testing.T) {
	bounds := []accounting.Bound{
		{Method: accounting.Basic, Status: accounting.Valid, Epsilon: 0.5},
		{Method: accounting.Numerical, Status: accounting.Valid, Epsilon: 0.49995, Delta: 1e-6},
	}
	for budget, want := range map[float64]int{0: 0, 0.4: 0, 0.49997: 1, 0.5: 0, 1: 0} {
		if got := bestToQuote(bounds, budget); got != want {
			t.Errorf("with a budget of %v it quotes %s", budget, bounds[got].Method)
		}
	}
	// Of pure bounds that differ by round-off the first is quoted.
	orders := accounting.Bound{Method: accounting.RDPClassic, Status: accounting.Valid, Epsilon: 0.5 * (1 - 1e-15)}
	if got := bestToQuote(append(bounds, orders), 1); got != 0 {
		t.Errorf("it quotes the Rényi order ∞ in place of the sum: bound %d", got)
	}
	bounds[1].Epsilon = 0.4998 // it reads 0.4998, which is less
	if got := bestToQuote(bounds, 1); got != 1 {
		t.Errorf("it quotes %s", bounds[got].Method)
	}
}
