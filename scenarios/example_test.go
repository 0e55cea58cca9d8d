package scenarios_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
)

const monthly = `version: 1
unit: person-month
budget: {epsilon: 1, delta: 1e-6}
stack:
  - {mechanism: laplace, epsilon: 0.1, count: 20}  # the pilot's noise
`

// Read a scenario and ask what it costs.
func Example() {
	s, err := scenarios.Parse("monthly.yaml", []byte(monthly))
	if err != nil {
		log.Fatal(err)
	}
	r, err := scenarios.Evaluate(context.Background(), s, scenarios.Options{Closed: true})
	if err != nil {
		log.Fatal(err)
	}
	for _, b := range r.Bounds {
		if b.Status == accounting.Valid {
			fmt.Printf("%-12s %.3f\n", b.Method, b.Epsilon)
		}
	}
	fmt.Println("best:", r.Bounds[r.Best].Method)
	// Output:
	// basic        2.000
	// advanced     2.561
	// advanced-kov 2.000
	// optimal      1.789
	// rdp          1.835
	// rdp-classic  2.000
	// zcdp         2.104
	// zcdp-classic 2.409
	// best: optimal
}

// Every mistake of a file is reported, with its place.
func ExampleParse_errors() {
	_, err := scenarios.Parse("monthly.yaml", []byte(strings.Replace(monthly, "epsilon: 0.1", "epsilon: -1, scal: 3", 1)))
	fmt.Println(err)
	// Output:
	// monthly.yaml:5:35: stack[1].epsilon: must be greater than 0, got -1
	// monthly.yaml:5:39: stack[1].scal: unknown field of laplace; did you mean scale?
}

// Changing a value leaves the rest of the file as its author wrote it.
func ExampleScenario_Marshal() {
	s, err := scenarios.Parse("monthly.yaml", []byte(monthly))
	if err != nil {
		log.Fatal(err)
	}
	if err := s.Set("1.epsilon", "1/20"); err != nil {
		log.Fatal(err)
	}
	text, err := s.Marshal()
	if err != nil {
		log.Fatal(err)
	}
	os.Stdout.Write(text)
	// Output:
	// version: 1
	// unit: person-month
	// budget: {epsilon: 1, delta: 1e-6}
	// stack:
	//   - {mechanism: laplace, epsilon: 0.05, count: 20}  # the pilot's noise
}

// How many such queries does the budget allow?
func ExamplePlan() {
	s, err := scenarios.Parse("monthly.yaml", []byte(monthly))
	if err != nil {
		log.Fatal(err)
	}
	s.Budget.Epsilon = 4
	for _, m := range []accounting.Method{accounting.Basic, accounting.RDP} {
		p, err := scenarios.Plan(context.Background(), s, scenarios.PlanRequest{Solve: "count", Method: m})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: %g queries\n", p.Method, p.Value)
	}
	// Output:
	// basic: 40 queries
	// rdp: 68 queries
}

// Which noise 100 counts need within (1, 1e-6), by theorem.
func ExampleEvaluator_PlanAll() {
	s, err := scenarios.LoadBundled("steward-100-counts")
	if err != nil {
		fmt.Println(err)
		return
	}
	all, err := scenarios.NewEvaluator().PlanAll(context.Background(), s, scenarios.PlanRequest{Solve: "sigma"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range all {
		if r.Feasible {
			fmt.Printf("%-12s σ = %.1f\n", r.Method, r.Value)
		}
	}
	// Output:
	// basic        σ = 412.4
	// advanced     σ = 243.8
	// advanced-kov σ = 227.3
	// rdp          σ = 45.3
	// rdp-classic  σ = 53.5
	// zcdp         σ = 45.3
	// zcdp-classic σ = 53.5
	// gdp          σ = 42.2
	// numerical    σ = 42.2
}
