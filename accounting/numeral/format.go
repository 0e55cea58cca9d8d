// Package numeral writes numbers as people do, and reads them as people write them.
package numeral

import (
	"math"
	"strconv"
	"strings"
	"unicode"
)

// Format returns the shortest text that reads back as the same number, in the
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

// Round returns x rounded to the nearest number with `digits` significant digits, so that
// [Format] writes no more of them. It returns x itself if rounding would leave the range.
func Round(x float64, digits int) float64 {
	y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'e', digits-1, 64), 64)
	if err != nil { // beyond the largest number
		return x
	}
	return y
}

// RoundUp returns x > 0 rounded to `digits` significant digits, never below x: no remark may
// understate a cost.
func RoundUp(x float64, digits int) float64 { return math.Max(x, roundTo(x, digits, Up)) }

// RoundDown returns x > 0 rounded to `digits` significant digits, never above x, so that a value
// within a budget stays within it.
func RoundDown(x float64, digits int) float64 { return math.Min(x, roundTo(x, digits, Down)) }

// roundTo rounds and, if that went the other way, goes on by one unit of the last digit.
func roundTo(x float64, digits int, side Side) float64 {
	y, way := Round(x, digits), float64(side)
	if (x-y)*way <= 0 {
		return y
	}
	_, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', -1, 64), "e")
	n, _ := strconv.Atoi(exponent)
	return Round(y+way*math.Pow10(n-digits+1), digits)
}

// shownDigits is the number of significant digits shown to a person.
const shownDigits = 4

// Nearest writes x for people, rounded to four significant digits: see [Digits].
func Nearest(x float64) string { return Digits(x, shownDigits, ToNearest) }

// Upper writes an upper bound: like [Nearest], but rounded up, so that the ε a person reads is
// never smaller than the one that was computed.
func Upper(x float64) string { return Digits(x, shownDigits, Up) }

// Lower writes a lower bound: like [Nearest], but rounded down.
func Lower(x float64) string { return Digits(x, shownDigits, Down) }

// FormatGiven formats a number the user gave (δ, budget, count): unchanged if short, else rounded up to four
// digits so that the claim still holds.
func FormatGiven(x float64) string {
	if s := Format(x); len(s) <= 9 && !math.IsNaN(x) {
		return s
	}
	return Short(RoundUp(x, shownDigits), shownDigits, ToNearest)
}

// sameDistance is the relative distance from a number with few digits at which another is taken
// for it: sums such as ten times 0.1 are off by a few units in the sixteenth digit.
const sameDistance = 1e-9

// Digits writes x with `digits` significant digits, trailing zeros kept so that a number keeps
// its width while it changes: "1.000e-6" rather than "0.000001000". It is rounded to the
// side given. NaN is "–".
func Digits(x float64, digits int, side Side) string {
	switch {
	case math.IsNaN(x):
		return "–"
	case math.IsInf(x, 0) || x == 0:
		return Format(x)
	}
	// The decimal expansion is exact to 17 digits, unlike a division by a power of ten, which
	// is off by an ulp and would move 0.3 to 0.3001 when rounding up.
	head, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', 16, 64), "e")
	power, _ := strconv.Atoi(exponent)
	mantissa, _ := strconv.ParseFloat(head, 64)
	scale := math.Pow10(digits - 1)
	units := math.Round(mantissa * scale)
	if off := mantissa*scale - units; float64(side)*off > sameDistance*math.Abs(units) {
		units += float64(side)
	}
	if mantissa = units / scale; math.Abs(mantissa) >= 10 {
		mantissa, power = mantissa/10, power+1
	}
	if power < -3 || power > 5 {
		return strconv.FormatFloat(mantissa, 'f', digits-1, 64) + "e" + strconv.Itoa(power)
	}
	return strconv.FormatFloat(mantissa*math.Pow10(power), 'f', max(0, digits-1-power), 64)
}

// Short returns [Digits] without trailing zeros, and with all digits of a whole number below a
// million: "0.1", "1e-6", "14062".
func Short(x float64, digits int, side Side) string {
	if x == math.Trunc(x) && math.Abs(x) < 1e6 {
		return strconv.FormatFloat(x+0, 'f', -1, 64)
	}
	text := Digits(x, digits, side)
	mantissa, exponent, scientific := strings.Cut(text, "e")
	if strings.Contains(mantissa, ".") {
		mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
	}
	if scientific {
		return mantissa + "e" + exponent
	}
	return mantissa
}

// FormatDistinct formats value (rounded up) and limit with enough digits for value > limit to be visible.
func FormatDistinct(value, limit float64) (string, string) {
	n := shownDigits
	shown := func(x float64) float64 { y, _ := strconv.ParseFloat(Short(x, n, ToNearest), 64); return y }
	for n < 17 && value > limit && !(shown(value) > shown(limit)) {
		n++
	}
	return Short(value, n, Up), Short(limit, n, ToNearest)
}

// Plural returns a number of things: "1 entry", "2 entries".
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// Argument writes a text as one word of a command for a shell: in quotes where it needs them.
func Argument(s string) string {
	switch {
	case strings.ContainsAny(s, "$`\\\"!'"):
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	case s == "" || strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("./_-+:@%,=", r)
	}):
		return `"` + s + `"`
	}
	return s
}

// Quote shows text from a user in a message: short and without control characters.
func Quote(s string) string {
	const most = 40
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	return strconv.Quote(s)
}
