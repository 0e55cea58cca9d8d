package kit_test

import (
	"fmt"

	"epsiloscope/tui/kit"
)

// The widest wording that fits is taken.
func ExampleWidest() {
	for _, room := range []int{30, 12, 3} {
		fmt.Printf("%q\n", kit.Widest(room, "within the budget of 1", "within", ""))
	}
	// Output:
	// "within the budget of 1"
	// "within"
	// ""
}
