package tui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"epsiloscope/tui/draw"
)

// Proofs, exercises, the division of a budget, audits and differences are drawn alike: a list over the full height at
// the left, the text at its right, a further column in a wide window, and the list above the text in a narrow one.
func TestOneShell(t *testing.T) {
	for _, screen := range []struct {
		keys []string
		list string
		set  setup
	}{
		{keys: []string{"screen.proofs"}, list: "Proofs"}, {keys: []string{"screen.exercises"}, list: "Exercises"},
		{keys: []string{"screen.plan", "plan.next-view"}, list: "Entries"}, {keys: []string{"knob.up", "screen.versus"}, list: "Compare with"},
		{keys: []string{"screen.audit"}, list: "Attacks", set: setup{scenario: weak()}},
	} {
		a := start(t, 80, 24, screen.set)
		press(a, screen.keys...)
		for _, size := range []struct{ w, h, frames int }{{80, 24, 1}, {120, 36, 2}, {200, 55, 3}} {
			send(a, tea.WindowSizeMsg{Width: size.w, Height: size.h})
			lines := strings.Split(ansi.Strip(a.View()), "\n")
			top, last := lines[1], lines[size.h-3]
			if !strings.Contains(top, "─ "+screen.list) {
				t.Errorf("%s at %d×%d: the list is not first:\n%s", screen.list, size.w, size.h, strings.Join(lines, "\n"))
			}
			got := strings.Count(last, "│") + strings.Count(last, "┃")
			if got != 2*size.frames || draw.Width(last) != size.w {
				t.Errorf("%s at %d×%d: %d borders in the last row of the screen:\n%s", screen.list, size.w, size.h, got, strings.Join(lines, "\n"))
			}
		}
	}
}

// The foot of the guided start has the way out at every size, and with every offer that it can have.
func TestGuidedStartShowsTheWayOut(t *testing.T) {
	for _, keys := range [][]string{nil, {"tab", "5", "2"}, {"tab", "5", "2", "tab", "tab", "tab", "5", "0", "0", "0", "0"}, {"ctrl+a", "ctrl+a"}} {
		for _, size := range [][2]int{{80, 24}, {100, 30}, {120, 36}, {200, 55}} {
			a := start(t, size[0], size[1], setup{})
			press(a, "new")
			press(a, keys...)
			if !onScreen(a, "esc leave") {
				t.Errorf("%v at %v:\n%s", keys, size, ansi.Strip(a.View()))
			}
		}
	}
}
