package dialogs

import (
	"fmt"
	"math"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/text"
)

// help lists every key of the screen, out of the tables that dispatch them.
type help struct {
	*kit.Shell
	tables []kit.Table
	text   kit.Scroll[[2]int]
}

// Help shows the tables.
func Help(s *kit.Shell, tables []kit.Table) {
	s.Push(&help{Shell: s, tables: tables})
}

func (d *help) HandleKey(msg tea.KeyMsg) tea.Cmd {
	switch msg.String() {
	case "esc", "?", "q", "enter":
		d.Pop()
	}
	cmd, _ := kit.Dispatch(msg, kit.NewTable("", d.text.Keys()...))
	return cmd
}

func (d *help) HandleMouse(m tea.MouseMsg) tea.Cmd { d.text.Wheel(m); return nil }

func (d *help) View(w, h int) []string {
	w, h = min(w-2, 150), h-1
	inner, _ := draw.Inner(w, h)
	d.text.Fill([2]int{w, h}, inner, 0, func() []string { return d.set(inner) })
	n := d.text.TotalLineCount()
	h = min(h, n+3)
	_, rows := draw.Inner(w, h)
	d.text.Height = max(0, rows-1)
	title, foot := "Keys", "esc close"
	if d.text.Longer() {
		foot = "↑↓ scroll   esc close"
		title = fmt.Sprintf("Keys, lines %d–%d of %d", d.text.YOffset+1, min(n, d.text.YOffset+d.text.Height), n)
	}
	return d.Boxed(title, d.text.Lines(), foot, w, h)
}

// set sets the tables out, in two columns of about the same height where there is room.
func (d *help) set(w int) []string {
	if w < 110 {
		return d.column(d.tables, w)
	}
	half := (w - 2) / 2
	var left, right []string
	n := math.MaxInt
	for i := range d.tables {
		l, r := d.column(d.tables[:i], half), d.column(d.tables[i:], half)
		if high := max(len(l), len(r)); high < n {
			left, right, n = l, r, high
		}
	}
	return kit.Pad(kit.Beside(text.Box(left, half+2, n), text.Box(right, half, n)), w)
}

// keyWidth is the column of the keys.
const keyWidth = 15

// column sets tables out below each other.
func (d *help) column(tables []kit.Table, w int) []string {
	p, out := d.Pen, kit.NewWriter(d.Pen, w)
	for _, t := range tables {
		if len(t.Bindings) == 0 {
			continue
		}
		out.Add(p.Line(w).Put(p.Title, t.Name))
		for _, x := range t.Bindings {
			out.Hang(keyWidth, p.Text, x.Name, func(l *draw.Line) { l.Skip(1).Left(p.Key, x.Label(), keyWidth-1) })
		}
		out.Gap()
	}
	return out.Lines
}
