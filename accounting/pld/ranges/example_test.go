package ranges_test

import (
	"fmt"
	"math"

	"epsiloscope/accounting/pld/ranges"
)

// Ten selections with a range of ε = 0.1 satisfy ε = 1 for certain, and far less at a small δ: the curve ends at the
// loss from which on δ is 0.
func ExampleNewFixed() {
	f, ok := ranges.NewFixed(0.1, 10)
	if !ok {
		fmt.Println("out of range")
		return
	}
	losses, deltas, _ := f.UpperCurve()
	i := 0
	for deltas[i] > 1e-3 {
		i++
	}
	fmt.Printf("%.2f %t\n", losses[i], math.Abs(losses[len(losses)-1]-1) < 1e-9)
	// Output: 0.35 true
}
