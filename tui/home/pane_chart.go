package home

import (
	"cmp"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting"
	"epsiloscope/report"
	"epsiloscope/report/chart"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/layout"
	"epsiloscope/tui/plot"
)

// chartPane shows one chart, with a crosshair under the arrow keys and the mouse.
type chartPane struct {
	part
	plot *plot.Plot
}

func (c *chartPane) Keys() kit.Table {
	move := func(by int) func() tea.Cmd {
		return kit.NoCmd(func() { c.plot.MoveCursor(by) })
	}
	return kit.NewTable("Chart pane",
		kit.Action("crosshair.left", "left h", "crosshair", "Crosshair left", move(-1)),
		kit.Action("crosshair.right", "right l", "", "Crosshair right", move(+1)),
		kit.Action("crosshair.ten-left", "shift+left H", "", "Crosshair ten cells left", move(-10)),
		kit.Action("crosshair.ten-right", "shift+right L", "", "Crosshair ten cells right", move(+10)),
	)
}

// HandleMouse puts the crosshair under the pointer and zooms with the wheel.
func (c *chartPane) HandleMouse(x, y int, m tea.MouseMsg) tea.Cmd {
	by := kit.Wheel(m)
	switch {
	case by != 0:
		c.plot.Zoom(-by)
	case m.Button == tea.MouseButtonLeft && y == 0:
		note := c.tabs()
		c.home.clickTab(note.WithoutFill(), x-(c.W-3-note.Column()))
	case m.Button == tea.MouseButtonLeft:
		c.plot.CursorAt(x-2, y-1)
	}
	return nil
}

// tabs names the charts: shorter, and closer together, where a title would have too little room beside them.
func (c *chartPane) tabs() *draw.Line {
	line := func(gap int, shorten *strings.Replacer) *draw.Line {
		names := c.home.tabNames()[1:]
		for i, n := range names {
			names[i] = shorten.Replace(n)
		}
		return c.home.tabLine(c.W, names, gap, c.home.tabOf(c.home.chart))
	}
	const whole, short = 34, 12 // columns of a title
	if l := line(2, strings.NewReplacer()); c.besideTabs(l) >= whole {
		return l
	}
	for _, shorten := range [...]*strings.Replacer{shorterTabs, shortTabs} {
		if l := line(2, shorten); c.besideTabs(l) >= short {
			return l
		}
	}
	return line(1, shortTabs)
}

// besideTabs returns the columns that the names of the charts leave for a title.
func (c *chartPane) besideTabs(tabs *draw.Line) int { return c.W - 8 - tabs.Column() }

func (c *chartPane) View(focused bool) []string {
	p := c.Pen
	inner, h := draw.Inner(c.W, c.H)
	kind := c.home.CurrentChart()
	frame := draw.Frame{Focus: focused, Exact: true}
	room := c.W - 6
	if !c.home.Lay.Tabs.Visible() && !c.Projector {
		frame.Note = c.tabs()
		room = c.besideTabs(frame.Note)
	}
	frame.Title = draw.Cut(c.title(kind, room), room) // the names of the charts stay
	d := &c.home.drawn
	if d.Of.chart != c.home.chart || !d.Known {
		return c.DrawFrame(frame, kit.WrapText(p, p.Muted, "computing", inner))
	}
	if d.Err != nil {
		lines := kit.WrapText(p, p.Text, d.Err.Error(), inner)
		if c.Refusal != nil {
			lines = kit.WrapText(p, p.Text, c.RefusalText(), inner)
		} else if accounting.FaultOf(d.Err) != nil {
			lines = kit.WrapText(p, p.Over, d.Err.Error(), inner)
		} else if kind.Needs != "" && len(c.Doc.Rows()) > 0 {
			lines = append(lines, kit.WrapText(p, p.Muted, "It needs "+kind.Needs+": a adds one to the stack.", inner)...)
		}
		foot := p.Line(inner)
		c.hints(foot, inner)
		return c.DrawFrame(frame, lines, foot.String())
	}
	c.plot.SetPen(p)
	foot := c.foot(inner, h)
	lines := c.plot.Draw(p, inner, h-len(foot))
	if !d.Fresh() {
		kit.Dim(p, lines)
		kit.Dim(p, foot)
	}
	return c.DrawFrame(frame, lines, foot...)
}

// title returns the chart's name; of an entry's chart with the entry, for it may be
// another than the selected one.
func (c *chartPane) title(kind ChartKind, room int) string {
	own, spell := c.home.ownTitle(), c.Pen.Spell
	if own != "" && kind.Entry {
		name, entry := report.UpperFirst(kind.Name), strings.TrimSuffix(own, instead)
		return kit.Widest(room, spell(kind.Title+" · "+own), spell(name+" · "+own), spell(name+" · "+entry),
			c.Pen.Cut(spell(name+" · "+entry), room))
	}
	title := cmp.Or(own, kind.Title)
	short, _, _ := strings.Cut(title, ",")
	return kit.Widest(room, spell(title), spell(short), spell(kind.Name))
}

