package interop_test

import (
	"fmt"
	"log"
	"os"

	"epsiloscope/exchange/interop"
)

// A record of Opacus becomes a scenario; what it does not say is remarked on.
func ExampleImport() {
	rec, err := interop.Import("opacus", []byte(`{"history": [[1.1, 0.01, 10000]], "mechanism": "prv"}`))
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range rec.Scenario.Stack {
		fmt.Println(e.Describe())
	}
	for _, remark := range rec.Remarks {
		fmt.Println("note:", remark)
	}
	// Output:
	// DP-SGD (z 1.1, q 0.01, T 10000)
	// note: the record keeps no δ; 1e-5 was put in its place: set budget.delta to yours
	// note: Opacus accounted with "prv"; here every method is computed
	// note: Opacus assumes add-remove adjacency and Poisson sampling
}

// Back again, for the other tool to check.
func ExampleExport() {
	rec, err := interop.Import("csv", []byte("mechanism,sigma,count\ngaussian,40,100\n"))
	if err != nil {
		log.Fatal(err)
	}
	text, _, err := interop.Export("opacus", rec.Scenario)
	if err != nil {
		log.Fatal(err)
	}
	os.Stdout.Write(text)
	// Output:
	// {
	//  "history": [
	//   [
	//    40,
	//    1,
	//    100
	//   ]
	//  ],
	//  "mechanism": "rdp"
	// }
}
