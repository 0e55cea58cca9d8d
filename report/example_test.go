package report_test

import (
	"fmt"

	"epsiloscope/report"
)

func ExampleNearest() {
	for _, x := range []float64{0.1, 4.7741, 1e-6} {
		fmt.Println(report.Nearest(x), report.Upper(x), report.Short(x))
	}
	// Output:
	// 0.1000 0.1000 0.1
	// 4.774 4.775 4.774
	// 1.000e-6 1.000e-6 1e-6
}
