package special_test

import (
	"fmt"
	"math"

	"epsiloscope/accounting/special"
)

// The tight ε of Gaussian noise solves Φ(μ/2 − ε/μ) − e^ε·Φ(−μ/2 − ε/μ) = δ. For μ = 1 and δ = 10⁻⁵ it is 4.3772.
func ExampleGaussianEpsilon() {
	epsilon := special.GaussianEpsilon(1, math.Log(1e-5))
	fmt.Printf("%.4f %.2e\n", epsilon, math.Exp(special.LogGaussianProfile(1, epsilon)))
	// Output: 4.3772 1.00e-05
}
