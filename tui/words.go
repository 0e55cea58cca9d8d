package tui

import (
	"math"
	"strconv"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
	"epsiloscope/tui/text"
)

func short(x float64) string { return report.Short(x) }

func plainAlpha(x float64) string {
	if math.IsInf(x, 1) {
		return "∞"
	}
	if x >= 1e5 { // the column is narrow, and nobody reads more of such an order
		return strings.NewReplacer("e+0", "e", "e+", "e").Replace(strconv.FormatFloat(x, 'e', 0, 64))
	}
	return text.Cut(short(roundTo(x, 3)), 6)
}

// roundTo rounds to a count of significant digits, for display alone.
func roundTo(x float64, digits int) float64 {
	if x == 0 || math.IsInf(x, 0) || math.IsNaN(x) {
		return x
	}
	f := math.Pow(10, float64(digits-1)-math.Floor(math.Log10(math.Abs(x))))
	return math.Round(x*f) / f
}

// widest is the first of several wordings that fits.
func widest(room int, wordings ...string) string {
	for _, s := range wordings {
		if text.Width(s) <= room {
			return s
		}
	}
	return wordings[len(wordings)-1]
}

// methodName is a theorem as the table prints it.
func methodName(b accounting.Bound) string {
	switch b.Method {
	case accounting.RDP:
		if b.Finite() && b.Alpha > 0 {
			return "RDP α=" + plainAlpha(b.Alpha)
		}
	case accounting.RDPPinned:
		return "RDP α=" + plainAlpha(b.Alpha) + " pin"
	}
	return b.Method.Name()
}

// cutTo is s where there is room at all: a figure is shown whole or not.
func cutTo(s string, room int) string {
	if room < text.Width(s) {
		return ""
	}
	return s
}

func slackText(s float64) string {
	switch {
	case s == 0:
		return ""
	case s < 99.995:
		return strconv.FormatFloat(s, 'f', 2, 64) + "×"
	case s < 1e5:
		return short(roundTo(s, 3)) + "×"
	}
	return compact(s) + "×" // the column must not touch the bar
}

// compact writes a large count in five cells: 1.2e6, 25k.
func compact(x float64) string {
	if x >= 1e3 && x < 1e6 {
		return short(roundTo(x/1e3, 2)) + "k"
	}
	if s := short(roundTo(x, 2)); text.Width(s) <= 5 {
		return s
	}
	return short(roundTo(x, 1))
}

// find is the bound of one method.
func find(r *scenarios.Result, m accounting.Method) (accounting.Bound, bool) {
	if r != nil {
		for _, b := range r.Bounds {
			if b.Method == m {
				return b, true
			}
		}
	}
	return accounting.Bound{}, false
}
