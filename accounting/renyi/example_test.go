package renyi_test

import (
	"fmt"
	"math"

	"epsiloscope/accounting/renyi"
)

// A Gaussian release with μ = 1 has the Rényi curve α/2. At δ = 10⁻⁵ the classic conversion adds ln(1/δ)/(α−1); the
// least ε is 1/2 + √(2·ln(1/δ)) = 5.2985, at the order α = 1 + √(2·ln(1/δ)) = 5.7985.
func ExampleLeastOrder() {
	curve := func(alpha float64) float64 { return alpha / 2 }
	classic := func(alpha, r float64) float64 { return r + math.Log(1e5)/(alpha-1) }
	alpha, epsilon, _ := renyi.LeastOrder(curve, classic, math.Inf(1))
	fmt.Printf("ε = %.4f at α = %.2f\n", epsilon, alpha)
	// Output: ε = 5.2985 at α = 5.80
}
