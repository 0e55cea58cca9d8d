package plot

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// clean makes text from a file safe to draw rune by rune: no control characters,
// no direction overrides, nothing of width zero. Where runes still join into one
// sign (flags, skin tones, Hangul parts), so that their widths do not add up, all
// but the plainest scripts become dots.
func clean(s string) string {
	if len(s) > 4096 {
		s = s[:4096] // no label needs more, and some files are hostile
	}
	sum := 0
	s = strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' {
			r = ' '
		}
		if r == unicode.ReplacementChar || !unicode.IsPrint(r) {
			return -1
		}
		w := runeWidth(r)
		if w < 1 || w > 2 {
			return -1
		}
		sum += w
		return r
	}, ansi.Strip(s))
	if ansi.StringWidth(s) == sum {
		return s
	}
	return strings.Map(func(r rune) rune {
		if r < 0x500 || r >= 0x2000 && r < 0x2c00 {
			return r
		}
		return '·'
	}, s)
}

// width is the number of columns of cleaned text.
func width(s string) int {
	n := 0
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}

// cut shortens cleaned text to n columns, with a sign that it was cut.
func cut(s string, n int, ellipsis string) string {
	if width(s) <= n {
		return s
	}
	n -= width(ellipsis)
	if n < 0 {
		return ""
	}
	used := 0
	for i, r := range s {
		if used+runeWidth(r) > n {
			return s[:i] + ellipsis
		}
		used += runeWidth(r)
	}
	return s
}
