package tui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"epsiloscope/scenarios"
)

// The labels of the scenario a newcomer meets stand whole at every usual size.
func TestStackShowsLabelsWhole(t *testing.T) {
	s, err := scenarios.LoadBundled(welcome)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range sizes {
		view := ansi.Strip(start(t, size[0], size[1], setup{scenario: s}).View())
		for _, e := range s.Stack {
			if !strings.Contains(view, " "+e.Label+" ") {
				t.Errorf("%d×%d: %q is cut:\n%s", size[0], size[1], e.Label, view)
			}
		}
	}
}
