// Package report puts an evaluated scenario into words. The command line and the explorer
// print what this package and its rooms return, so a number that appears twice is computed
// once.
//
// [Figure] and [Upper] write numbers, [Answer] and [Verdict] the result in a line, [Explain]
// and [NewStatement] put it into words, [NewPerson] says what it means for somebody in the
// data. Package sheet writes tables in every format, package chart holds the charts.
package report

import (
	"math"
	"strconv"
	"strings"

	"epsiloscope/accounting/numeral"
)

// Numbers are written in three ways, each for its reader. A figure, rounded to the side
// on which it stays true, is this file's. A number that somebody typed or may type, every
// digit of it, is [numeral.Format]; a program reads those of CSV and JSON. The
// ticks of an axis, in ASCII and as short as their step allows, are package scale's.

// digits is how many significant digits a person is shown.
const digits = 4

// Figure writes x for people: four significant digits, trailing zeros kept so
// that a number keeps its width while it changes, "1.000e-6" rather than
// "0.000001000". Infinity is "∞", NaN "–".
func Figure(x float64) string { return figure(x, 0) }

// Upper writes an upper bound: as [Figure], but rounded up, so that the ε a
// person reads is never smaller than the one that was computed.
func Upper(x float64) string { return figure(x, +1) }

// Lower writes a lower bound: as [Figure], but rounded down.
func Lower(x float64) string { return figure(x, -1) }

// Short writes a parameter for people: at most four significant digits, whole
// numbers below a million in full, no trailing zeros: "0.1", "1e-6", "14062".
func Short(x float64) string { return known(x, numeral.Short(x, digits, 0)) }

// Stated writes a number at which something is claimed, a δ, a budget, a count: as it was
// given where that is short, else four significant digits rounded up, so that the claim
// stays true.
func Stated(x float64) string {
	if s := numeral.Format(x); len(s) <= 9 && !math.IsNaN(x) {
		return s
	}
	return Short(numeral.RoundUp(x, digits))
}

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

func figure(x, side float64) string { return known(x, numeral.Digits(x, digits, side)) }

// known is the text of a number, or a dash where there is none.
func known(x float64, text string) string {
	if math.IsNaN(x) {
		return "–"
	}
	return text
}

// settled is how far from a whole number of percent a chance may lie and still be taken for
// it.
const settled = 1e-9

// Chance writes a probability in percent: "17 %". It is rounded up, so that a bound
// stays one, and finer near 0 and 1: "0.54 %", "99.97 %".
func Chance(p float64) string { return chance(p, math.Ceil) }

// ChanceDown is [Chance] rounded down, for a lower bound.
func ChanceDown(p float64) string { return chance(p, math.Floor) }

// StatedPercent writes a share that somebody gave, in percent: not rounded, as what is said
// beside it holds for that one.
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
		whole := math.Abs(p*of-near) <= settled*near // up to round-off
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
