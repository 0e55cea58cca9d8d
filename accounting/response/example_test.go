package response_test

import (
	"fmt"

	"epsiloscope/accounting/response"
)

// Two randomized responses of ε = 1 have a loss of 2 with probability 0.5344. At δ = 0.1 the ε of both solves
// 0.5344·(1 − e^{ε−2}) = 0.1.
func ExampleEpsilon() {
	epsilon, ok := response.Epsilon([]response.Level{{Epsilon: 1, Count: 2}}, 0.1)
	fmt.Printf("%.4f %t\n", epsilon, ok)
	// Output: 1.7928 true
}
