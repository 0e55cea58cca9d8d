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

// Long reports whether the long forms of tests are asked for, which take up to hours.
func Long() bool { return os.Getenv("EPSILOSCOPE_LONG") != "" }

// All reports whether a test looks at all its cases, as .ci/run asks for, or at few of
// them, as go test ./... does.
func All() bool { return os.Getenv("EPSILOSCOPE_ALL") != "" || Long() }

// Cases returns how many cases a test looks at.
func Cases(few, all int) int {
	if All() {
		return all
	}
	return few
}

// Some returns the list, of which the quick form looks at one in n, the first among them.
func Some[T any](n int, list []T) []T {
	if All() {
		return list
	}
	var some []T
	for i := 0; i < len(list); i += n {
		some = append(some, list[i])
	}
	return some
}

// OneIn returns what says of each case of nested loops whether the test looks at it: at one in n in the quick form,
// the first among them. If n and the length of the inner loop have no common divisor, each of its cases has a turn.
func OneIn(n int) (look func() bool) {
	turn := -1
	return func() bool {
		turn++
		return All() || turn%n == 0
	}
}

// Check runs rapid.Check on the given number of cases, unless -rapid.checks asks for another.
func Check(t *testing.T, cases int, property func(*rapid.T)) {
	t.Helper()
	checks := flag.Lookup("rapid.checks")
	if before := checks.Value.String(); before == checks.DefValue {
		t.Cleanup(func() { _ = checks.Value.Set(before) })
		_ = checks.Value.Set(strconv.Itoa(cases))
	}
	rapid.Check(t, property)
}
