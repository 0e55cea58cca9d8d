package tui

import (
	"testing"

	"go.uber.org/goleak"
)

// No goroutine outlives an explorer. (The one left out is teatest's own: it waits
// for an interrupt as long as the test binary runs.)
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("github.com/charmbracelet/x/exp/teatest.NewTestModel.func2"))
}
