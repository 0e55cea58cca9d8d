package kit

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/tui/draw"
)

// Chooser is the list of a screen whose text is about one of several things: proofs, questions, the entries of a stack,
// attacks.
type Chooser struct {
	Title  string
	Head   []string // lines above the items, as wide as [Base.ListWidth] says
	Items  []Item
	At     int  // the selected one
	Marked bool // items may have marks
	Words  bool // items are sentences: they go on in a further line or, where there is no room for it, end after a word
}

// Item is a line of a list: a mark of one cell, a text, and what stands at the right end.
type Item struct {
	Mark  string
	Ink   draw.Ink // of the mark
	Text  string
	Right string
}

// splitWidth is the width from which on the list stands beside the text, asideWidth the one from which on there is a
// further column.
const splitWidth, asideWidth = 100, 180

// columns are the widths of the list, the text and the further column, each with its frame, and the height of the list.
// Where the list stands above the text both are as wide as the pane.
type columns struct {
	list, text, aside int
	listHeight        int
	beside            bool
}

func (b *Base) columns(c Chooser) columns {
	switch {
	case b.W < splitWidth:
		head := len(c.Head)
		return columns{list: b.W, text: b.W, listHeight: min(max(5, b.H/3)+head, len(c.Items)+2+head, b.H/2)}
	case b.W < asideWidth:
		list := max(38, min(b.W*36/100, 64))
		return columns{list: list, text: b.W - list, listHeight: b.H, beside: true}
	}
	list, aside := b.W*26/100, b.W*31/100
	return columns{list: list, text: b.W - list - aside, aside: aside, listHeight: b.H, beside: true}
}

// ListWidth returns the width of a line of the list.
func (b *Base) ListWidth() int {
	w, _ := draw.Inner(b.columns(Chooser{}).list, b.H)
	return w
}

// TextSize returns the size of the text beside the list, with its frame: all of the pane on a projector.
func (b *Base) TextSize(c Chooser) (w, h int) {
	at := b.columns(c)
	switch {
	case b.Projector:
		return b.W, b.H
	case at.beside:
		return at.text, b.H
	}
	return b.W, b.H - at.listHeight
}

// AsideWidth returns the width of a line of the further column; 0 if there is none.
func (b *Base) AsideWidth() int {
	if b.Projector || b.columns(Chooser{}).aside == 0 {
		return 0
	}
	w, _ := draw.Inner(b.columns(Chooser{}).aside, b.H)
	return w
}

// DrawSplit draws the list left of the text, over the full height; above it in a narrow window; the text alone on a
// projector. The text has the size that [Base.TextSize] says. A wide window has a further column, with the title and
// the lines that are given.
func (b *Base) DrawSplit(c Chooser, text []string, title string, aside []string) []string {
	at := b.columns(c)
	switch {
	case b.Projector:
		return text
	case !at.beside:
		return append(c.draw(b.Pen, at.list, at.listHeight), text...)
	}
	all := JoinColumns(c.draw(b.Pen, at.list, b.H), text)
	if at.aside > 0 {
		all = JoinColumns(all, b.Pen.Frame(draw.Frame{Title: title}, aside, at.aside, b.H))
	}
	return all
}

// window returns the first item that is shown and how many are, in a list of h lines.
func (c Chooser) window(h int) (first, rows int) {
	_, rows = draw.Inner(80, h)
	rows = max(0, rows-len(c.Head))
	return Window(0, c.At, len(c.Items), rows), rows
}

// itemLines returns the lines of every item of a list of sentences; nil where not all of them fit so many rows.
func (c Chooser) itemLines(p *draw.Pen, inner, rows int) (items [][]string) {
	if !c.Words {
		return nil
	}
	n := 0
	for _, it := range c.Items {
		lines := p.Wrap(it.Text, inner-c.indent())
		items, n = append(items, lines), n+max(1, len(lines))
	}
	if n > rows {
		return nil
	}
	return items
}

// indent returns the cells before the text of an item.
func (c Chooser) indent() int {
	if c.Marked {
		return 4
	}
	return 2
}

func (c Chooser) draw(p *draw.Pen, w, h int) []string {
	inner, _ := draw.Inner(w, h)
	lines := append([]string(nil), c.Head...)
	first, rows := c.window(h)
	last := min(first+rows, len(c.Items))
	folded := c.itemLines(p, inner, rows)
	for i := first; i < last; i++ {
		it := c.Items[i]
		var further []string
		if folded != nil && len(folded[i]) > 1 {
			it.Text, further = folded[i][0], folded[i][1:]
		}
		l, ink := p.Row(inner, i == c.At)
		if c.Marked {
			l.Left(it.Ink, it.Mark, 2)
		}
		right, text := draw.Width(p.Spell(it.Right)), p.Spell(it.Text)
		switch {
		case right > 0 && l.Room() > right+8:
			l.Left(ink, it.Text, l.Room()-right-1).Skip(1).Put(p.Muted, it.Right)
		case c.Words:
			l.Put(ink, WholeWords(text, l.Room()))
		default:
			l.Put(ink, it.Text)
		}
		lines = append(lines, l.String())
		for _, text := range further {
			lines = append(lines, p.Line(inner).Skip(c.indent()).Put(ink, text).String())
		}
	}
	title := c.Title
	if rows > 0 && len(c.Items) > rows {
		title = fmt.Sprintf("%s, %d–%d of %d", title, first+1, last, len(c.Items))
	}
	return p.Frame(draw.Frame{Title: title}, lines, w, h)
}

// ClickedItem returns the item of the list under the pointer; false if the pointer is elsewhere.
func (b *Base) ClickedItem(c Chooser, x, y int, m tea.MouseMsg) (int, bool) {
	list := b.columns(c)
	first, rows := c.window(list.listHeight)
	row := y - 1 - len(c.Head)
	if !Click(m) || b.Projector || x >= list.list || row < 0 || row >= rows {
		return 0, false
	}
	at := first + row
	inner, _ := draw.Inner(list.list, list.listHeight)
	if folded := c.itemLines(b.Pen, inner, rows); folded != nil {
		for at = 0; at < len(folded) && row >= max(1, len(folded[at])); at++ {
			row -= max(1, len(folded[at]))
		}
	}
	return at, at < len(c.Items)
}