// foot returns the reading under the crosshair, else what the chart says in words, with
// the keys at the end of the last line.
func (c *chartPane) foot(inner, h int) []string {
	p := c.Pen
	if h < 8 {
		return nil
	}
	readings := c.plot.Readout()
	if len(readings) > 0 && !c.plot.ReadsBeside() && (inner < 100 || len(c.plot.Chart().Bars) == 0) {
		l := p.Line(inner)
		shown := c.plot.Chart()
		if len(shown.Bars) == 0 {
			l.Put(p.Accent, shown.X.Label+" "+report.Short(readings[0].X)).Skip(2)
		}
		for _, r := range readings {
			l.Put(p.Muted, r.Name+" ").Put(p.Text, r.Text).Skip(2)
		}
		return []string{l.String()}
	}
	words := c.notes(inner, h)
	lines := make([]string, len(words))
	for i, s := range words {
		l := p.Line(inner).Put(p.Muted, s)
		if i == len(words)-1 && !c.Projector {
			c.hints(l, inner)
		}
		lines[i] = l.String()
	}
	return lines
}

// tallChart is from where on a chart has a row to spare for the keys wherever not all of them fit beside the notes.
const tallChart = 20

// leastKeys returns the width of the keys that every chart has room for, and the gap before them: the one that leads to
// the whole screen or back, and the one to a further view, which nothing else on the screen names.
func (c *chartPane) leastKeys(inner int) int {
	hints := c.keyHints()
	least := min(1, len(hints))
	if c.home.nextView() != c.home.chart {
		least = min(2, len(hints))
	}
	_, w := c.Hints(inner, hints[len(hints)-least:]...)
	return w + 2
}

// notes returns what the chart says in words, on a few lines. Where not all of it fits,
// whole notes go from the end: half a note may end within a number.
func (c *chartPane) notes(inner, h int) []string {
	most := max(1, min(3, h/6))
	if len(c.plot.Chart().Bars) > 0 { // few bars leave the lines free
		most = max(most, min(3, h/4))
	}
	least := c.leastKeys(inner)
	isTight := func(words []string) bool {
		n := len(words)
		return n > 0 && !c.Projector && draw.Width(words[n-1])+least > inner
	}
	said := c.plot.Chart().Notes
	for {
		words := c.Pen.Wrap(strings.Join(said, " · "), inner)
		tight := isTight(words)
		if len(words) < most || len(words) == most && !tight {
			if h >= tallChart || tight {
				words = c.leaveRoom(words, most, inner)
			}
			return words
		}
		if len(said) <= 1 { // its end matters more than a row of the chart, and so do the keys
			most = max(2, most)
			if words = kit.FirstLines(words, most, inner); isTight(words) {
				words = c.leaveRoom(words, most, inner)
			}
			return words
		}
		said = said[:len(said)-1]
	}
}

// leaveRoom gives the keys a line of their own, or breaks notes earlier where that leaves all keys their room.
func (c *chartPane) leaveRoom(words []string, most, inner int) []string {
	_, keys := c.Hints(inner, c.keyHints()...)
	if len(words) == 0 || c.Projector || draw.Width(words[len(words)-1])+keys+2 <= inner {
		return words
	}
	if len(words) < most {
		return append(words, "")
	}
	if earlier := c.Pen.Wrap(strings.Join(words, " "), inner-keys-2); len(earlier) <= most {
		return earlier
	}
	return words
}

// hints writes the keys that act in the pane as it is at the end of a line, as many as fit; the
// last of them, which leads back, stays longest.
func (c *chartPane) hints(l *draw.Line, inner int) {
	hints := c.keyHints()
	hints = hints[max(0, len(hints)-footKeys):]
	for i := range hints {
		if keys, w := c.Hints(inner, hints[i:]...); l.Room() > w+1 {
			l.FillTo(inner-w).Raw(keys, w)
			return
		}
	}
}

// keyHints returns the keys of the pane, those that matter most last. The arrows move the crosshair
// only where the pane has the keys, and bars have neither axis nor ratio.
func (c *chartPane) keyHints() (hints []kit.Binding) {
	h := c.home
	if h.drawn.Err != nil && h.Charting() == "" {
		return nil
	}
	if h.drawn.Err != nil {
		return append(hints, kit.Hint(h.CurrentChart().Key, "back"))
	}
	shown, _, _ := h.NewestChart()
	bars := len(shown.Bars) > 0
	if !bars && !c.plot.IsZoomed() && !c.plot.Whole() {
		hints = append(hints, kit.Hint("Z", "zoom out"))
	}
	if h.focus == layout.Chart && bars {
		hints = append(hints, kit.Hint("←→", "candidate"))
	} else if h.focus == layout.Chart {
		hints = append(hints, kit.Hint("←→", "crosshair"))
	}
	if !bars {
		hints = append(hints, kit.Hint("z", "zoom"))
	}
	if _, ok := shown.LogAxes(); ok {
		log, ratio := "log", chart.RatioLabel
		switch h.view {
		case viewLog:
			log = "linear"
		case viewRatio:
			ratio = "ε"
		}
		hints = append(hints, kit.Hint("&", log), kit.Hint("%", ratio))
	}
	if c.plot.IsZoomed() {
		hints = append(hints, kit.Hint("Z", "zoom out"))
	}
	if h.nextView() != h.chart {
		hints = append(hints, kit.Hint(h.CurrentChart().Key, "next view"))
	}
	if h.chartFull {
		return append(hints, kit.Hint("f", "back"))
	}
	return append(hints, kit.Hint("f", "full"))
}

// DrawnChart returns the chart as it is drawn.
func (c *chartPane) DrawnChart() chart.Chart { return c.plot.Chart() }
