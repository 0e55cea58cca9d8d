package report

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Plain makes text from a file safe to print: control characters, which could
// move the cursor or change colours, and the marks that turn the direction of
// writing become spaces; runs of white space become one space.
func Plain(s string) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r) || unicode.IsSpace(r) || r == unicode.ReplacementChar:
			return ' '
		case r == 0x200e || r == 0x200f || (r >= 0x202a && r <= 0x202e) || (r >= 0x2066 && r <= 0x2069):
			return ' '
		}
		return r
	}, s)
	return strings.Join(strings.Fields(clean), " ")
}

// UpperFirst begins a text as a sentence does; a symbol stays as it is.
func UpperFirst(s string) string {
	if s == "" || s[0] >= utf8.RuneSelf {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// LowerFirst returns a title within a sentence.
func LowerFirst(s string) string {
	if strings.HasPrefix(s, "Rényi") || strings.HasPrefix(s, "Gaussian") { // people
		return s
	}
	if len(s) > 1 && s[0] >= 'A' && s[0] <= 'Z' && !(s[1] >= 'A' && s[1] <= 'Z') {
		return strings.ToLower(s[:1]) + s[1:]
	}
	return s
}
