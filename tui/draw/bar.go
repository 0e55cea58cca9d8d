package draw

import (
	"math"
	"strings"
	"unicode/utf8"
)

// Bar writes a bar that fills the given part (0 to 1) of w cells, to half a cell.
// It is half a line high, so that bars in neighbouring rows do not touch. A part above
// 0 shows at least half a cell.
func (l *Line) Bar(ink Ink, part float64, w int) *Line {
	from := l.at
	if !(part > 0) || w <= 0 {
		return l.FillTo(from + w)
	}
	if l.pen.Glyphs.ASCII {
		return l.run(ink, "", "#", max(1, int(math.Round(min(part, 1)*float64(w)))), "").FillTo(from + w)
	}
	halves := max(1, int(math.Round(min(part, 1)*float64(2*w))))
	return l.run(ink, "", "▄", halves/2, "▖"[:halves%2*len("▖")]).FillTo(from + w)
}

// Slider writes a slider of w cells with its thumb on one of them.
func (l *Line) Slider(fill, rest Ink, at, w int) *Line {
	from := l.at
	if w <= 0 {
		return l
	}
	g, at := l.pen.Glyphs, max(0, min(at, w-1))
	return l.run(fill, "", g.SliderFill, at, g.SliderKnob).run(rest, "", g.SliderRest, w-at-1, "").FillTo(from + w)
}

// Stem is a dot on an axis of some cells, with a line that leads to it.
type Stem struct {
	Ink   Ink
	Sign  string // of one cell, at the end of the line
	From  int    // the cell where the line begins
	At    int    // the cell of the sign
	Rule  int    // a cell that shows a limit in every row; negative if there is none
	Cells int
}

// Stem writes a dot with its line. The rule is never hidden; the other cells have a faint track.
func (l *Line) Stem(s Stem) *Line {
	p := l.pen
	for i := 0; i < s.Cells; {
		ink, glyph, end := p.Grid, p.Glyphs.Track, s.Cells
		from, to := min(s.From, s.At), max(s.From, s.At)
		switch {
		case i == s.Rule:
			ink, glyph, end = p.Beyond, string(p.Glyphs.RuleV), i+1
		case i == s.At:
			ink, glyph, end = s.Ink, s.Sign, i+1
		case i >= from && i <= to:
			ink, glyph, end = s.Ink, p.Glyphs.SliderRest, to+1
		case i < from:
			end = from
		}
		for _, stop := range []int{s.Rule, s.At} {
			if stop > i {
				end = min(end, stop)
			}
		}
		l.run(ink, "", glyph, end-i, "")
		i = end
	}
	return l
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

// twice has the upper and the lower half of each sign of the large digits at twice its size.
var twice = map[rune][2]string{'█': {"██", "██"}, '▀': {"██", "  "}, '▄': {"  ", "██"}, ' ': {"  ", "  "}}

// Larger returns a number in digits six lines high and its width; with ASCII glyphs as [Pen.Large] does.
func (p *Pen) Larger(ink Ink, s string) (lines []string, w int) {
	rows, w := p.Large(Ink{}, s)
	if p.Glyphs.ASCII {
		rows, w = p.Large(ink, s)
		return rows[:], w
	}
	for _, row := range rows {
		var halves [2]strings.Builder
		for _, r := range row {
			halves[0].WriteString(twice[r][0])
			halves[1].WriteString(twice[r][1])
		}
		lines = append(lines, ink.Render(halves[0].String()), ink.Render(halves[1].String()))
	}
	return lines, 2 * w
}

// Large returns a number in digits three lines high and its width; with ASCII glyphs the number is on
// the middle line alone.
func (p *Pen) Large(ink Ink, s string) (lines [3]string, w int) {
	if p.Glyphs.ASCII {
		s = p.Spell(s)
		w = len(s)
		return [3]string{strings.Repeat(" ", w), ink.Render(s), strings.Repeat(" ", w)}, w
	}
	var rows [3][]string
	for _, r := range s {
		if glyph, ok := large[r]; ok {
			for k := range rows {
				rows[k] = append(rows[k], glyph[k])
			}
		}
	}
	for k := range rows {
		row := strings.Join(rows[k], " ")
		lines[k], w = ink.Render(row), utf8.RuneCountInString(row)
	}
	return lines, w
}
