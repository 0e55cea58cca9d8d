package kit

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"epsiloscope/tui/draw"
)

// Writer sets prose into lines of one width.
type Writer struct {
	Pen   *draw.Pen
	W     int
	Lines []string
	loose bool // a blank line follows each line of prose
}

// NewWriter goes on after the lines that stand already.
func NewWriter(p *draw.Pen, w int, lines ...string) *Writer {
	return &Writer{Pen: p, W: w, Lines: lines}
}

// Dim shows lines as old: newer numbers are on their way.
func Dim(p *draw.Pen, lines []string) {
	for i, l := range lines {
		lines[i] = p.Fade(l, p.Stale)
	}
}

// Old shows so, once it is called, what was set since: defer out.Old(!known)().
func (w *Writer) Old(old bool) func() {
	from := len(w.Lines)
	return func() {
		if old {
			Dim(w.Pen, w.Lines[from:])
		}
	}
}

// Prose wraps a text to the width and adds its lines in one ink.
func (w *Writer) Prose(ink draw.Ink, s string) {
	for _, l := range w.Pen.Wrap(s, w.W) {
		w.Add(w.Pen.Line(w.W).Put(ink, l))
		if w.loose {
			w.Gap()
		}
	}
}

// Hang sets prose by cells in, behind what head writes on its first line.
func (w *Writer) Hang(by int, ink draw.Ink, s string, head func(*draw.Line)) {
	for i, words := range w.Pen.Wrap(s, w.W-by) {
		l := w.Pen.Line(w.W)
		if i == 0 {
			head(l)
		}
		w.Add(l.FillTo(by).Put(ink, words))
	}
}

// Heading sets a line that is cut where it is too long.
func (w *Writer) Heading(ink draw.Ink, s string) { w.Add(w.Pen.Line(w.W).Put(ink, s)) }

// Bullet sets it after a dot.
func (w *Writer) Bullet(s string) {
	mark := "· "
	for _, l := range w.Pen.Wrap(s, w.W-2) {
		w.Add(w.Pen.Line(w.W).Put(w.Pen.Muted, mark).Put(w.Pen.Muted, l))
		mark = "  "
	}
}

// Gap leaves a line blank.
func (w *Writer) Gap() { w.Lines = append(w.Lines, draw.Space(w.W)) }

// Add takes a line as it is.
func (w *Writer) Add(l *draw.Line) { w.Lines = append(w.Lines, l.String()) }

// Inset sets prose some cells in.
func (w *Writer) Inset(by int, ink draw.Ink, s string) {
	if s == "" {
		return
	}
	w.Hang(by, ink, s, func(*draw.Line) {})
}

// JoinColumns sets boxes of the same height side by side.
func JoinColumns(left, right []string) []string {
	for i := range left {
		left[i] += right[i]
	}
	return left
}

// Window returns the first of n rows to show: top, unless the selected row would be out of sight.
func Window(top, at, n, rows int) int {
	top = max(0, min(top, at, n-rows))
	return max(top, at-max(1, rows)+1)
}

// Prose returns the lines that write writes, at most `most` cells wide, in lines of w cells.
func (s *Shell) Prose(w, most int, write func(*Writer)) []string {
	out := NewWriter(s.Pen, min(w, most))
	write(out)
	return draw.Box(out.Lines, w, len(out.Lines))
}

// GoesOn marks a line after which more would follow. It gives up whole words for
// the mark: half a number would be another number.
func GoesOn(s string, w int) string {
	for draw.Width(s)+2 > w {
		i := strings.LastIndexByte(s, ' ')
		if i < 0 {
			return draw.Cut(s+" …", w)
		}
		s = s[:i]
	}
	return s + " …"
}

// WholeWords returns a text for w cells: as it is if it fits, else its first words and a mark that it goes on.
func WholeWords(s string, w int) string {
	if draw.Width(s) <= w {
		return s
	}
	return GoesOn(s, w)
}

// FirstLines cuts a text to its first lines and marks that it goes on.
func FirstLines(lines []string, most, w int) []string {
	if len(lines) > most {
		lines = lines[:most]
		lines[most-1] = GoesOn(lines[most-1], w)
	}
	return lines
}

// Plain returns text without colours and blanks at the ends of lines.
func Plain(lines []string) string {
	plain := strings.Split(ansi.Strip(strings.Join(lines, "\n")), "\n")
	for i, l := range plain {
		plain[i] = strings.TrimRight(l, " ")
	}
	return strings.Join(plain, "\n")
}

// WrapText sets a text into lines of w cells.
func WrapText(p *draw.Pen, ink draw.Ink, s string, w int) []string {
	out := NewWriter(p, w)
	out.Prose(ink, s)
	return out.Lines
}

// Measure is the width of prose for a projector: short lines, which an audience can read.
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
	side, top := draw.Space((w-out.W)/2), max(0, (h-len(out.Lines))/3)
	lines := make([]string, top, top+len(out.Lines))
	for _, l := range out.Lines {
		lines = append(lines, side+l)
	}
	return draw.Box(lines, w, len(lines))
}

// Banner adds a number three lines high with its name beside it, or in one where it does not fit.
func (w *Writer) Banner(ink draw.Ink, value, name string) {
	lines, width := w.Pen.Large(ink, w.Pen.Spell(value))
	if width > w.W {
		w.Prose(ink, value)
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
