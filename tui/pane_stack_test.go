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

// Parameters go from the end, symbol and value together: no number is ever cut.
func TestFewerParameters(t *testing.T) {
	for _, c := range []struct {
		params string
		w      int
		want   string
	}{
		{"ε 0.1 δ 1e-9 c 10 k 10000", 25, "ε 0.1 δ 1e-9 c 10 k 10000"},
		{"ε 0.1 δ 1e-9 c 10 k 10000", 24, "ε 0.1 δ 1e-9 c 10 …"},
		{"ε 0.1 δ 1e-9 c 10 k 10000", 18, "ε 0.1 δ 1e-9 …"},
		{"ε 0.1 δ 1e-9 c 10 k 10000", 7, "ε 0.1 …"},
	} {
		if got := fewer(c.params, c.w); got != c.want {
			t.Errorf("fewer(%q, %d) = %q, want %q", c.params, c.w, got, c.want)
		}
	}
}
