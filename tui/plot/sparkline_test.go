package plot

import (
	"math"
	"testing"

	"epsiloscope/tui/theme"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

func TestSparklineIsExactlyItsWidth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := rapid.SampledFrom([]theme.Glyphs{theme.Unicode(), theme.ASCII()}).Draw(t, "glyphs")
		w := rapid.IntRange(-2, 60).Draw(t, "w")
		values := make([]float64, rapid.IntRange(0, 80).Draw(t, "n"))
		for i := range values {
			values[i] = drawValue(t)
		}
		if s := Sparkline(g, values, w); ansi.StringWidth(s) != max(w, 0) {
			t.Fatalf("width %d has %d columns: %q", w, ansi.StringWidth(s), s)
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
