package tui

import (
	"epsiloscope/tui/draw"
	"epsiloscope/tui/text"
)

// writer sets prose into lines of one width.
type writer struct {
	pen   *draw.Pen
	w     int
	lines []string
}

// newWriter goes on after the lines that stand already.
func newWriter(p *draw.Pen, w int, lines ...string) *writer { return &writer{p, w, lines} }

func (w *writer) prose(ink draw.Ink, s string) {
	for _, l := range text.Wrap(text.Clean(s), w.w) {
		w.add(w.pen.Line(w.w).Put(ink, l))
	}
}

func (w *writer) bullet(s string) {
	for i, l := range text.Wrap(text.Clean(s), w.w-2) {
		mark := "  "
		if i == 0 {
			mark = "· "
		}
		w.add(w.pen.Line(w.w).Put(w.pen.Muted, mark).Put(w.pen.Muted, l))
	}
}

func (w *writer) gap() { w.lines = append(w.lines, text.Space(w.w)) }

func (w *writer) add(l *draw.Line) { w.lines = append(w.lines, l.String()) }

// inset sets prose some cells in.
func (w *writer) inset(by int, ink draw.Ink, s string) {
	if s == "" {
		return
	}
	for _, l := range text.Wrap(text.Clean(s), max(1, w.w-by)) {
		w.add(w.pen.Line(w.w).Skip(by).Put(ink, l))
	}
}
