package tui

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"epsiloscope/internal/gauge"
)

// No goroutine outlives an explorer. (The one left out is teatest's own: it waits
// for an interrupt as long as the test binary runs.)
func TestMain(m *testing.M) {
	remove := gauge.IsolateState()
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) { remove(); os.Exit(code) }), goleak.IgnoreTopFunction("github.com/charmbracelet/x/exp/teatest.NewTestModel.func2"))
}
