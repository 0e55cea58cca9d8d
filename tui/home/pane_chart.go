package home

import (
	"cmp"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/plot"
)

// chartPane shows one chart, with a crosshair under the arrow keys and the mouse.
type chartPane struct {
	part
	plot *plot.Plot
}

func (c *chartPane) Keys() kit.Table {
	move := func(by int) func() tea.Cmd {
		return kit.Just(func() { c.plot.MoveCursor(by) })
	}
	return kit.NewTable("Chart pane",
		kit.Bind("left h", "crosshair", "Crosshair left", move(-1)),
		kit.Bind("right l", "", "Crosshair right", move(+1)),
		kit.Bind("shift+left H", "", "Crosshair ten cells left", move(-10)),
		kit.Bind("shift+right L", "", "Crosshair ten cells right", move(+10)),
	)
}

// HandleMouse puts the crosshair under the pointer and zooms with the wheel.
func (c *chartPane) HandleMouse(x, y int, m tea.MouseMsg) tea.Cmd {
	switch by := kit.Wheel(m); {
	case by != 0:
		c.plot.Zoom(-by)
	case m.Button == tea.MouseButtonLeft && y == 0:
		note := c.tabs()
		c.home.clickTab(note.Unfilled(), x-(c.W-3-note.At()))
	case m.Button == tea.MouseButtonLeft:
		c.plot.CursorAt(x-2, y-1)
	}
	return nil
}

func (c *chartPane) tabs() *draw.Line {
	return c.home.tabLine(c.W, c.home.tabNames()[1:], 2, c.home.chart)
}

func (c *chartPane) View(focused bool) []string {
	p := c.Pen
	inner, h := draw.Inner(c.W, c.H)
	kind := c.home.Shown()
	frame := draw.Frame{Focus: focused, Exact: true}
	room := c.W - 6
	if !c.home.Lay.Tabs.Visible() && !c.Projector {
		frame.Note = c.tabs()
		room -= frame.Note.At() + 2
	}
	frame.Title = draw.Cut(c.title(kind, room), room) // the names of the charts stay
	d := &c.home.drawn
	if d.Of.chart != c.home.chart || !d.Known {
		return c.Framed(frame, kit.Wrapped(p, p.Muted, "computing", inner))
	}
	if d.Err != nil {
		return c.Framed(frame, kit.Wrapped(p, p.Muted, d.Err.Error(), inner))
	}
	c.plot.SetPen(p)
	foot := c.foot(inner, h)
	rows := h - len(foot)
	figures := c.figures(inner, rows)
	lines := append(c.plot.Draw(p, inner, rows-len(figures)), figures...)
	if !d.Fresh() {
		kit.Dim(p, lines)
		kit.Dim(p, foot)
	}
	return c.Framed(frame, lines, foot...)
}

// title is the chart's name; of an entry's chart with the entry, for it may be
// another than the selected one.
func (c *chartPane) title(kind ChartKind, room int) string {
	own, spell := c.home.ownTitle(), c.Pen.Spell
	if own != "" && kind.Entry {
		return kit.Widest(room, spell(kind.Title+" · "+own), spell(kind.Name+" · "+own), spell(own))
	}
	title := cmp.Or(own, kind.Title)
	short, _, _ := strings.Cut(title, ",")
	return kit.Widest(room, spell(title), spell(short), spell(kind.Name))
}
