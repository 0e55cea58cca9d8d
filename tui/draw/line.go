package draw

import (
	"strings"
)

// Line is a line under construction. Whatever is put on it is cleaned, measured
// and cut, so that [Line.String] is always exactly as wide as asked.
type Line struct {
	pen  *Pen
	b    strings.Builder
	at   int
	room int
}

// Line starts a line of w cells. Six bytes a cell hold nearly all lines, with their inks.
func (p *Pen) Line(w int) *Line {
	l := &Line{pen: p, room: max(0, w)}
	l.b.Grow(6 * l.room)
	return l
}

// Row starts a line of a list, marked if it is selected, and returns the ink for its words.
func (p *Pen) Row(w int, selected bool) (*Line, Ink) {
	if selected {
		return p.Line(w).Left(p.Accent, p.Glyphs.Select, 2), p.Accent
	}
	return p.Line(w).Left(p.Accent, " ", 2), p.Text
}

// Put writes s in an ink; what does not fit is cut with an ellipsis.
func (l *Line) Put(ink Ink, s string) *Line {
	s, w := l.fit(s, l.room-l.at)
	return l.write(ink, s, w)
}

// Left writes s flush left in a field of w cells.
func (l *Line) Left(ink Ink, s string, w int) *Line {
	from := l.at
	s, have := l.fit(s, min(w, l.room-l.at))
	return l.write(ink, s, have).FillTo(from + w)
}

// Right writes s flush right in a field of w cells.
func (l *Line) Right(ink Ink, s string, w int) *Line {
	s, have := l.fit(s, w)
	if l.at+w > l.room { // the field does not stand on the line as a whole
		return l.FillTo(l.at+w-have).Put(ink, s)
	}
	return l.FillTo(l.at+w-have).write(ink, s, have)
}

// fit cleans s, cuts it to w cells and measures what is left. Nearly every text is
// plain and fits: it is walked once and not copied.
func (l *Line) fit(s string, w int) (string, int) {
	if have, ok := Plain(s); ok && have <= w && !l.pen.Glyphs.ASCII {
		return s, have
	}
	if long := l.pen.Spell(Clean(s)); l.pen.Glyphs.ASCII {
		if prose := strings.Count(long, " ") >= 4; prose && w > 0 {
			long = l.pen.Cut(long, w)
		}
		if len(long) <= w {
			return long, len(long)
		}
	}
	s = l.pen.Cut(l.pen.spell(Clean(s)), w)
	return s, Width(s)
}

// write appends a text that is clean, fits, and takes w cells.
func (l *Line) write(ink Ink, s string, w int) *Line {
	if s == "" {
		return l
	}
	if ink.before == "" {
		l.b.WriteString(s)
	} else {
		l.b.WriteString(ink.before)
		l.b.WriteString(s)
		l.b.WriteString(ink.after)
	}
	l.at += w
	return l
}

// run writes a glyph of the theme n times between two others, which may be none, if there is
// room. Each of them takes one cell.
func (l *Line) run(ink Ink, first, glyph string, n int, last string) *Line {
	n = max(0, n)
	w := min(1, len(first)) + n + min(1, len(last))
	if w == 0 || w > l.room-l.at {
		return l
	}
	l.b.WriteString(ink.before)
	l.b.WriteString(first)
	for range n {
		l.b.WriteString(glyph)
	}
	l.b.WriteString(last)
	l.b.WriteString(ink.after)
	l.at += w
	return l
}

// Number writes a number in a field of w cells with its decimal point in a fixed
// column, so that numbers below each other can be compared at a glance.
func (l *Line) Number(ink Ink, s string, w int) *Line {
	from := l.at
	whole := s
	if i := strings.IndexByte(s, '.'); i >= 0 {
		whole = s[:i]
	}
	lead := max(0, min(w-5-Width(whole), w-Width(s)))
	return l.FillTo(from+lead).Left(ink, s, w-lead)
}

// FillTo moves to a column, with blanks; it never moves back.
func (l *Line) FillTo(column int) *Line {
	column = min(column, l.room)
	if column > l.at {
		l.b.WriteString(Space(column - l.at))
		l.at = column
	}
	return l
}

// Skip leaves n cells blank.
func (l *Line) Skip(n int) *Line { return l.FillTo(l.at + n) }

// Raw writes a string that is already styled and whose width is known to be w.
func (l *Line) Raw(s string, w int) *Line {
	if l.at+w > l.room {
		return l
	}
	l.b.WriteString(s)
	l.at += w
	return l
}

// Column returns the column reached.
func (l *Line) Column() int { return l.at }

// Room returns how many cells are left.
func (l *Line) Room() int { return l.room - l.at }

// String ends the line, filled to its width.
func (l *Line) String() string { return l.FillTo(l.room).b.String() }

// WithoutFill returns the line as far as it was written, [Line.Column] cells wide.
func (l *Line) WithoutFill() string { return l.b.String() }

// Cut shortens s to w cells, with a sign that something is lost.
func (p *Pen) Cut(s string, w int) string {
	if p.Glyphs.ASCII && Width(s) > w && w > 0 {
		return Cut(s, w)[:w-1] + p.Glyphs.Ellipsis
	}
	return Cut(s, w)
}
