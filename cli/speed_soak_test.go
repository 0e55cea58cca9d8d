//go:build unix

package cli

import (
	"syscall"
	"testing"
	"time"

	"pgregory.net/rapid"

	"epsiloscope/internal/gauge"
)

// TestSpeedLong measures the processor time of three commands on random stacks of up to twelve entries: at most 3 s
// each. It is part of the long checks only, as a test is not to depend on the machine.
func TestSpeedLong(t *testing.T) {
	if !gauge.Long() {
		t.Skip("measures times: EPSILOSCOPE_LONG=1")
	}
	const limit = 3 * time.Second
	slowest := map[string]time.Duration{}
	gauge.Check(t, 1000, func(rt *rapid.T) {
		stack := drawLongStack(rt, 12)
		for name, args := range map[string][]string{
			"curve profile": {"curve", "-", "profile", "-o", "csv"},
			"compare --tpr": {"compare", "-"},
			"explain":       {"explain", "-"},
		} {
			before := processorTime(t)
			status, _, stderr := run(stack, args...)
			took := processorTime(t) - before
			if slowest[name] = max(slowest[name], took); status > 1 || took > limit {
				rt.Errorf("%s takes %v, status %d: %s\n%s", name, took, status, stderr, stack)
			}
		}
	})
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
