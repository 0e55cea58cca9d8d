package tui

import (
	"strings"
	"testing"

	"epsiloscope/internal/stand"
	"epsiloscope/tui/document"
)

// α starts from the best order, which is not known at once. A key pressed too early
// says so, rather than that there is none.
func TestTurningAlphaBeforeTheBoundsAreThere(t *testing.T) {
	a := start(t, 120, 36, setup{})
	a.Result, a.Pending, a.Knob = nil, true, document.KnobAlpha
	a.Update(stand.Key("+"))
	if !strings.Contains(a.Status.Text, "still being computed") {
		t.Errorf("while computing: %q", a.Status.Text)
	}
	a.Pending = false
	a.Update(stand.Key("+"))
	if !strings.Contains(a.Status.Text, "no Rényi bound applies") {
		t.Errorf("without any: %q", a.Status.Text)
	}
}
