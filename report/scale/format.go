package scale

import (
	"math"
	"strconv"
	"strings"

	"epsiloscope/accounting/numeral"
	"epsiloscope/report"
	"epsiloscope/report/chart"
)

// Format prints a number with the given significant digits the way people write
// it: 0.05, 12.8, 1500, 1e-6, 2.5e7. Large numbers are powers unless all their digits
// are asked for. It is ASCII for every input.
func Format(v float64, digits int) string {
	switch {
	case math.IsNaN(v):
		return "n/a"
	case math.IsInf(v, 1):
		return "inf"
	case math.IsInf(v, -1):
		return "-inf"
	case v == 0:
		return "0"
	}
	digits = max(1, min(digits, 17))
	// The power after rounding: 9999.6 in four digits is 10000.
	if p := power(strconv.FormatFloat(v, 'e', digits-1, 64)); p >= -3 && (p < 5 || p < digits) {
		return trimZeros(strconv.FormatFloat(v, 'f', max(0, digits-1-p), 64))
	}
	return exponent(v, digits)
}

// FormatReading prints a value of an axis. An upper bound is rounded up: a privacy loss must not
// be read as smaller than it is. A lower bound is rounded down.
func FormatReading(a chart.Axis, v float64, digits int) string {
	if a.Label == chart.RatioLabel && Finite(v) {
		a.Label = ""
		return FormatReading(a, v, digits) + "×"
	}
	bound := Finite(v) && v > 0
	switch {
	case bound && a.Lower && digits == 4:
		return report.Lower(v)
	case bound && a.Lower:
		v = numeral.RoundDown(v, digits)
	case bound && a.Upper && digits == 4:
		return report.Upper(v)
	case bound && a.Upper:
		v = numeral.RoundUp(v, digits)
	}
	return Format(v, digits)
}

func exponent(v float64, digits int) string {
	s := strconv.FormatFloat(v, 'e', digits-1, 64)
	mantissa, _, _ := strings.Cut(s, "e")
	return trimZeros(mantissa) + "e" + strconv.Itoa(power(s))
}

func power(s string) int {
	_, digits, _ := strings.Cut(s, "e")
	p, _ := strconv.Atoi(digits)
	return p
}

func trimZeros(s string) string {
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}
