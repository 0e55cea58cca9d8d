package home

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"epsiloscope/scenarios/report"
	"epsiloscope/scenarios/report/scale"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/layout"
	"epsiloscope/tui/plot"
	"epsiloscope/tui/text"
)

// chartPane shows one chart, with a crosshair under the arrow keys and the mouse.
type chartPane struct {
	part
	plot  *plot.Plot
	moved int // grows with crosshair and zoom
	cache kit.Cached
}

type chartLook struct {
	w, h, theme, serial, moved, kind int
	focused, stale                   bool
}

func newChartPane(p part) *chartPane { return &chartPane{part: p, plot: plot.New()} }

func (c *chartPane) Keys() kit.Table {
	return kit.NewTable("Chart pane",
		kit.Bind("left h", "crosshair", "Crosshair left", kit.Just(func() { c.move(-1) })),
		kit.Bind("right l", "", "Crosshair right", kit.Just(func() { c.move(+1) })),
		kit.Bind("shift+left H", "", "Crosshair ten cells left", kit.Just(func() { c.move(-10) })),
		kit.Bind("shift+right L", "", "Crosshair ten cells right", kit.Just(func() { c.move(+10) })),
	)
}

func (c *chartPane) move(by int) {
	c.plot.MoveCursor(by)
	c.moved++
}

// zoom widens or narrows the part of the x axis shown.
func (h *Home) zoom(by int) {
	h.graph.plot.Zoom(by)
	h.graph.moved++
}

// Highlight brings one series of the charts out.
func (h *Home) Highlight(series string) {
	h.graph.plot.Highlight(series)
	h.entry.plot.Highlight(series)
}

// HandleMouse puts the crosshair under the pointer and zooms with the wheel.
func (c *chartPane) HandleMouse(x, y int, m tea.MouseMsg) tea.Cmd {
	switch by := kit.Wheel(m); {
	case by != 0:
		c.home.zoom(-by)
	case m.Button == tea.MouseButtonLeft && y == 0:
		note := c.tabs()
		c.home.clickTab(note.Unfilled(), x-(c.W-3-note.At()))
	case m.Button == tea.MouseButtonLeft:
		c.plot.CursorAt(x-2, y-1)
		c.moved++
	}
	return nil
}

// clickTab takes a click on a line of tabs: a digit starts every name.
func (h *Home) clickTab(line string, x int) {
	names := []rune(strings.TrimRight(ansi.Strip(line), " "))
	if x < 0 || x >= len(names) {
		return
	}
	for ; x >= 0; x-- {
		if names[x] == '0' {
			h.ShowBounds()
			return
		}
		if i := slices.IndexFunc(h.charts, func(k ChartKind) bool { return k.Key == string(names[x]) }); i >= 0 {
			h.showChart(i)
			return
		}
	}
}

func (c *chartPane) View(focused bool) []string {
	key := chartLook{c.W, c.H, c.Themes, c.home.drawn.Serial, c.moved, c.home.chart, focused, !c.home.drawn.Fresh()}
	return c.cache.Get(key, func() []string { return c.draw(focused) })
}

func (c *chartPane) draw(focused bool) []string {
	p := c.Pen
	inner, h := draw.Inner(c.W, c.H)
	kind := c.home.Shown()
	frame := draw.Frame{Focus: focused}
	room := c.W - 6
	if !c.home.Lay.Tabs.Visible() && !c.Projector {
		frame.Note = c.tabs()
		room -= frame.Note.At() + 2
	}
	frame.Title = text.Cut(c.title(kind, room), room) // the names of the charts stay
	d := &c.home.drawn
	if d.Of.kind != c.home.chart || !d.Known {
		return p.Frame(frame, []string{p.Line(inner).Put(p.Muted, "computing").String()}, c.W, c.H)
	}
	if d.Answer.err != nil {
		return p.Frame(frame, kit.Wrapped(p, p.Muted, d.Answer.err.Error(), inner), c.W, c.H)
	}
	c.plot.SetPen(p)
	foot := c.foot(inner, h)
	rows := h - len(foot)
	figures := c.figures(inner, rows)
	lines := append(c.plot.Draw(p, inner, rows-len(figures)), figures...)
	if !d.Fresh() {
		stale(p, lines)
	}
	return p.Frame(frame, append(lines, foot...), c.W, c.H)
}

// figures are the bars of a chart and the series upon them as a table, where the bars leave
// room for it; nil elsewhere.
func (c *chartPane) figures(inner, rows int) []string {
	p, chart := c.Pen, c.plot.Chart()
	n := len(chart.Bars)
	if n == 0 || len(chart.Series) == 0 || rows < plot.BarRows(n)+2+n {
		return nil
	}
	name, column := 0, 12
	for _, b := range chart.Bars {
		name = max(name, text.Width(p.Spell(text.Clean(b.Label))))
	}
	for _, s := range chart.Series {
		column = max(column, text.Width(p.Spell(s.Name))+3)
	}
	name = min(name, inner/3)
	head := p.Line(inner).Skip(2+name).Right(p.Muted, chart.Y.Label, column)
	for _, s := range chart.Series {
		head.Right(p.Muted, s.Name, column)
	}
	lines := []string{text.Space(inner), head.String()}
	for i, b := range chart.Bars {
		l := p.Line(inner).Skip(2).Left(p.Text, b.Label, name).Right(p.Text, scale.Format(b.Value, 4), column)
		for _, s := range chart.Series {
			value := ""
			if k := slices.Index(s.X, float64(i)); k >= 0 && k < len(s.Y) {
				value = scale.Format(s.Y[k], 4)
			}
			l.Right(p.Text, value, column)
		}
		lines = append(lines, l.String())
	}
	for len(lines) < rows-plot.BarRows(n) { // below the bars, not at the foot of the pane
		lines = append(lines, text.Space(inner))
	}
	return lines
}

