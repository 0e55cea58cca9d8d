package tui

import (
	"strings"

	"epsiloscope/tui/text"
)

func splitLines(s string) []string { return strings.Split(s, "\n") }

func joinLines(lines []string) string { return strings.Join(lines, "\n") }

// pad widens lines to w cells.
func pad(lines []string, w int) []string { return text.Box(lines, w, len(lines)) }

// goesOn marks a line after which more would follow.
func goesOn(s string, w int) string {
	if text.Width(s)+2 <= w {
		return s + " …"
	}
	return text.Cut(s, max(0, min(w, text.Width(s))-1)) // the cut has its own ellipsis
}
