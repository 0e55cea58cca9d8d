package plot

import (
	"math"

	"epsiloscope/scenarios/report/scale"
	"epsiloscope/tui/theme"
)

// Bar returns a bar of exactly width columns, filled to value/max in eighths of a
// column. Values outside [0, max] are drawn at its ends, NaN as nothing.
func Bar(g theme.Glyphs, value, max float64, width int) string {
	t := value / max
	if math.IsInf(value, 1) {
		t = 1
	}
	if math.IsNaN(t) || max <= 0 {
		t = 0
	}
	return string(barRunes(g, t, width))
}

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

// Sparkline returns the values as columns of exactly width in all, the newest at
// the right; gaps are blank. Heights run from the smallest value to the largest.
func Sparkline(g theme.Glyphs, values []float64, width int) string {
	if width <= 0 {
		return ""
	}
	if len(values) > width {
		values = values[len(values)-width:]
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if finite(v) {
			lo, hi = math.Min(lo, v), math.Max(hi, v)
		}
	}
	line := []rune(repeat(' ', width))
	steps := len(g.Levels) - 1
	for i, v := range values {
		if !finite(v) {
			continue
		}
		level := (steps + 1) / 2 // a constant line runs in the middle
		if t := scale.New(lo, hi, false).Fraction(v); hi > lo {
			level = 1 + int(math.Round(unit(t)*float64(steps-1)))
		}
		line[width-len(values)+i] = g.Levels[min(max(level, 1), steps)]
	}
	return string(line)
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
