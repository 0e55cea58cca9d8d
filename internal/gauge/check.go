package gauge

import (
	"flag"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// Sequential skips a test of one goroutine in short runs, which look for races.
func Sequential(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("one goroutine")
	}
}

// Check is rapid.Check on so many cases, few where they are slow, unless -rapid.checks asks
// for a number.
func Check(t *testing.T, cases int, property func(*rapid.T)) {
	t.Helper()
	checks := flag.Lookup("rapid.checks")
	if before := checks.Value.String(); before == checks.DefValue {
		t.Cleanup(func() { _ = checks.Value.Set(before) })
		_ = checks.Value.Set(strconv.Itoa(cases))
	}
	rapid.Check(t, property)
}
