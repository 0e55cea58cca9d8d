package tui

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"
)

// A link of a lecture shows its lab and runs it.
func TestLinksOpenLabs(t *testing.T) {
	a := start(t, 120, 36, looks["no-color"])
	drain(a, host{a}.Lab("exponential"))
	send(a, nil)
	if view := plainView(a); a.screens[a.screen].name != "labs" || !strings.Contains(view, "exponential × ") {
		t.Errorf("the link did not open and run its lab:\n%s", view)
	}
}

func TestGoldenLabs(t *testing.T) {
	for _, size := range sizes[:2] {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			a := start(t, size[0], size[1], looks["no-color"])
			press(a, "b", "tab", "down", "down", "e")
			typed(a, "100") // repeats: quick
			press(a, "enter", "up", "up", "tab", "enter")
			golden.RequireEqual(t, []byte(a.View()))
		})
	}
}
