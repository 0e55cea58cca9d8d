//go:build unix

package cli

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"pgregory.net/rapid"

	"epsiloscope/internal/gauge"
	"epsiloscope/scenarios"
)

// TestSpeedLong measures the processor time of three commands on every bundled scenario and on random stacks of up to
// twelve entries: at most 3 s each. It is part of the long checks only, as a test is not to depend on the machine.
// EPSILOSCOPE_CASES is how many random stacks there are.
func TestSpeedLong(t *testing.T) {
	if !gauge.Long() {
		t.Skip("measures times: EPSILOSCOPE_LONG=1")
	}
	const limit = 3 * time.Second
	stacks := 1000
	if n, err := strconv.Atoi(os.Getenv("EPSILOSCOPE_CASES")); err == nil {
		stacks = n
	}
	slowest := map[string]time.Duration{}
	measure := func(scenario, stdin string, harm ...string) {
		for name, args := range map[string][]string{
			"curve profile": {"curve", scenario, "profile", "-o", "csv"},
			"compare --tpr": append([]string{"compare", scenario}, harm...),
			"explain":       {"explain", scenario},
		} {
			before := processorTime(t)
			status, _, stderr := run(stdin, args...)
			took := processorTime(t) - before
			slowest[name] = max(slowest[name], took)
			refused := status == statusInput && (scenario != "-" || strings.Contains(stderr, "no dominating pair"))
			if status > 1 && !refused || took > limit {
				t.Errorf("%s %s takes %v, status %d: %s\n%s", name, scenario, took, status, stderr, stdin)
			}
		}
	}
	for _, bundled := range scenarios.LibraryInfos() {
		measure(bundled.Name, "", "--tpr", "0.9", "--fpr", "0.01")
	}
	t.Logf("slowest bundled scenarios: %v", slowest)
	if t.Failed() {
		return
	}
	clear(slowest)
	// All slow stacks are reported by t: a failure of rt would end the run and take long to be made shorter.
	gauge.Check(t, stacks, func(rt *rapid.T) { measure("-", drawLongStack(rt, 12)) })
	t.Logf("slowest stacks: %v", slowest)
}

// processorTime returns the processor time of this process so far.
func processorTime(t *testing.T) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano())
}
