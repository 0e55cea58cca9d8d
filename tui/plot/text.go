package plot

import (
	"strings"

	"epsiloscope/tui/text"
)

// label is text of the chart as this terminal can show it, rune by rune. Where runes join
// into one sign (flags, Hangul parts), so that their widths do not add up, all but the
// plainest scripts become dots.
func (p *Plot) label(s string) string {
	if _, plain := text.Plain(s); plain {
		return p.pen.Spell(s)
	}
	s = text.Clean(s)
	sum := 0
	for _, r := range s {
		sum += text.Width(string(r))
	}
	if sum != text.Width(s) {
		s = strings.Map(func(r rune) rune {
			if r < 0x500 || r >= 0x2000 && r < 0x2c00 {
				return r
			}
			return '·'
		}, s)
	}
	return p.pen.Spell(s)
}

func width(s string) int { return text.Width(s) }
