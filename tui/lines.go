package tui

import (
	"strings"

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
