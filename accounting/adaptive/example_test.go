package adaptive_test

import (
	"fmt"

	"epsiloscope/accounting"
	"epsiloscope/accounting/adaptive"
)

// A basic filter promises ε = 1 in all. Two releases of ε = 0.4 fit, a third one would break the promise.
func Example() {
	filter, err := adaptive.New(adaptive.Promise{Filter: adaptive.Basic, Epsilon: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	price, err := filter.Price([]accounting.Entry{{Release: accounting.PureDP(0.4), Count: 1}})
	if err != nil {
		fmt.Println(err)
		return
	}
	sum := price
	for n := 1; n <= 3; n++ {
		fmt.Println(n, filter.Fits(sum) == nil)
		sum = sum.Plus(price)
	}
	// Output:
	// 1 true
	// 2 true
	// 3 false
}
