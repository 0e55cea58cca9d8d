package kit

import (
	"epsiloscope/tui/draw"
	"epsiloscope/tui/text"
)

// Measure is the width of prose for a projector: short lines, which a room can read.
const Measure = 64

// Project sets what write writes in the middle of a box of w×h, with a blank line between
// any two where there is room for that.
func (s *Shell) Project(measure, w, h int, write func(*Writer)) []string {
	out := NewWriter(s.Pen, min(w, measure))
	out.loose = true
	if write(out); len(out.Lines) > h {
		out = NewWriter(s.Pen, min(w, measure))
		write(out)
	}
	side, top := text.Space((w-out.W)/2), max(0, (h-len(out.Lines))/3)
	lines := make([]string, top, top+len(out.Lines))
	for _, l := range out.Lines {
		lines = append(lines, side+l)
	}
	return text.Box(lines, w, len(lines))
}

// Banner adds a figure three lines high with its name beside it, or in one where it does not fit.
func (w *Writer) Banner(ink draw.Ink, figure, name string) {
	lines, width := w.Pen.Large(ink, w.Pen.Spell(figure))
	if width > w.W {
		w.Prose(ink, figure)
		return
	}
	for i, l := range lines {
		line := w.Pen.Line(w.W).Raw(l, width)
		if i == 1 && name != "" {
			line.Skip(2).Put(w.Pen.Text, name)
		}
		w.Add(line)
	}
}
