package draw

import (
	"math"
	"strings"
)

// Bar writes a bar that fills the given part (0 to 1) of w cells, to an eighth of
// a cell where the glyphs allow. What is not nothing shows at least a sliver.
func (l *Line) Bar(ink Ink, part float64, w int) *Line {
	from := l.at
	eighths := l.pen.Glyphs.Eighths
	if !(part > 0) || w <= 0 {
		return l.To(from + w)
	}
	steps := len(eighths) - 1
	n := int(math.Round(min(part, 1) * float64(w*steps)))
	n = max(n, 1)
	s := strings.Repeat(string(eighths[steps]), n/steps)
	if n%steps > 0 {
		s += string(eighths[n%steps])
	}
	return l.raw(ink, s).To(from + w)
}

// Slider writes a slider of w cells with its knob at the given part.
func (l *Line) Slider(fill, rest Ink, part float64, w int) *Line {
	if w < 3 {
		return l.Skip(w)
	}
	g := l.pen.Glyphs
	if math.IsNaN(part) {
		return l.raw(rest, strings.Repeat(string(g.SliderRest), w))
	}
	at := int(math.Round(max(0, min(part, 1)) * float64(w-1)))
	l.raw(fill, strings.Repeat(string(g.SliderFill), at)+string(g.SliderKnob))
	return l.raw(rest, strings.Repeat(string(g.SliderRest), w-1-at))
}

// large are digits three lines high, of half blocks.
var large = map[rune][3]string{
	'0': {"█▀█", "█ █", "▀▀▀"}, '1': {"▀█ ", " █ ", "▀▀▀"}, '2': {"▀▀█", "█▀▀", "▀▀▀"}, '3': {"▀▀█", " ▀█", "▀▀▀"},
	'4': {"█ █", "▀▀█", "  ▀"}, '5': {"█▀▀", "▀▀█", "▀▀▀"}, '6': {"█▀▀", "█▀█", "▀▀▀"}, '7': {"▀▀█", "  █", "  ▀"},
	'8': {"█▀█", "█▀█", "▀▀▀"}, '9': {"█▀█", "▀▀█", "▀▀▀"}, '.': {" ", " ", "▀"}, '-': {"   ", "▀▀▀", "   "},
	'e': {"   ", "█▀▀", "▀▀▀"}, 'ε': {"▄▀▀", "█▀ ", "▀▀▀"}, '=': {"▄▄▄", "▄▄▄", "   "}, ' ': {" ", " ", " "}, '≤': {" ▄▀", " ▀▄", "▀▀▀"},
	'∞': {"     ", "█▀▄▀█", "▀▀ ▀▀"},
}

// Large is a figure three lines high; plain glyphs give it on the middle line
// alone. All three have the same width, which it returns too.
func (p *Pen) Large(ink Ink, s string) (lines [3]string, w int) {
	if p.Glyphs.ASCII {
		s = p.spell(s)
		w = len(s)
		return [3]string{strings.Repeat(" ", w), ink.On(s), strings.Repeat(" ", w)}, w
	}
	var rows [3]strings.Builder
	for i, r := range s {
		glyph, ok := large[r]
		if !ok {
			continue
		}
		for k := range rows {
			if i > 0 {
				rows[k].WriteByte(' ')
			}
			rows[k].WriteString(glyph[k])
		}
		if i > 0 {
			w++
		}
		w += len([]rune(glyph[0]))
	}
	for k := range rows {
		lines[k] = ink.On(rows[k].String())
	}
	return lines, w
}
