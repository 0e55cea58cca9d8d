package exact_test

import (
	"context"
	"fmt"
	"math"

	"epsiloscope/accounting/pld/exact"
	"epsiloscope/accounting/pld/loss"
	"epsiloscope/accounting/pld/spectrum"
)

// Two randomized responses of ε = 1: the sums are +2, 0 and −2, and δ(1) is 0.5344·(1 − e^{−1}) = 0.3378.
func ExampleComposeByDistance() {
	p := math.E / (1 + math.E)
	response := loss.Distribution{Atoms: []loss.Atom{{Loss: 1, LogP: math.Log(p)}, {Loss: -1, LogP: math.Log(1 - p)}}}
	stack := spectrum.Stack{Lines: []spectrum.Line{{Loss: response, Count: 2, Key: "response"}}}
	upper, ok := exact.ComposeByDistance(context.Background(), stack, 0, 0, true)
	if !ok {
		fmt.Println("too many sums")
		return
	}
	fmt.Printf("%d sums, δ(1) = %.4f, ε(0.1) = %.4f\n", upper.Points, upper.Delta(1), upper.Epsilon(0.1))
	// Output: 3 sums, δ(1) = 0.3378, ε(0.1) = 1.7928
}
