package numeral_test

import (
	"fmt"

	"epsiloscope/accounting/numeral"
)

// An upper bound is rounded up, a lower one down, so that what is printed stays true. Input may be a formula.
func Example() {
	const epsilon = 1.23441
	fmt.Println(numeral.Upper(epsilon), numeral.Lower(epsilon))
	x, err := numeral.Parse("1/8")
	fmt.Println(x, err)
	// Output:
	// 1.235 1.234
	// 0.125 <nil>
}
