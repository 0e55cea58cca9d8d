package tui

import (
	"strings"

	"epsiloscope/tui/text"
)

func splitLines(s string) []string { return strings.Split(s, "\n") }

func joinLines(lines []string) string { return strings.Join(lines, "\n") }

// pad widens lines to w cells.
func pad(lines []string, w int) []string { return text.Box(lines, w, len(lines)) }
