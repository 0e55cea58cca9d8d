package plot

import (
	"fmt"
	"math"
	"testing"

	"epsiloscope/tui/theme"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

func TestWidgetsAreExactlyTheirWidth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := rapid.SampledFrom([]theme.Glyphs{theme.Unicode(), theme.ASCII()}).Draw(t, "glyphs")
		v, lo, hi := drawValue(t), drawValue(t), drawValue(t)
		log := rapid.Bool().Draw(t, "log")
		w := rapid.IntRange(-2, 60).Draw(t, "w")
		values := make([]float64, rapid.IntRange(0, 80).Draw(t, "n"))
		for i := range values {
			values[i] = drawValue(t)
		}
		for name, s := range map[string]string{
			"slider": Slider(g, v, lo, hi, log, w), "sparkline": Sparkline(g, values, w),
		} {
			if got := ansi.StringWidth(s); got != max(w, 0) {
				t.Fatalf("%s of width %d has %d columns: %q", name, w, got, s)
			}
		}
	})
}

func TestSparkline(t *testing.T) {
	u, a := theme.Unicode(), theme.ASCII()
	for _, c := range []struct {
		g       theme.Glyphs
		amounts []float64
		want    string
	}{
		{u, []float64{0, 0.5, 1}, " ▄█"}, {u, []float64{0, 1}, "   █"}, {u, []float64{5, 5, 5}, "███"},
		{u, []float64{1, math.NaN(), 2}, "▄ █"}, {u, []float64{9, 9, 1, 2}, "▄█"}, {u, []float64{1}, ""},
		{u, []float64{0, 0}, "  "}, {u, nil, "  "}, {u, []float64{math.Inf(1), -3, 1e-3, 1}, "   █"},
		{a, []float64{0, 0.25, 0.5, 1}, " _.#"},
	} {
		if got := Sparkline(c.g, c.amounts, len([]rune(c.want))); got != c.want {
			t.Errorf("%v: %q, want %q", c.amounts, got, c.want)
		}
	}
}

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

func ExampleSlider() {
	fmt.Println(Slider(theme.Unicode(), 1e-6, 1e-12, 1, true, 13))
	// Output: ━━━━━━●──────
}
