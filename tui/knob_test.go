package tui

import (
	"strings"
	"testing"

	"epsiloscope/tui/document"
)

// α starts from the best order, which is not known at once. A key pressed too early
// says so, rather than that there is none.
func TestTurningAlphaBeforeTheBoundsAreThere(t *testing.T) {
	a := start(t, 120, 36, setup{})
	a.Result, a.Pending, a.Knob = nil, true, document.KnobAlpha
	if err := a.home.turn(1, false); err == nil || !strings.Contains(err.Error(), "still being computed") {
		t.Errorf("while computing: %v", err)
	}
	a.Pending = false
	if err := a.home.turn(1, false); err == nil || !strings.Contains(err.Error(), "no Rényi bound applies") {
		t.Errorf("without any: %v", err)
	}
}
