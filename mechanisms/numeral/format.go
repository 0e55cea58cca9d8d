// Package numeral writes numbers as people do, and reads them as people write them.
package numeral

import (
	"math"
	"strconv"
	"strings"
)

// Format is the shortest text that reads back as the same number, in the
// form people write: 0.1, 10000, 1e-6, 1e12.
func Format(x float64) string {
	switch {
	case math.IsNaN(x):
		return "NaN"
	case math.IsInf(x, 1):
		return "∞"
	case math.IsInf(x, -1):
		return "-∞"
	case x == 0:
		return "0"
	}
	plain := strconv.FormatFloat(x, 'f', -1, 64)
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', -1, 64), "e")
	power, _ := strconv.Atoi(exponent)
	scientific := mantissa + "e" + strconv.Itoa(power)
	if power >= -4 && len(plain) <= len(scientific)+3 {
		return plain
	}
	return scientific
}

// Round is x to so many significant digits, the nearest: what [Format]
// then writes has no more. It is x itself where rounding would leave the range.
func Round(x float64, digits int) float64 {
	y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'e', digits-1, 64), 64)
	if err != nil { // beyond the largest number
		return x
	}
	return y
}

// RoundUp is x > 0 to so many significant digits, never below x: no remark may understate
// a cost.
func RoundUp(x float64, digits int) float64 { return math.Max(x, roundTo(x, digits, +1)) }

// RoundDown is x > 0 to so many significant digits, never above x: what fits a budget
// still does.
func RoundDown(x float64, digits int) float64 { return math.Min(x, roundTo(x, digits, -1)) }

// roundTo rounds and, if that went the other way, goes on by one unit of the last digit.
func roundTo(x float64, digits int, way float64) float64 {
	y := Round(x, digits)
	if (x-y)*way <= 0 {
		return y
	}
	_, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', -1, 64), "e")
	n, _ := strconv.Atoi(exponent)
	return Round(y+way*math.Pow10(n-digits+1), digits)
}

// Plural is a number of things: "1 entry", "2 entries".
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// Quote shows text from a user in a message: short and without control characters.
func Quote(s string) string {
	const most = 40
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	return strconv.Quote(s)
}
