package proofs_test

import (
	"fmt"

	"epsiloscope/scenarios"
	"epsiloscope/teach/proofs"
)

// A proof is walked with the numbers of a scenario; every step says what it claims and whether the numbers agree.
func ExampleProof_WithNumbers() {
	s, err := scenarios.LoadBundled("welcome")
	if err != nil {
		fmt.Println(err)
		return
	}
	proof, _ := proofs.Lookup("exponential-privacy")
	walk := proof.WithNumbers(s)
	fmt.Println(proof.Title, "on", walk.Subject, "in", len(walk.Steps), "steps")
	// Output: The exponential mechanism is ε-DP on entry 3; on D′ the best score is lower by Δ and every other is higher by Δ in 4 steps
}
