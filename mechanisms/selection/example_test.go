package selection_test

import (
	"fmt"

	"epsiloscope/mechanisms/param"
	"epsiloscope/mechanisms/selection"
)

// Scores 10 and 9, ε = 1, Δ = 1: the exponential mechanism weighs them by e^{score/2}, so the better one wins with
// probability 1/(1 + e^{−1/2}) = 0.6225.
func ExampleExponential() {
	d, err := selection.Exponential([]param.Item{{Name: "a", Value: 10}, {Name: "b", Value: 9}},
		selection.Width{Epsilon: 1, Sensitivity: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.4f %.4f\n", d.Probabilities[0], d.Probabilities[1])
	// Output: 0.6225 0.3775
}
