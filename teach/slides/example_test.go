package slides_test

import (
	"fmt"
	"math"

	"epsiloscope/teach/slides"
)

// Bob's 10,000 queries with δ′ = e⁻³²: the corollary with its factor 2 allows ε/1600 each; a slide without the factor
// allows ε/800, which is too much.
func ExampleAdvancedEach() {
	each, err := slides.AdvancedEach(0.5, math.Exp(-32), 1e4)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.0f %.0f\n", 0.5/each, 0.5/slides.AdvancedEachSlide(0.5, math.Exp(-32), 1e4))
	// Output: 1600 800
}
