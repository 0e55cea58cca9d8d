package guide_test

import (
	"context"
	"fmt"

	"epsiloscope/scenarios/plan"
	"epsiloscope/teach/guide"
)

// Ten counts for 10,000 people within ε = 1: the guide chooses mechanism, noise and δ.
func ExampleBuild() {
	p, err := guide.Build(context.Background(), plan.New(), guide.Wish{
		Name: "counts", Unit: "person", People: 10000, Epsilon: 1,
		Releases: []guide.Release{{Kind: guide.Counts, Times: 10, Change: 1}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s, fits: %t, 95 %% error %.1f\n", p.Scenario.Stack[0].Mechanism, p.Fits, p.Errors[0])
	// Output: gaussian, fits: true, 95 % error 26.2
}
