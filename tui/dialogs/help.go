package dialogs

import (
	"fmt"
	"math"
	"strings"

	"github.com/charmbracelet/bubbles/viewport"
	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/text"
)

// help lists every key of the screen, out of the tables that dispatch them.
type help struct {
	*kit.Shell
	tables []kit.Table
	view   viewport.Model
}

// Help shows the tables.
func Help(s *kit.Shell, tables []kit.Table) {
	s.Push(&help{Shell: s, tables: tables, view: viewport.New(0, 0)})
}

func (d *help) HandleKey(msg tea.KeyMsg) tea.Cmd {
	switch msg.String() {
	case "esc", "?", "q", "enter":
		d.Pop()
	case "up", "k":
		d.view.SetYOffset(d.view.YOffset - 1)
	case "down", "j":
		d.view.SetYOffset(d.view.YOffset + 1)
	case "pgup":
		d.view.PageUp()
	case "pgdown", " ":
		d.view.PageDown()
	}
	return nil
}

func (d *help) HandleMouse(m tea.MouseMsg) tea.Cmd {
	switch m.Button {
	case tea.MouseButtonWheelUp:
		d.view.SetYOffset(d.view.YOffset - 3)
	case tea.MouseButtonWheelDown:
		d.view.SetYOffset(d.view.YOffset + 3)
	}
	return nil
}

func (d *help) View(w, h int) []string {
	w, h = min(w-2, 150), h-1
	inner, _ := draw.Inner(w, h)
	blocks := d.blocks()
	var lines []string
	if inner >= 110 { // two columns, filled evenly
		lines = sideBySide(d.Pen, blocks, inner)
	} else {
		for _, b := range blocks {
			lines = append(lines, b.lines(d.Pen, inner)...)
		}
	}
	h = min(h, len(lines)+3)
	_, rows := draw.Inner(w, h)
	d.view.Width, d.view.Height = inner, max(0, rows-1)
	d.view.SetContent(strings.Join(lines, "\n"))
	title, foot := "Keys", "esc close"
	if n := d.view.TotalLineCount(); n > d.view.Height {
		foot = "↑↓ scroll   esc close"
		title = fmt.Sprintf("Keys, lines %d–%d of %d", d.view.YOffset+1, min(n, d.view.YOffset+d.view.Height), n)
	}
	return d.Boxed(title, strings.Split(d.view.View(), "\n"), foot, w, h)
}

// keyWidth is the column of the keys.
const keyWidth = 14

// helpBlock is the lines of one table.
type helpBlock kit.Table

func (d *help) blocks() []helpBlock {
	var out []helpBlock
	for _, t := range d.tables {
		if len(t.Bindings) > 0 {
			out = append(out, helpBlock(t))
		}
	}
	return out
}

func (b helpBlock) lines(p *draw.Pen, w int) []string {
	out := []string{p.Line(w).Put(p.Title, b.Name).String()}
	for _, x := range b.Bindings {
		for i, words := range text.Wrap(x.Name, w-keyWidth-1) {
			l := p.Line(w).Skip(1)
			if i == 0 {
				l.Left(p.Key, x.Label(), keyWidth)
			}
			out = append(out, l.To(1+keyWidth).Put(p.Text, words).String())
		}
	}
	return append(out, text.Space(w))
}

// sideBySide sets blocks into two columns of about the same height.
func sideBySide(p *draw.Pen, blocks []helpBlock, w int) []string {
	half := (w - 2) / 2
	var lines []string
	at, n := 0, math.MaxInt // where the second column begins, and how high the higher one is
	var ends []int
	for _, b := range blocks {
		lines = append(lines, b.lines(p, half)...)
		ends = append(ends, len(lines))
	}
	for _, end := range ends {
		if high := max(end, len(lines)-end); high < n {
			at, n = end, high
		}
	}
	left, right := lines[:at], lines[at:]
	left, right = text.Box(left, half, n), text.Box(right, half, n)
	out := make([]string, n)
	for i := range out {
		out[i] = left[i] + "  " + right[i]
	}
	return kit.Pad(out, w)
}
