package kit

import (
	"epsiloscope/tui/draw"
	"epsiloscope/tui/text"
)

// Writer sets prose into lines of one width.
type Writer struct {
	Pen   *draw.Pen
	W     int
	Lines []string
	loose bool // a blank line after each of prose
}

// NewWriter goes on after the lines that stand already.
func NewWriter(p *draw.Pen, w int, lines ...string) *Writer {
	return &Writer{Pen: p, W: w, Lines: lines}
}

// Prose sets a text.
func (w *Writer) Prose(ink draw.Ink, s string) {
	for _, l := range w.Wrap(s, w.W) {
		w.Add(w.Pen.Line(w.W).Put(ink, l))
		if w.loose {
			w.Gap()
		}
	}
}

// Bullet sets it after a dot.
func (w *Writer) Bullet(s string) {
	for i, l := range w.Wrap(s, w.W-2) {
		mark := "  "
		if i == 0 {
			mark = "· "
		}
		w.Add(w.Pen.Line(w.W).Put(w.Pen.Muted, mark).Put(w.Pen.Muted, l))
	}
}

// Gap leaves a line blank.
func (w *Writer) Gap() { w.Lines = append(w.Lines, text.Space(w.W)) }

// Add takes a line as it is.
func (w *Writer) Add(l *draw.Line) { w.Lines = append(w.Lines, l.String()) }

// Inset sets prose some cells in.
func (w *Writer) Inset(by int, ink draw.Ink, s string) {
	if s == "" {
		return
	}
	for _, l := range w.Wrap(s, w.W-by) {
		w.Add(w.Pen.Line(w.W).Skip(by).Put(ink, l))
	}
}

// Wrap sets prose into lines of a width.
func (w *Writer) Wrap(s string, width int) []string {
	return text.Wrap(w.Pen.Spell(text.Clean(s)), max(1, width))
}
