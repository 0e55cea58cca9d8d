package accounting

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"epsiloscope/accounting/numeral"
)

// prose writes a number inside a note as people write it: at most four significant
// digits, rounded to the nearest, no trailing zeros: 0.25, 1e-8, 3.963e-7. Notes
// explain a figure; whoever computes with one takes it from Bound.Inputs.
func prose(x float64) string { return numeral.Short(x, 4, 0) }

// above is prose rounded up, for what a bound comes to and what it spends of δ; below is
// prose rounded down, for what is left.
func above(x float64) string { return numeral.Short(x, 4, +1) }
func below(x float64) string { return numeral.Short(x, 4, -1) }

// Apart writes a figure and the limit that it exceeds, with as many digits as it takes to
// tell them apart. The figure is rounded up.
func Apart(figure, limit float64) (string, string) {
	n := 4
	for n < 17 && figure != limit && numeral.Short(figure, n, 0) == numeral.Short(limit, n, 0) {
		n++
	}
	return numeral.Short(figure, n, +1), numeral.Short(limit, n, 0)
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
