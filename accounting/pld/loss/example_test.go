package loss_test

import (
	"fmt"
	"math"

	"epsiloscope/accounting/pld/loss"
)

// The loss of Laplace noise with ε = 1 lies between −1 and 1: it is 1 with probability ½, −1 with probability
// e⁻¹/2 = 0.1839, and has a density between. Its mean is ε − 1 + e^{−ε} = 0.3679.
func ExampleLaplace() {
	l := loss.Laplace(1)
	mean, _ := l.Moments()
	fmt.Printf("largest %.1f, mean %.4f\n", l.Largest(), mean)
	for _, a := range l.Atoms {
		fmt.Printf("%+.0f %.4f\n", a.Loss, math.Exp(a.LogP))
	}
	// Output:
	// largest 1.0, mean 0.3679
	// +1 0.5000
	// -1 0.1839
}
