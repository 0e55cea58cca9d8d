package tui

import (
	"strings"

	"epsiloscope/tui/draw"
	"epsiloscope/tui/text"
)

func splitLines(s string) []string { return strings.Split(s, "\n") }

func joinLines(lines []string) string { return strings.Join(lines, "\n") }

// pad widens lines to w cells.
func pad(lines []string, w int) []string { return text.Box(lines, w, len(lines)) }

// goesOn marks a line after which more would follow. It gives up whole words for
// the mark: half a number would be another number.
func goesOn(s string, w int) string {
	for text.Width(s)+2 > w {
		i := strings.LastIndexByte(s, ' ')
		if i < 0 {
			return text.Cut(s+" …", w)
		}
		s = s[:i]
	}
	return s + " …"
}

// wrapped sets a text into lines of w cells.
func wrapped(p *draw.Pen, ink draw.Ink, s string, w int) []string {
	out := newWriter(p, w)
	out.prose(ink, s)
	return out.lines
}
