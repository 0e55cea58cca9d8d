package report

import (
	"math"
	"strconv"
	"strings"
)

// Chance writes a probability in percent: "17 %". It is rounded up, so that a bound
// stays one, and finer near 0 and 1: "0.54 %", "99.97 %".
func Chance(p float64) string { return chance(p, math.Ceil) }

// ChanceDown is [Chance] rounded down, for a lower bound.
func ChanceDown(p float64) string { return chance(p, math.Floor) }

func chance(p float64, round func(float64) float64) string {
	switch {
	case math.IsNaN(p):
		return "–"
	case p <= 0:
		return "0 %"
	case p >= 1:
		return "100 %"
	}
	for places, of := range []float64{100, 1000, 10_000, 100_000, 1e6} {
		n := round(p * of)
		if near := math.Round(p * of); math.Abs(p*of-near) < 1e-9 {
			n = near // a whole number up to round-off
		}
		fine := n >= 10 || math.Abs(p*of-math.Round(p*of)) < 1e-6*p*of && n >= 1
		if fine && n < of {
			text := strconv.FormatFloat(n/(of/100), 'f', places, 64)
			if strings.Contains(text, ".") {
				text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
			}
			return text + " %"
		}
	}
	if p > 0.5 {
		return "nearly 100 %"
	}
	return "below 0.001 %"
}
