package report

import (
	"strings"
	"unicode"
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
