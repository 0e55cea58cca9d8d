package plot

import (
	"math"
	"slices"

	"epsiloscope/report/scale"
	"epsiloscope/tui/theme"

	"github.com/NimbleMarkets/ntcharts/sparkline"
)

// Sparkline draws amounts as columns, the newest at the right, in exactly width cells; the largest
// of them has the full height. ntcharts draws it. What it lacks is done here: it panics on values
// that are not finite and on a width of 0, and has no ASCII.
func Sparkline(g theme.Glyphs, amounts []float64, width int) string {
	if width <= 0 {
		return ""
	}
	amounts = amounts[max(0, len(amounts)-width):]
	most := 0.0
	for _, v := range amounts {
		if scale.Finite(v) {
			most = math.Max(most, v)
		}
	}
	line := sparkline.New(width, 1)
	for _, v := range amounts {
		if !scale.Finite(v) || most == 0 {
			v, most = 0, math.Max(most, 1)
		}
		line.Push(v / most)
	}
	line.DrawColumnsOnly()
	columns := []rune(line.View())
	if g.ASCII {
		for i, r := range columns {
			if level := slices.Index(theme.Unicode().Levels, r); level > 0 {
				columns[i] = g.Levels[max(1, level*(len(g.Levels)-1)/8)]
			}
		}
	}
	return string(columns)
}