// stale dims lines until newer ones arrive.
func stale(p *draw.Pen, lines []string) {
	for i, l := range lines {
		lines[i] = p.Stale.On(ansi.Strip(l))
	}
}

// title is the chart's name; of an entry's chart with the entry, for it may be
// another than the selected one.
func (c *chartPane) title(kind ChartKind, room int) string {
	d, title := &c.home.drawn, kind.Title
	if d.Of.kind == c.home.chart && d.Answer.err == nil && d.Answer.chart.Title != "" {
		title = text.Clean(d.Answer.chart.Title)
		if kind.Entry {
			return c.widest(room, kind.Title+" · "+title, kind.Name+" · "+title, title)
		}
	}
	short, _, _ := strings.Cut(title, ",")
	return c.widest(room, title, short, kind.Name)
}

// widest is the longest of some wordings that fits, as this terminal spells them.
func (c *chartPane) widest(room int, wordings ...string) string {
	for i, s := range wordings {
		wordings[i] = c.Pen.Spell(s)
	}
	return kit.Widest(room, wordings...)
}

// foot is the reading under the crosshair, else what the chart says in words, with
// the keys at the end of the last line.
func (c *chartPane) foot(inner, h int) []string {
	p := c.Pen
	if h < 8 {
		return nil
	}
	if readings := c.plot.Readout(); len(readings) > 0 && !c.plot.ReadsBeside() && (inner < 100 || len(c.plot.Chart().Bars) == 0) {
		l := p.Line(inner)
		chart := c.plot.Chart()
		if len(chart.Bars) == 0 {
			l.Put(p.Accent, chart.X.Label+" "+report.Short(readings[0].X)).Skip(2)
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

// notes is what the chart says in words, on a few lines. Where not all of it fits,
// whole notes go from the end: half a note may end within a number.
func (c *chartPane) notes(inner, h int) []string {
	most := max(1, min(3, h/6))
	if len(c.plot.Chart().Bars) > 0 { // few bars leave the lines free
		most = max(most, min(3, h/4))
	}
	said := c.plot.Chart().Notes
	for {
		words := c.Pen.Wrap(strings.Join(said, " · "), inner)
		if len(words) <= most || len(said) <= 1 {
			return kit.AtMost(words, most, inner)
		}
		said = said[:len(said)-1]
	}
}

// hints writes the keys of the pane at the end of a line, as many as fit; with the
// keys here already the way to them goes without saying.
func (c *chartPane) hints(l *draw.Line, inner int) {
	crosshair, full := hintToCrosshair, hintFull
	if c.home.focus == layout.Chart {
		crosshair = hintCrosshair
	}
	if c.home.chartFull {
		full = hintBack
	}
	for _, hints := range [...][]kit.Binding{{crosshair, hintZoom, full}, {crosshair, full}, {full}} {
		if keys, w := c.Hints(60, hints...); l.Room() > w+1 {
			l.To(inner-w).Raw(keys, w)
			return
		}
	}
}

// The keys of the pane, as its foot names them.
var (
	hintToCrosshair, hintCrosshair = kit.Hint("tab ←→", "crosshair"), kit.Hint("←→", "crosshair")
	hintZoom                       = kit.Hint("z", "zoom")
	hintFull, hintBack             = kit.Hint("f", "full"), kit.Hint("f", "back")
)

func (c *chartPane) tabName(i int) string {
	k := c.home.charts[i]
	return k.Key + " " + k.Name
}

func (c *chartPane) tabs() *draw.Line {
	p := c.Pen
	l := p.Line(c.W)
	for i, k := range c.home.charts {
		if i > 0 {
			l.Skip(2)
		}
		if i == c.home.chart { // a glyph too: colour may be off
			l.Put(p.Accent, p.Glyphs.Select+c.tabName(i))
		} else {
			l.Put(p.Key, k.Key).Put(p.Muted, " "+k.Name)
		}
	}
	return l
}

// shortTabs are the names of tabs where the line is short.
var shortTabs = strings.NewReplacer("bounds", "all", "utility", "util", "attack", "atk")

// Tabs name what a digit shows where the chart shares its place, in a line of w cells; home
// is whether no other screen stands.
func (h *Home) Tabs(w int, home bool) string {
	p := h.Pen
	chart := home && h.Lay.Slots[layout.Chart].Visible()
	names := []string{"0 bounds"}
	for _, c := range h.charts {
		names = append(names, c.Key+" "+c.Name)
	}
	gap := 2
	if text.Width(strings.Join(names, "  "))+2 > w {
		gap = 1
		for i, n := range names {
			names[i] = shortTabs.Replace(n)
		}
	}
	l := p.Line(w).Skip(1)
	for i, n := range names {
		if i == 0 && home && h.Lay.Slots[layout.Bounds].Visible() || i > 0 && chart && i-1 == h.chart {
			l.Put(p.Accent, p.Glyphs.Select+n).Skip(gap)
			continue
		}
		l.Put(p.Key, n[:1]).Put(p.Muted, n[1:]).Skip(gap)
	}
	return l.String()
}
