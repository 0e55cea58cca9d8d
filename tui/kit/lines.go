package kit

import (
	"strings"

	"epsiloscope/tui/draw"
	"epsiloscope/tui/text"
)

// Pad widens lines to w cells.
func Pad(lines []string, w int) []string { return text.Box(lines, w, len(lines)) }

// Beside sets boxes of the same height side by side.
func Beside(left, right []string) []string {
	for i := range left {
		left[i] += right[i]
	}
	return left
}

// Window is the first of n rows to show: as before where the selected one is in sight.
func Window(top, at, n, rows int) int {
	top = max(0, min(top, at, n-rows))
	return max(top, at-max(1, rows)+1)
}

// Prose is what write writes, in lines of w cells of which it fills at most some.
func (s *Shell) Prose(w, most int, write func(*Writer)) []string {
	out := NewWriter(s.Pen, min(w, most))
	write(out)
	return Pad(out.Lines, w)
}

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
