package report

import (
	"math"
	"strconv"
	"strings"

	"epsiloscope/accounting/numeral"
)

// Numbers are written in three ways. A computed value is rounded to the side on which it stays true, by
// [numeral.Digits] and the functions of this file. A number that a user typed, or may type, has all its digits, by
// [numeral.Format]; so have the numbers in CSV and JSON. The ticks of an axis are ASCII and as short as their step
// allows, by package scale.

// digits is the number of significant digits a person is shown.
const digits = 4

// Nearest, Upper, Lower and FormatGiven are those of package numeral.
func Nearest(x float64) string     { return numeral.Nearest(x) }
func Upper(x float64) string       { return numeral.Upper(x) }
func Lower(x float64) string       { return numeral.Lower(x) }
func FormatGiven(x float64) string { return numeral.FormatGiven(x) }

// WithSign returns a difference with its sign, rounded up: "+0.2500", "−1.188".
func WithSign(x float64) string {
	if x > 0 {
		return "+" + Upper(x)
	}
	return strings.Replace(Upper(x), "-", "−", 1)
}

// Short writes a parameter for people: at most four significant digits, whole
// numbers below a million in full, no trailing zeros: "0.1", "1e-6", "14062".
func Short(x float64) string { return numeral.Short(x, digits, numeral.ToNearest) }

// Percent writes a share between 0 and 1: "64 %", "0.3 %".
func Percent(share float64) string {
	p := 100 * share
	switch {
	case math.IsNaN(p):
		return "–"
	case p == 0 || p >= 9.95:
		return strconv.FormatFloat(p, 'f', 0, 64) + " %"
	case p < 0.05:
		return "<0.1 %"
	}
	return strconv.FormatFloat(p, 'f', 1, 64) + " %"
}

// wholePercent is the largest distance from a whole number of percent at which a chance is taken
// for it.
const wholePercent = 1e-9

// Chance writes a probability in percent: "17 %". It is rounded up, so that a bound
// stays one, and finer near 0 and 1: "0.54 %", "99.97 %".
func Chance(p float64) string { return chance(p, math.Ceil) }

// ChanceDown returns [Chance] rounded down, for a lower bound.
func ChanceDown(p float64) string { return chance(p, math.Floor) }

// StatedPercent writes a share that was given, in percent: not rounded, because the text beside
// it holds for that share.
func StatedPercent(p float64) string { return numeral.Format(numeral.Round(100*p, 12)) + " %" }

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
		n, near := round(p*of), math.Round(p*of)
		whole := math.Abs(p*of-near) <= wholePercent*near // up to round-off
		if whole {
			n = near
		}
		if (p*of >= 10 || whole) && n < of {
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
