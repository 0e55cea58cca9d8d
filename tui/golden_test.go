package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"epsiloscope/tui/layout"
)

var sizes = [][2]int{{80, 24}, {120, 36}, {200, 55}}

// looks are the three ways a screen is compared: two backgrounds, and no colour.
var looks = map[string]setup{"dark": {theme: "dark"}, "light": {theme: "light"}, "no-color": {theme: "mono", noColor: true}}

// Home with each chart, at three sizes and in three looks, byte by byte, as the real
// accountants fill them. What is compared is what is shown: four digits, and curves to
// half a dot, neither of which depends on the machine's last bits.
func TestGoldenScreens(t *testing.T) {
	for look, s := range looks {
		for _, size := range sizes {
			t.Run(fmt.Sprintf("%s-%dx%d-home", look, size[0], size[1]), func(t *testing.T) {
				golden.RequireEqual(t, []byte(settled(t, welcomed(t, size[0], size[1], s))))
			})
			for _, c := range chartViews() {
				t.Run(fmt.Sprintf("%s-%dx%d-chart%s", look, size[0], size[1], c.name), func(t *testing.T) {
					a := welcomed(t, size[0], size[1], s)
					press(a, c.keys...)
					golden.RequireEqual(t, []byte(settled(t, a)))
				})
			}
		}
	}
}

// settled returns the view of an explorer that waits for nothing any more.
func settled(t *testing.T, a *App) string {
	t.Helper()
	if _, fresh, _ := a.home.Drawn(); a.Pending || !fresh && a.home.Lay.Slots[layout.Chart].Visible() {
		t.Fatal("answers are outstanding")
	}
	return a.View()
}

// The dialogs and screens over home, once each. (The list of files to open is the
// library's own affair; the labs have their own.)
func TestGoldenSights(t *testing.T) {
	names := []string{
		"home, bounds focused", "marked", "grouped", "left out", "pinned", "empty", "refused", "hostile names", "crosshair",
		"chart 1 alone", "why", "plan", "plan, divide", "person", "statement", "differences", "help", "palette", "tour",
		"catalogue, counted", "form", "form, wrong", "target", "save as", "type", "confirm",
	}
	for _, s := range sights() {
		if !slices.Contains(names, s.name) {
			continue
		}
		s.set.theme, s.set.noColor = "mono", true
		t.Run(strings.ReplaceAll(s.name, ", ", "-"), func(t *testing.T) {
			golden.RequireEqual(t, []byte(settled(t, s.open(t, 120, 36))))
		})
	}
}

// The screen on a ledger at three sizes and in three looks, and its pages once each.
func TestGoldenLedger(t *testing.T) {
	for look, s := range looks {
		for _, size := range sizes {
			t.Run(fmt.Sprintf("%s-%dx%d", look, size[0], size[1]), func(t *testing.T) {
				m := mobility()
				m.theme, m.noColor = s.theme, s.noColor
				golden.RequireEqual(t, []byte(settled(t, welcomed(t, size[0], size[1], m))))
			})
		}
	}
	for _, s := range sights() {
		if !strings.HasPrefix(s.name, "ledger, ") {
			continue
		}
		s.set.theme, s.set.noColor = "mono", true
		t.Run(strings.TrimPrefix(s.name, "ledger, "), func(t *testing.T) {
			golden.RequireEqual(t, []byte(settled(t, s.open(t, 120, 36))))
		})
	}
}

func TestGoldenASCII(t *testing.T) {
	a := welcomed(t, 120, 36, setup{theme: "mono", noColor: true, ascii: true})
	view := settled(t, a)
	for i, r := range view {
		if r >= 0x80 {
			t.Errorf("%q at byte %d: ASCII was asked for", r, i)
			break
		}
	}
	golden.RequireEqual(t, []byte(view))
}
