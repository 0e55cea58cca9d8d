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
	r, err := scenarios.Evaluate(context.Background(), s, scenarios.Options{ClosedFormsOnly: true})
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range []accounting.Method{accounting.Basic, accounting.Advanced, accounting.RDP, accounting.ZCDP} {
		if b, ok := r.Bound(m); ok && b.Status == accounting.Valid {
			fmt.Printf("%-8s %.3f\n", b.Method, b.Epsilon)
		}
	}
	best := r.Bounds[r.Best]
	fmt.Printf("best:    %.3f by %s\n", best.Epsilon, best.Method)
	// Output:
	// basic    2.000
	// advanced 2.561
	// rdp      1.835
	// zcdp     2.104
	// best:    1.789 by optimal
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
