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
func prose(x float64) string { return digits(x, 4) }

// apart writes two numbers that a note sets against each other, with as many digits
// as it takes to tell them apart.
func apart(x, y float64) (string, string) {
	n := 4
	for n < 17 && x != y && digits(x, n) == digits(y, n) {
		n++
	}
	return digits(x, n), digits(y, n)
}

func digits(x float64, n int) string {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return strings.Replace(strconv.FormatFloat(x, 'g', -1, 64), "+Inf", "∞", 1)
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', n-1, 64), "e")
	power, _ := strconv.Atoi(exponent)
	if power < -3 || power >= 6 {
		return trimmed(mantissa) + "e" + strconv.Itoa(power)
	}
	return trimmed(strconv.FormatFloat(x, 'f', max(0, n-1-power), 64))
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
