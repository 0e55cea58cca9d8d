package curve_test

import (
	"fmt"
	"math"

	"epsiloscope/report/curve"
)

// Between two points of a table δ is bounded by the chord in e^ε: halfway between e⁰ and e¹ it is halfway between 0.4
// and 0.2. A δ that the table does not reach has no ε.
func ExampleTable_At() {
	var t curve.Table
	t.Add(0, 0.4)
	t.Add(1, 0.2)
	half := math.Log((1 + math.E) / 2)
	fmt.Printf("%.2f %.2f %.2f %v\n", t.At(half), t.At(2), t.EpsilonAt(0.3), t.EpsilonAt(0.1))
	// Output: 0.30 0.20 1.00 +Inf
}
