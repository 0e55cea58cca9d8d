package draw

import (
	"math"
	"strings"

	"epsiloscope/tui/plot"
)

// Bar writes a bar that fills the given part (0 to 1) of w cells, to half a cell.
// It is half a line high: bars in neighbouring rows stay apart. What is not nothing
// shows at least a sliver.
func (l *Line) Bar(ink Ink, part float64, w int) *Line {
	from := l.at
	if !(part > 0) || w <= 0 {
		return l.To(from + w)
	}
	if l.pen.Glyphs.ASCII {
		return l.raw(ink, strings.Repeat("#", max(1, int(math.Round(min(part, 1)*float64(w)))))).To(from + w)
	}
	halves := max(1, int(math.Round(min(part, 1)*float64(2*w))))
	return l.raw(ink, strings.Repeat("▄", halves/2)+strings.Repeat("▖", halves%2)).To(from + w)
}

// Slider writes a slider of w cells for a value between lo and hi.
func (l *Line) Slider(fill, rest Ink, value, lo, hi float64, log bool, w int) *Line {
	from := l.at
	if w < 3 || math.IsNaN(value) || !(lo < hi) {
		return l.To(from + w)
	}
	a, knob, b := plot.SliderParts(l.pen.Glyphs, value, lo, hi, log, w)
	return l.raw(fill, a+knob).raw(rest, b).To(from + w)
}

// large are digits three lines high, of half blocks.
var large = map[rune][3]string{
	'0': {"█▀█", "█ █", "▀▀▀"}, '1': {"▀█ ", " █ ", "▀▀▀"}, '2': {"▀▀█", "█▀▀", "▀▀▀"}, '3': {"▀▀█", " ▀█", "▀▀▀"},
	'4': {"█ █", "▀▀█", "  ▀"}, '5': {"█▀▀", "▀▀█", "▀▀▀"}, '6': {"█▀▀", "█▀█", "▀▀▀"}, '7': {"▀▀█", "  █", "  ▀"},
	'8': {"█▀█", "█▀█", "▀▀▀"}, '9': {"█▀█", "▀▀█", "▀▀▀"}, '.': {" ", " ", "▀"}, '-': {"   ", "▀▀▀", "   "},
	'e': {"   ", "█▀▀", "▀▀▀"}, 'ε': {"▄▀▀", "▄▀ ", " ▀▀"}, '=': {"▄▄▄", "▄▄▄", "   "}, ' ': {" ", " ", " "}, '≤': {" ▄▀", " ▀▄", "▀▀▀"},
	'≥': {"▀▄ ", "▄▀ ", "▀▀▀"},
	'∞': {"     ", "█▀▄▀█", "▀▀ ▀▀"},
}

// Large is a figure three lines high; plain glyphs give it on the middle line
// alone. All three have the same width, which it returns too.
func (p *Pen) Large(ink Ink, s string) (lines [3]string, w int) {
	if p.Glyphs.ASCII {
		s = p.Spell(s)
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
