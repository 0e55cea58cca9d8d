package exact_test

import (
	"fmt"
	"math"

	"epsiloscope/accounting/pld/exact"
	"epsiloscope/accounting/pld/loss"
	"epsiloscope/accounting/pld/spectrum"
)

// Two randomized responses of ε = 1: the sums are +2, 0 and −2, and δ(1) is 0.5344·(1 − e^{−1}) = 0.3378.
func ExamplePessimistic() {
	p := math.E / (1 + math.E)
	response := loss.Distribution{Atoms: []loss.Atom{{Loss: 1, LogP: math.Log(p)}, {Loss: -1, LogP: math.Log(1 - p)}}}
	losses, masses, top, ok := exact.Pessimistic([]spectrum.Line{{Loss: response, Count: 2}}, 100)
	if !ok {
		fmt.Println("too many sums")
		return
	}
	delta := top
	for i, x := range losses {
		delta += masses[i] * math.Max(0, -math.Expm1(1-x))
	}
	fmt.Printf("%d sums, δ(1) = %.4f\n", len(losses), delta)
	// Output: 3 sums, δ(1) = 0.3378
}
