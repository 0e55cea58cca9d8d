package draw

import (
	"strings"
)

// Frame is the box of a pane: its title stands in the upper edge, a note or a row
// of tabs at the right end of it, the keys of the pane on the last line inside.
type Frame struct {
	Title string
	Note  *Line // drawn at the right of the upper edge; may be nil
	Focus bool
	Exact bool // every line has its width: none is measured, as home draws its own with every frame
}

// Inner returns the room a frame of w×h leaves: one space of padding on either side.
func Inner(w, h int) (int, int) { return max(0, w-4), max(0, h-2) }

// Frame draws lines into a box of w×h, with a foot on the last of them. Lines are cut and filled to
// the room that [Inner] says; those of the foot have that width.
func (p *Pen) Frame(f Frame, lines []string, w, h int, foot ...string) []string {
	if w < 4 || h < 2 {
		return Box(nil, w, h)
	}
	border, edge, title := p.Glyphs.Border, p.Border, p.Title
	if f.Focus {
		border, edge, title = p.Glyphs.BorderFocus, p.BorderFocus, p.Accent
	}
	left, right := edge.Render(border.Left)+" ", " "+edge.Render(border.Right)
	inner, rows := Inner(w, h)
	n := rows * (len(left) + inner + len(right))
	for _, line := range lines {
		n += len(line)
	}
	var b strings.Builder // of all lines: they are parts of it
	b.Grow(n)
	out := append(make([]string, 0, h), p.upper(f, w, border.TopLeft, border.Top, border.TopRight, edge, title))
	for i := range rows {
		line := ""
		if k := i - (rows - len(foot)); k >= 0 {
			line = foot[k]
		} else if i < len(lines) {
			line = lines[i]
		}
		if line == "" || !f.Exact {
			line = Left(line, inner)
		}
		from := b.Len()
		b.WriteString(left)
		b.WriteString(line)
		b.WriteString(right)
		out = append(out, b.String()[from:])
	}
	return append(out, p.Line(w).run(edge, border.BottomLeft, border.Bottom, w-2, border.BottomRight).String())
}

// upper draws "╭─ Title ───── note ─╮".
func (p *Pen) upper(f Frame, w int, corner, bar, end string, edge, title Ink) string {
	l := p.Line(w)
	l.run(edge, corner, bar, 1, "")
	note := 0
	if f.Note != nil {
		note = f.Note.at + 2
	}
	if room := w - 6; f.Title != "" && room > 0 {
		if note > 0 && Width(f.Title)+note+6 > w {
			note = 0
		}
		name := p.Spell(Clean(f.Title))
		l.Skip(1).Put(title, p.Cut(name, room-note)).Skip(1)
	}
	fill := w - l.at - note - 2
	if fill < 0 {
		note, fill = 0, w-l.at-2
	}
	l.run(edge, "", bar, fill, "")
	if note > 0 {
		l.Skip(1).Raw(f.Note.WithoutFill(), f.Note.at).Skip(1)
	}
	return l.run(edge, "", bar, 1, end).String()
}
