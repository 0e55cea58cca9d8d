package certify_test

import (
	"context"
	"fmt"

	"epsiloscope/certificate/certify"
	"epsiloscope/scenarios"
)

// The certificate of ten Laplace releases of ε = 0.1: what its check will prove, known before the check.
func ExampleMake() {
	s, err := scenarios.Parse("", []byte("version: 1\nbudget: {delta: 1e-6}\nstack:\n  - {mechanism: laplace, epsilon: 0.1, count: 10}\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	claim, expected, err := certify.Make(context.Background(), s)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(claim.Releases[0].Kind, claim.Releases[0].Count, "ε ≤", expected.Upper, "at δ =", expected.Delta)
	// Output: laplace 10 ε ≤ 0.99900698 at δ = 1e-6
}
