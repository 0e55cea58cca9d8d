package tui

import (
	"runtime/debug"
	"testing"

	"go.uber.org/goleak"
)

// No goroutine outlives an explorer. (The one left out is teatest's own: it waits
// for an interrupt as long as the test binary runs.)
func TestMain(m *testing.M) {
	debug.SetGCPercent(400) // the screens of many explorers, drawn and dropped
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("github.com/charmbracelet/x/exp/teatest.NewTestModel.func2"))
}
