package risk_test

import (
	"context"
	"fmt"

	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/accounting/risk"
)

// Against one Gaussian release with μ = 1 an attacker with a false-positive rate of 1 % finds at most
// Φ(Φ⁻¹(0.01) + 1) = 9.24 % of the members.
func ExampleCurve_TruePositiveRate() {
	curve := risk.New([]pairs.Part{{Pair: pairs.Gaussian(1), Count: 1}})
	rate, err := curve.TruePositiveRate(context.Background(), 0.01)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("at most %.4f, at least %.3f\n", rate.Upper, rate.Lower)
	// Output: at most 0.0924, at least 0.092
}
