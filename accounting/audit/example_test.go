package audit_test

import (
	"fmt"

	"epsiloscope/accounting/audit"
)

// An attack said "in" for 900 of 1,000 runs with the record and for 100 of 1,000 without it. A mechanism whose ε is
// below ln(900/100) = 2.197 would hardly show that; with 95 % confidence ε is at least the number printed.
func ExampleTwoSample_EpsilonLower() {
	attack := audit.TwoSample{Members: 1000, TruePositives: 900, NonMembers: 1000, FalsePositives: 100}
	epsilon, err := attack.EpsilonLower(1e-5, 0.95)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("ε ≥ %.2f\n", epsilon)
	// Output: ε ≥ 1.99
}
