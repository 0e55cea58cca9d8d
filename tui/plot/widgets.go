package plot

import (
	"math"

	"epsiloscope/scenarios/report/scale"
	"epsiloscope/tui/theme"
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
