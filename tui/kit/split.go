package kit

import (
	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/tui/draw"
)

// Chooser is the list of a screen whose text is about one of several things: proofs, questions.
type Chooser struct {
	Title  string
	Items  []Item
	At     int  // the selected one
	Marked bool // items may have marks
}

// Item is a line of a list: a mark of one cell and a text.
type Item struct {
	Mark string
	Ink  draw.Ink // of the mark
	Text string
}

// splitWidth is the width from which on the list stands beside the text.
const splitWidth = 100

// splitSizes returns the width of the list beside the text, or its height above it.
func (b *Base) splitSizes() (list int, beside bool) {
	if b.W >= splitWidth {
		return max(34, min(b.W*36/100, 64)), true
	}
	return max(4, b.H/4), false
}

// TextSize returns the size of the text beside the list, with its frame: all of the pane on a projector.
func (b *Base) TextSize() (w, h int) {
	list, beside := b.splitSizes()
	switch {
	case b.Projector:
		return b.W, b.H
	case beside:
		return b.W - list, b.H
	}
	return b.W, b.H - list
}

// DrawSplit draws the list left of the text, over the full height; above it in a narrow window; the text alone on a projector. The
// text has the size that [Base.TextSize] says.
func (b *Base) DrawSplit(c Chooser, text []string) []string {
	list, beside := b.splitSizes()
	switch {
	case b.Projector:
		return text
	case beside:
		return JoinColumns(c.draw(b.Pen, list, b.H), text)
	}
	return append(c.draw(b.Pen, b.W, list), text...)
}

func (c Chooser) draw(p *draw.Pen, w, h int) []string {
	inner, rows := draw.Inner(w, h)
	var lines []string
	first := Window(0, c.At, len(c.Items), rows)
	for i := first; i < min(first+rows, len(c.Items)); i++ {
		l, ink := p.Row(inner, i == c.At)
		if c.Marked {
			l.Left(c.Items[i].Ink, c.Items[i].Mark, 2)
		}
		lines = append(lines, l.Put(ink, c.Items[i].Text).String())
	}
	return p.Frame(draw.Frame{Title: c.Title}, lines, w, h)
}

// ClickedItem returns the item of the list under the pointer; false if the pointer is elsewhere.
func (b *Base) ClickedItem(c Chooser, x, y int, m tea.MouseMsg) (int, bool) {
	list, beside := b.splitSizes()
	h := b.H
	if !beside {
		h = list
	}
	_, rows := draw.Inner(b.W, h)
	at := y - 1 + Window(0, c.At, len(c.Items), rows)
	if !Click(m) || b.Projector || beside && x >= list || y < 1 || y > rows || at >= len(c.Items) {
		return 0, false
	}
	return at, true
}
