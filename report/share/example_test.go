package share_test

import (
	"fmt"

	"epsiloscope/report/share"
)

// The name of a file follows the title of its scenario.
func ExampleFileName() {
	fmt.Println(share.FileName("Mobility 2026: trips per day", "html"))
	// Output: mobility-2026-trips-per-day.html
}
