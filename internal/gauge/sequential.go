package gauge

import "testing"

// Sequential leaves a test out of short runs, which are those with the race detector: there
// is one goroutine in it, and nothing to find.
func Sequential(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("one goroutine")
	}
}
