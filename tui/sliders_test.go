package tui

import (
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"epsiloscope/internal/gauge"
	"epsiloscope/scenarios"
	"epsiloscope/tui/document"
	"epsiloscope/tui/layout"
)

// thumb returns the column of the active knob's thumb in the pane of the knobs, and its row; -1 if there is none.
func thumb(a *App) (column, row int) {
	for i, line := range a.home.Pane(layout.Knobs).View(true) {
		if cells := []rune(ansi.Strip(line)); slices.Contains(cells, '▸') {
			return slices.Index(cells, '●'), i
		}
	}
	return -1, -1
}

// trackRuns returns the cells of the active slider before and after its thumb: where a value got longer the whole
// slider stands further right, and only they show that the thumb moved in it.
func trackRuns(a *App) (before, after int) {
	_, row := thumb(a)
	line := ansi.Strip(a.home.Pane(layout.Knobs).View(true)[row])
	return strings.Count(line, "━"), strings.Count(line, "─")
}

// turned returns the knob that is selected.
func turned(a *App) document.Knob {
	ks := a.Doc.Knobs(11.7)
	return ks[max(0, slices.IndexFunc(ks, func(k document.Knob) bool { return k.Name == a.Knob }))]
}

// The thumb moves with every step that is taken, by key or wheel, fine or coarse, in the box and in the strip.
func TestThumbMovesWithEveryStep(t *testing.T) {
	gauge.Sequential(t)
	for _, size := range [][2]int{{120, 36}, {80, 24}, {200, 55}} {
		gauge.Check(t, gauge.Cases(5, 60), func(rt *rapid.T) {
			a := start(t, size[0], size[1], setup{})
			a.Doc.Select(rapid.IntRange(0, len(a.Doc.Rows())-1).Draw(rt, "entry"))
			for range rapid.IntRange(0, 6).Draw(rt, "knob") {
				press(a, "knob.next")
			}
			for range rapid.IntRange(1, 60).Draw(rt, "steps") {
				key := rapid.SampledFrom([]string{"+", "+", "+", "-", "-", "-", "[", "]"}).Draw(rt, "key")
				was, _ := thumb(a)
				left, right := trackRuns(a)
				before := turned(a)
				press(a, key)
				now, _ := thumb(a)
				toLeft, toRight := trackRuns(a)
				after := turned(a)
				if after.Value != before.Value && was >= 0 && now == was && left == toLeft && right == toRight {
					rt.Fatalf("%v: %s from %v to %v leaves the thumb of %s in column %d:\n%s", size, key, before.Value, after.Value, before.Name, was, plainView(a))
				}
			}
		})
	}
}

// A click gives the knob the value under it, and the thumb is there; it lies between the values at the ends.
func TestClickMovesTheThumb(t *testing.T) {
	gauge.Sequential(t)
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		gauge.Check(t, gauge.Cases(10, 150), func(rt *rapid.T) {
			a := start(t, size[0], size[1], setup{})
			a.Doc.Select(rapid.IntRange(0, len(a.Doc.Rows())-1).Draw(rt, "entry"))
			for range rapid.IntRange(0, 4).Draw(rt, "knob") {
				press(a, "knob.next")
			}
			for range rapid.IntRange(0, 5).Draw(rt, "steps") {
				press(a, rapid.SampledFrom([]string{"+", "-", "["}).Draw(rt, "key"))
			}
			at, row := thumb(a)
			if at < 0 {
				return
			}
			line := []rune(ansi.Strip(a.home.Pane(layout.Knobs).View(true)[row]))
			from, to := at, at
			for ; from > 0 && line[from-1] == '━'; from-- {
			}
			for ; to+1 < len(line) && line[to+1] == '─'; to++ {
			}
			x := rapid.IntRange(from, to).Draw(rt, "x")
			before, r := turned(a), a.home.Lay.Slots[layout.Knobs]
			click(a, r.X+x, r.Y+row, tea.MouseButtonLeft)
			now, _ := thumb(a)
			after := turned(a)
			if now != x || (x > at) != (after.Value > before.Value) || (x < at) != (after.Value < before.Value) {
				rt.Fatalf("a click in column %d, the thumb in %d: %s from %v to %v, the thumb in %d:\n%s", x, at, before.Name, before.Value, after.Value, now, strings.TrimSpace(string(line)))
			}
		})
	}
}

// The ends of a slider are whole numbers or have an exponent, never the beginning of a number.
func TestSliderEndsAreWhole(t *testing.T) {
	s, err := scenarios.LoadBundled("harm-advantage")
	if err != nil {
		t.Fatal(err)
	}
	a := start(t, 120, 36, setup{scenario: s})
	if view := plainView(a); !strings.Contains(view, "e-3 ") || strings.Contains(view, "0.00…") {
		t.Errorf("the slider of q = 0.002 has no ends:\n%s", view)
	}
}
