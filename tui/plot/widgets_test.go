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
			"bar": Bar(g, v, hi, w), "slider": Slider(g, v, lo, hi, log, w), "sparkline": Sparkline(g, values, w),
		} {
			if got := ansi.StringWidth(s); got != max(w, 0) {
				t.Fatalf("%s of width %d has %d columns: %q", name, w, got, s)
			}
		}
	})
}

func TestBar(t *testing.T) {
	u, a := theme.Unicode(), theme.ASCII()
	for _, c := range []struct {
		g      theme.Glyphs
		v, max float64
		want   string
	}{
		{u, 0, 8, "    "}, {u, 8, 8, "████"}, {u, 5, 8, "██▌ "}, {u, 1e-9, 8, "▏   "}, {u, 99, 8, "████"},
		{u, -3, 8, "    "}, {u, math.NaN(), 8, "    "}, {u, math.Inf(1), 8, "████"}, {u, 1, 0, "    "},
		{a, 5, 8, "### "},
	} {
		if got := Bar(c.g, c.v, c.max, 4); got != c.want {
			t.Errorf("Bar(%g of %g) = %q, want %q", c.v, c.max, got, c.want)
		}
	}
}

func TestSparkline(t *testing.T) {
	u := theme.Unicode()
	for want, v := range map[string][]float64{
		"▁▅█":  {0, 0.5, 1},
		"  ▁█": {0, 1},
		"▄▄▄":  {5, 5, 5},
		"▁ █":  {1, math.NaN(), 2},
		"▁█":   {9, 9, 1, 2},
		"":     {1},
	} {
		if got := Sparkline(u, v, len([]rune(want))); got != want {
			t.Errorf("%v: %q, want %q", v, got, want)
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

func ExampleBar() {
	fmt.Printf("[%s]\n", Bar(theme.ASCII(), 3, 12, 8))
	// Output: [##      ]
}

func ExampleSlider() {
	fmt.Println(Slider(theme.Unicode(), 1e-6, 1e-12, 1, true, 13))
	// Output: ━━━━━━●──────
}
