package plan_test

import (
	"context"
	"fmt"
	"log"
	"slices"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
)

// How many such queries does the budget allow?
func ExamplePlanner_Plan() {
	s, err := scenarios.Parse("monthly.yaml", []byte("version: 1\nbudget: {epsilon: 4, delta: 1e-6}\nstack: [{mechanism: laplace, epsilon: 0.1, count: 20}]"))
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range []accounting.Method{accounting.Basic, accounting.RDP} {
		p, err := plan.New().Plan(context.Background(), s, plan.Request{Solve: "count", Method: m})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: %g queries\n", p.Method, p.Value)
	}
	// Output:
	// basic: 40 queries
	// rdp: 68 queries
}

// Which noise 100 counts need within (1, 1e-6), by three of the theorems.
func ExamplePlanner_All() {
	s, err := scenarios.LoadBundled("steward-100-counts")
	if err != nil {
		fmt.Println(err)
		return
	}
	all, err := plan.New().All(context.Background(), s, plan.Request{Solve: "sigma"})
	if err != nil {
		fmt.Println(err)
		return
	}
	few := []accounting.Method{accounting.Basic, accounting.RDP, accounting.GDP}
	for _, r := range all {
		if r.Feasible && slices.Contains(few, r.Method) {
			fmt.Printf("%-5s σ = %.1f\n", r.Method, r.Value)
		}
	}
	// Output:
	// basic σ = 412.4
	// rdp   σ = 45.3
	// gdp   σ = 42.2
}
