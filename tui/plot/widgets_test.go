package plot

import (
	"fmt"
	"testing"

	"epsiloscope/tui/theme"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

// The mouse finds the value the knob stands on.
func TestSliderValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.IntRange(2, 80).Draw(t, "w")
		cell := rapid.IntRange(0, w-1).Draw(t, "cell")
		log := rapid.Bool().Draw(t, "log")
		v := SliderValue(cell, 1e-9, 10, log, w)
		if fill, _, _ := SliderParts(theme.ASCII(), v, 1e-9, 10, log, w); len(fill) != cell {
			t.Fatalf("cell %d of %d is %g, whose knob is in cell %d", cell, w, v, len(fill))
		}
	})
}

func TestSlidersAreExactlyTheirWidth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := rapid.SampledFrom([]theme.Glyphs{theme.Unicode(), theme.ASCII()}).Draw(t, "glyphs")
		w := rapid.IntRange(-2, 60).Draw(t, "w")
		fill, knob, rest := SliderParts(g, drawValue(t), drawValue(t), drawValue(t), rapid.Bool().Draw(t, "log"), w)
		if got := ansi.StringWidth(fill + knob + rest); got != max(w, 0) {
			t.Fatalf("a slider of width %d has %d columns: %q", w, got, fill+knob+rest)
		}
	})
}

func ExampleSliderParts() {
	fill, knob, rest := SliderParts(theme.Unicode(), 1e-6, 1e-12, 1, true, 13)
	fmt.Println(fill + knob + rest)
	// Output: ━━━━━━●──────
}
