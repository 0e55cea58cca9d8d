package accounting

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// prose writes a number inside a note as people write it: at most four significant
// digits, rounded to the nearest, no trailing zeros: 0.25, 1e-8, 3.963e-7. Notes
// explain a figure; whoever computes with one takes it from Bound.Inputs.
func prose(x float64) string { return digits(x, 4, 0) }

// above is prose rounded up, for what a bound comes to and what it spends of δ; below is
// prose rounded down, for what is left.
func above(x float64) string { return digits(x, 4, 1) }
func below(x float64) string { return digits(x, 4, -1) }

// Apart writes a figure and the limit that it exceeds, with as many digits as it takes to
// tell them apart. The figure is rounded up.
func Apart(figure, limit float64) (string, string) {
	n := 4
	for n < 17 && figure != limit && digits(figure, n, 0) == digits(limit, n, 0) {
		n++
	}
	return digits(figure, n, 1), digits(limit, n, 0)
}

// digits writes n significant digits, and all of a whole number below a million. It rounds
// to the nearest or, where side is 1 or −1, to that side; what is within 1e-9 of a number
// with so many digits is written as that, so that a tenth of 1e-6 is 1e-7.
func digits(x float64, n int, side float64) string {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return strings.Replace(strconv.FormatFloat(x, 'g', -1, 64), "+Inf", "∞", 1)
	}
	text := notation(x, n)
	if nearest, _ := strconv.ParseFloat(text, 64); side*(x-nearest) > roundingSlack*math.Abs(x) {
		last := exponent(x, -1) - (n - 1)
		if exponent(x, n-1) < 6 { // whole numbers have all their digits
			last = min(0, last)
		}
		text = notation(nearest+side*math.Pow10(last), n)
	}
	return text
}

// notation is the nearest such number, with an exponent where it is small or large.
func notation(x float64, n int) string {
	power := exponent(x, n-1)
	if power < -3 || power >= 6 {
		mantissa, _, _ := strings.Cut(strconv.FormatFloat(x, 'e', n-1, 64), "e")
		return trimmed(mantissa) + "e" + strconv.Itoa(power)
	}
	return trimmed(strconv.FormatFloat(x, 'f', max(0, n-1-power), 64))
}

// exponent is the power of ten of the first digit, of so many after it.
func exponent(x float64, after int) int {
	_, text, _ := strings.Cut(strconv.FormatFloat(x, 'e', after, 64), "e")
	power, _ := strconv.Atoi(text)
	return power
}

// trimmed drops the zeros at the end of a decimal fraction.
func trimmed(s string) string {
	if !strings.Contains(s, ".") {
		return s
	}
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
}

// Sentence makes a reason a sentence: a capital first, a full stop last.
func Sentence(reason string) string {
	r, n := utf8.DecodeRuneInString(reason)
	if n == 0 {
		return ""
	}
	// "zCDP" and "ε" keep their first letter.
	if next, _ := utf8.DecodeRuneInString(reason[n:]); !unicode.IsUpper(next) && unicode.Is(unicode.Latin, r) {
		reason = string(unicode.ToUpper(r)) + reason[n:]
	}
	if !strings.HasSuffix(reason, ".") {
		reason += "."
	}
	return reason
}

// openReleases words the releases among which a δ is shared out.
func openReleases(n float64) string {
	if n == 1 {
		return "the one release that has only a profile"
	}
	return fmt.Sprintf("each of %.15g releases that have only a profile", n)
}

// join puts two sentences into one note.
func join(a, b string) string { return strings.TrimSpace(a + " " + b) }
