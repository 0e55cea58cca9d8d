package plot

import (
	"math"
	"slices"

	"epsiloscope/scenarios/report/scale"
	"epsiloscope/tui/theme"

	"github.com/NimbleMarkets/ntcharts/sparkline"
)

// SliderParts returns a slider of exactly width columns in three pieces, to be
// coloured apart: the filled part, the knob, and the rest.
func SliderParts(g theme.Glyphs, value, min, max float64, log bool, width int) (fill, knob, rest string) {
	if width <= 0 {
		return "", "", ""
	}
	at := sliderCell(value, min, max, log, width)
	return repeat(g.SliderFill, at), string(g.SliderKnob), repeat(g.SliderRest, width-at-1)
}

// Slider is SliderParts in one piece.
func Slider(g theme.Glyphs, value, min, max float64, log bool, width int) string {
	fill, knob, rest := SliderParts(g, value, min, max, log, width)
	return fill + knob + rest
}

// SliderValue is the value under a column of a slider, for the mouse.
func SliderValue(column int, min, max float64, log bool, width int) float64 {
	if width <= 1 {
		return min
	}
	return scale.New(min, max, log).Value(unit(float64(column) / float64(width-1)))
}

func sliderCell(value, min, max float64, log bool, width int) int {
	t := scale.New(min, max, log).Fraction(value)
	if math.IsInf(value, 1) {
		t = 1
	}
	if math.IsNaN(t) {
		t = 0
	}
	return int(math.Round(unit(t) * float64(width-1)))
}

// Sparkline returns amounts as columns of exactly width in all, the newest at the right, from
// nothing to the largest of them. ntcharts draws it; it stops at what is no number and at no
// width, and has no ASCII, so that is seen to here.
func Sparkline(g theme.Glyphs, amounts []float64, width int) string {
	if width <= 0 {
		return ""
	}
	amounts = amounts[max(0, len(amounts)-width):]
	most := 0.0
	for _, v := range amounts {
		if finite(v) {
			most = math.Max(most, v)
		}
	}
	line := sparkline.New(width, 1)
	for _, v := range amounts {
		if !finite(v) || most == 0 {
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

func repeat(r rune, n int) string {
	if n <= 0 {
		return ""
	}
	line := make([]rune, n)
	for i := range line {
		line[i] = r
	}
	return string(line)
}
