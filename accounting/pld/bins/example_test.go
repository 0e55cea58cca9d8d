package bins_test

import (
	"context"
	"fmt"

	"epsiloscope/accounting/numeral"
	"epsiloscope/accounting/pld/bins"
)

// The sum of four lognormal numbers of mean 1 has the mean 4. The upper and the lower estimate enclose the
// probability that it exceeds 8.
func ExampleLognormal() {
	for _, side := range []numeral.Side{numeral.Down, numeral.Up} {
		sum, err := bins.Lognormal(context.Background(), 4, 1, 0.05, 8, side)
		if err != nil {
			fmt.Println(err)
			return
		}
		tail := 0.0
		for _, v := range sum.Values {
			if v.X > 8 {
				tail += v.Q
			}
		}
		fmt.Printf("%.3f\n", tail)
	}
	// Output:
	// 0.067
	// 0.067
}
