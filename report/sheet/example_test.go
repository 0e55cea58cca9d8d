package sheet_test

import (
	"fmt"
	"os"

	"epsiloscope/report/sheet"
)

// A table is described once by its columns and written in every format.
func ExampleNewSheet() {
	type row struct {
		name    string
		epsilon float64
	}
	columns := []sheet.Column[row]{
		{Head: "release", Show: func(r row) string { return r.name }, Key: "release", Value: func(r row) any { return r.name }},
		{Head: "ε", Align: sheet.Right, Show: func(r row) string { return sheet.Cell(r.epsilon) }, Key: "epsilon", Value: func(r row) any { return r.epsilon }},
	}
	s := sheet.NewSheet("Two releases", columns, []row{{"a count", 0.5}, {"a mean", 0.25}})
	for _, format := range []string{"table", "csv"} {
		if err := s.Write(os.Stdout, format); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// Two releases
	//
	// release     ε
	// a count   0.5
	// a mean   0.25
	// release,epsilon
	// a count,0.5
	// a mean,0.25
}
