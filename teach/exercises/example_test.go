package exercises_test

import (
	"context"
	"fmt"

	"epsiloscope/teach/exercises"
)

// A reply is compared with what the engine computes for the scenario of the question.
func ExampleExercise_Check() {
	e := exercises.Library()[0]
	fmt.Println(e.Question)
	for _, reply := range []string{"basic", "numerical"} {
		verdict, err := e.Check(context.Background(), reply)
		fmt.Println(reply, verdict.Right, err)
	}
	// Output:
	// A hundred counts with Laplace noise, ε = 0.1 each, at δ = 10⁻⁶. Which method gives the smallest proven bound?
	// basic false <nil>
	// numerical true <nil>
}
