package mechanisms

import (
	"context"
	"math"
	"testing"

	"epsiloscope/accounting"
)

// Thresholdout gives away B bits of its tests and, beside them, B values with Laplace noise. Attacker: one who takes
// the bits at their worst, as randomized responses, and reads every value, too. The sum of the losses is 2B/(σn) at
// most, with a probability of 2⁻ᴮ·(e^t/(1+e^t))ᴮ, t = 1/(σn), and δ must still allow for that.
func TestThresholdoutCostsItsValuesToo(t *testing.T) {
	ctx := context.Background()
	for _, budget := range []float64{1, 2, 5} {
		holdout := Thresholdout{Budget: budget, Sigma: 0.01, N: 200}
		entries, _, err := Entries(holdout, Setting{Sampling: 1})
		if err != nil {
			t.Fatal(err)
		}
		each := holdout.TestEpsilon()
		basic := accounting.Evaluate(ctx, accounting.Basic, entries, accounting.Target{})
		near(t, "B tests and B values", basic.Epsilon, 2*budget*each, 1e-12)
		// Every loss at its top: with the record the event has the probability p, without it p·e^(−2Bt).
		p := math.Pow(math.Exp(each)/(1+math.Exp(each))/2, budget)
		epsilon := 1.9 * budget * each
		reached := p * -math.Expm1(epsilon-2*budget*each)
		b := accounting.Evaluate(ctx, accounting.Numerical, entries, accounting.Target{Delta: reached, Precision: 1e-3})
		if b.Epsilon < epsilon {
			t.Errorf("B = %g: ε = %v at δ = %v, which an attacker reaches at ε = %v", budget, b.Epsilon, reached, epsilon)
		}
	}
}
