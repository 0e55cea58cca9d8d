package tui

import (
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"epsiloscope/tui/text"
)

// exact fails unless the view is exactly w×h and holds no control character but
// the escape sequences of its own styles.
func exact(t testing.TB, a *App, what string) {
	t.Helper()
	view := a.View()
	lines := strings.Split(view, "\n")
	if len(lines) != a.h {
		t.Fatalf("%s at %d×%d: %d lines", what, a.w, a.h, len(lines))
	}
	for i, l := range lines {
		if text.Width(l) != a.w {
			t.Fatalf("%s at %d×%d: line %d is %d wide: %q", what, a.w, a.h, i, text.Width(l), ansi.Strip(l))
		}
	}
}

// walkSizes steps through 1×1 to 300×100, visiting every size at which the layout
// changes and its neighbours.
func walkSizes() (sizes [][2]int) {
	near := func(v int, at ...int) bool {
		for _, x := range at {
			if v >= x-1 && v <= x+1 {
				return true
			}
		}
		return false
	}
	for w := 1; w <= 300; w++ {
		if w%47 != 1 && !near(w, 60, 80, 110, 170) {
			continue
		}
		for h := 1; h <= 100; h++ {
			if h%33 == 1 || near(h, 18, 24, 32, 40) {
				sizes = append(sizes, [2]int{w, h})
			}
		}
	}
	return sizes
}

// states are the ways the explorer can look: every screen, chart and dialog.
var states = map[string][]string{
	"home": nil, "full chart": {"f"}, "crosshair": {"1", "tab", "tab", "tab", "right", "right"}, "utility": {"5"},
	"why": {"w"}, "help": {"?"}, "palette": {":"}, "add": {"a", "c", "1", "0"}, "form": {"enter"}, "target": {"t"}, "open": {"o"},
	"save as": {"S"}, "type": {"=", "l", "n", "("}, "marked": {" ", " ", "g"}, "confirm": {"+", "q"}, "empty": {"ctrl+n"},
}

func TestEveryScreenIsExactAtEverySize(t *testing.T) {
	for name, keys := range states {
		t.Run(name, func(t *testing.T) {
			a := start(t, 120, 36, setup{})
			press(a, keys...)
			for _, s := range walkSizes() {
				send(a, tea.WindowSizeMsg{Width: s[0], Height: s[1]})
				exact(t, a, name)
			}
		})
	}
}

func TestTooSmallSaysWhatIsNeeded(t *testing.T) {
	a := start(t, 40, 10, setup{})
	if v := a.View(); !strings.Contains(v, "60×18") || !strings.Contains(v, "40×10") {
		t.Errorf("%q", v)
	}
	exact(t, a, "too small")
}

// A key pressed at one size must not leave another size broken.
func TestResizeBetweenModes(t *testing.T) {
	a := start(t, 60, 18, setup{})
	for i, k := range []string{"tab", "tab", "3", "f", "0", "w", "esc", "tab", "z", "Z", "5", "tab"} {
		press(a, k)
		for _, s := range [][2]int{{200, 55}, {80, 24}, {120, 36}, {60, 18}, {30, 8}, {120, 28}} {
			send(a, tea.WindowSizeMsg{Width: s[0], Height: s[1]})
			exact(t, a, fmt.Sprintf("after key %d", i))
		}
	}
}
