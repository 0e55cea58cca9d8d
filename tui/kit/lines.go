package kit

import (
	"strings"

	"epsiloscope/tui/draw"
	"epsiloscope/tui/text"
)

// Pad widens lines to w cells.
func Pad(lines []string, w int) []string { return text.Box(lines, w, len(lines)) }

// GoesOn marks a line after which more would follow. It gives up whole words for
// the mark: half a number would be another number.
func GoesOn(s string, w int) string {
	for text.Width(s)+2 > w {
		i := strings.LastIndexByte(s, ' ')
		if i < 0 {
			return text.Cut(s+" …", w)
		}
		s = s[:i]
	}
	return s + " …"
}

// Wrapped sets a text into lines of w cells.
func Wrapped(p *draw.Pen, ink draw.Ink, s string, w int) []string {
	out := NewWriter(p, w)
	out.Prose(ink, s)
	return out.Lines
}
