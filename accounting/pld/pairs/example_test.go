package pairs_test

import (
	"fmt"

	"epsiloscope/accounting/pld/pairs"
)

// A Poisson sample of a hundredth under Gaussian noise: δ(0.1) falls by more than the rate.
func ExampleSubsample() {
	noise := pairs.Gaussian(1)
	sampled := pairs.Subsample(0.01, noise)
	fmt.Printf("%.4f %.2e, symmetric: %v %v\n", noise.Delta(0.1), sampled.Delta(0.1), noise.Symmetric(), sampled.Symmetric())
	// Output: 0.3523 7.29e-05, symmetric: true false
}
