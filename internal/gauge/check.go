package gauge

import (
	"flag"
	"os"
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

// Long reports whether the long forms of tests are asked for.
func Long() bool { return os.Getenv("EPSILOSCOPE_LONG") != "" }

// Cases is how many cases a test looks at: few, or all of them in its long form.
func Cases(few, all int) int {
	if Long() {
		return all
	}
	return few
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
