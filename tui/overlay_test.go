package tui

import (
	"strings"
	"testing"

	"epsiloscope/tui/draw"
)

// A dialog stands in the screen behind it: at both sides of it that goes on, cell for cell, and every frame is whole.
func TestDialogIsSplicedIn(t *testing.T) {
	for _, size := range sizes {
		a := start(t, size[0], size[1], setup{})
		behind := strings.Split(plainView(a), "\n")
		press(a, "stack.add")
		if len(a.Dialogs) != 1 {
			t.Fatal("no dialog")
		}
		for i, l := range strings.Split(plainView(a), "\n") {
			got, was := []rune(l), []rune(behind[i])
			if draw.Width(l) != size[0] || len(got) != len(was) {
				t.Fatalf("%v: a line of %d cells: %q", size, draw.Width(l), l)
			}
			if got[0] != was[0] || got[len(got)-1] != was[len(was)-1] {
				t.Errorf("%v: line %d is %q, behind it %q", size, i, l, behind[i])
			}
		}
	}
}

// The list of keys can be searched: letters narrow it and do nothing else, esc shows all of it again, a second esc
// closes it.
func TestHelpFilters(t *testing.T) {
	a := start(t, 120, 36, setup{})
	press(a, "help")
	if all := plainView(a); !strings.Contains(all, "/ filter") || strings.Contains(all, "Zoom in at") && !strings.Contains(all, "Add a mechanism") {
		t.Fatal(all)
	}
	press(a, "/", "z", "o", "o", "m")
	if view := plainView(a); !strings.Contains(view, "Zoom in at the crosshair") || strings.Contains(view, "Add a mechanism") || len(a.Dialogs) != 1 {
		t.Error(view)
	}
	press(a, "q", "q")
	if view := plainView(a); !strings.Contains(view, "no key does that") || len(a.Dialogs) != 1 {
		t.Error(view)
	}
	press(a, "backspace", "backspace", "enter")
	if !onScreen(a, "Keys with “zoom”") {
		t.Error(plainView(a))
	}
	if press(a, "esc"); !onScreen(a, "Add a mechanism") || len(a.Dialogs) != 1 {
		t.Error(plainView(a))
	}
	if press(a, "esc"); len(a.Dialogs) != 0 {
		t.Error("it is still open")
	}
}

// Without a release the answer is a grey zero, of which nothing is claimed.
func TestEmptyStackClaimsNothing(t *testing.T) {
	for _, size := range sizes {
		a := start(t, size[0], size[1], setup{})
		for len(a.Doc.Scenario().Stack) > 0 {
			press(a, "stack.drop")
		}
		view := plainView(a)
		if strings.Contains(view, "✓") || strings.Contains(view, "fits the budget") || !strings.Contains(view, "nothing is released yet") {
			t.Errorf("%v:\n%s", size, view)
		}
	}
}

// A chart that the selected entry does not have is that of another, and says so.
func TestChartOfAnotherEntrySaysSo(t *testing.T) {
	a := welcomed(t, 120, 36, picture(looks["dark"]))
	press(a, "down", "down", "chart.4")
	if !onScreen(a, "counts by district instead") || !onScreen(a, "“favourite route” has no such chart: this is “counts by district”") {
		t.Error(plainView(a))
	}
	if press(a, "up", "up"); onScreen(a, "instead") {
		t.Error(plainView(a))
	}
}
