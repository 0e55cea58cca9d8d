package tui

import (
	"testing"

	"go.uber.org/goleak"
)

// No goroutine outlives an explorer.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
