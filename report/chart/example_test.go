package chart_test

import (
	"context"
	"fmt"
	"os"

	"epsiloscope/accounting"
	"epsiloscope/report/chart"
	"epsiloscope/scenarios"
)

// Ten counts at ε = 0.1 each, by two theorems, from one round to a hundred.
func ExampleEpsilonK() {
	s, err := scenarios.Parse("counts.yaml", []byte(`
version: 1
name: Ten counts
budget: {epsilon: 3, delta: 1e-6}
stack:
  - {mechanism: laplace, epsilon: 0.1, count: 10}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	chart, err := chart.EpsilonK.Build(context.Background(), s, chart.Options{
		Methods: []accounting.Method{accounting.Basic, accounting.Advanced}, MaxK: 100, Points: 3,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	chart.Sheet().Write(os.Stdout, "table")
	// Output:
	// ε against K, the releases of the entry
	//
	//   K    basic  advanced
	//   1   0.1000    0.5362
	//  10   1.000     1.768
	// 100  10.00      6.309
	//
	// budget 3
	// K = 10: ε = 1.000
	// K = 35: advanced beats basic
	// smallest ε: basic, then advanced
}
