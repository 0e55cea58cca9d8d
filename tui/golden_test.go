package tui

import (
	"fmt"
	"testing"

	"github.com/charmbracelet/x/exp/golden"
)

var sizes = [][2]int{{80, 24}, {120, 36}, {200, 55}}

// looks are the three ways a screen is compared: two backgrounds, and no colour.
var looks = map[string]setup{"dark": {theme: "dark"}, "light": {theme: "light"}, "no-color": {theme: "mono", noColor: true}}

// Home with each chart, at three sizes and in three looks, byte by byte.
func TestGoldenScreens(t *testing.T) {
	for look, s := range looks {
		for _, size := range sizes {
			t.Run(fmt.Sprintf("%s-%dx%d-home", look, size[0], size[1]), func(t *testing.T) {
				golden.RequireEqual(t, []byte(start(t, size[0], size[1], s).View()))
			})
			for _, c := range chartKinds() {
				t.Run(fmt.Sprintf("%s-%dx%d-chart%s", look, size[0], size[1], c.key), func(t *testing.T) {
					a := start(t, size[0], size[1], s)
					press(a, c.key)
					golden.RequireEqual(t, []byte(a.View()))
				})
			}
		}
	}
}

// The dialogs and screens over home, once each.
func TestGoldenDialogs(t *testing.T) {
	for name, keys := range map[string][]string{"help": {"?"}} {
		t.Run(name, func(t *testing.T) {
			a := start(t, 120, 36, looks["no-color"])
			press(a, keys...)
			golden.RequireEqual(t, []byte(a.View()))
		})
	}
}

func TestGoldenASCII(t *testing.T) {
	a := start(t, 120, 36, setup{theme: "mono", noColor: true, ascii: true})
	view := a.View()
	for i, r := range view {
		if r >= 0x80 {
			t.Errorf("%q at byte %d: ASCII was asked for", r, i)
			break
		}
	}
	golden.RequireEqual(t, []byte(view))
}
