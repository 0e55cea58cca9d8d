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
	return Pad(lines, w)
}

// Banner adds a figure three lines high, or in one where it does not fit.
func (w *Writer) Banner(ink draw.Ink, figure string) {
	lines, width := w.Pen.Large(ink, w.Pen.Spell(figure))
	if width > w.W {
		w.Prose(ink, figure)
		return
	}
	for _, l := range lines {
		w.Lines = append(w.Lines, l+text.Space(w.W-width))
	}
}
