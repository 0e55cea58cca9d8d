package ledger

import (
	"os"
	"testing"

	"epsiloscope/internal/gauge"
)

func TestMain(m *testing.M) {
	remove := gauge.IsolateState()
	code := m.Run()
	remove()
	os.Exit(code)
}
