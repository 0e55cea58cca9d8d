package spectrum_test

import (
	"context"
	"fmt"
	"math"

	"epsiloscope/accounting/pld/loss"
	"epsiloscope/accounting/pld/spectrum"
)

// Two randomized responses of ε = 1, as in the package comment: the ε of δ = 0.5344·(1 − e^{−1}) is 1.
func ExampleStack_Epsilon() {
	p := math.E / (1 + math.E)
	response := loss.Distribution{Atoms: []loss.Atom{{Loss: 1, LogP: math.Log(p)}, {Loss: -1, LogP: math.Log(1 - p)}}}
	stack := spectrum.Stack{Lines: []spectrum.Line{{Loss: response, Count: 2, Key: "response"}}}
	delta := p * p * (1 - math.Exp(-1))
	i, err := stack.Epsilon(context.Background(), delta, 1e-6)
	fmt.Printf("%.6f to %.6f %v\n", i.Lower, i.Upper, err)
	lower, upper, err := stack.Deltas(context.Background(), []float64{1}, 1e-6)
	fmt.Printf("%.4f to %.4f %v\n", lower[0], upper[0], err)
	// Output:
	// 1.000000 to 1.000000 <nil>
	// 0.3378 to 0.3378 <nil>
}
