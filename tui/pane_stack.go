package tui

import (
	"math"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
	"epsiloscope/tui/document"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/text"
)

// stackPane lists what is released, and each entry's share of the cost.
type stackPane struct {
	base
	top   int // first row shown
	cache cached[look]
}

func (s *stackPane) Keys() Table { return Table{Name: "Stack pane"} }

func (s *stackPane) HandleKey(tea.KeyMsg) (tea.Cmd, bool) { return nil, false }

// HandleMouse selects with a click and scrolls with the wheel.
func (s *stackPane) HandleMouse(_, y int, m tea.MouseMsg) tea.Cmd {
	switch m.Button {
	case tea.MouseButtonWheelUp:
		s.a.doc.Select(s.a.doc.Cursor() - 1)
	case tea.MouseButtonWheelDown:
		s.a.doc.Select(s.a.doc.Cursor() + 1)
	case tea.MouseButtonLeft:
		head, _ := s.room()
		if row := s.top + y - 1 - head; y > head && row < len(s.a.doc.Rows()) {
			if s.a.doc.Cursor() == row {
				return s.a.openForm()
			}
			s.a.doc.Select(row)
		}
	}
	return nil
}

// room is the height of the column titles (0 where the box is low) and how many
// rows fit.
func (s *stackPane) room() (head, rows int) {
	_, h := draw.Inner(s.w, s.h)
	switch {
	case s.a.lay.Strip && s.h < 12: // the strip below carries the keys
		return 0, h
	case h < 6:
		return 0, max(0, h-1)
	}
	return 1, max(0, h-2)
}

func (s *stackPane) View(focused bool) []string {
	return s.cache.get(s.look(focused), func() []string { return s.draw(focused) })
}

func (s *stackPane) draw(focused bool) []string {
	p := s.a.pen
	inner, h := draw.Inner(s.w, s.h)
	all := s.a.doc.Rows()
	head, rows := s.room()
	cursor := s.a.doc.Cursor()
	s.top = max(0, min(s.top, len(all)-rows))
	if cursor < s.top {
		s.top = cursor
	}
	if cursor >= s.top+rows {
		s.top = cursor - rows + 1
	}
	c := stackColumns(inner, all[min(s.top, len(all)):min(s.top+rows, len(all))])
	var lines []string
	if len(all) == 0 {
		lines = s.empty(inner)
	} else {
		if head > 0 {
			lines = append(lines, c.head(p, inner))
		}
		for i := s.top; i < min(s.top+rows, len(all)); i++ {
			lines = append(lines, s.row(c, inner, i, all[i]))
		}
	}
	if h > head+rows {
		for len(lines) < h-1 {
			lines = append(lines, text.Space(inner))
		}
		foot := stackTable()
		if len(all) == 0 { // the others have nothing to act on
			foot.Bindings = foot.Bindings[:1]
		}
		lines = append(lines[:h-1], s.a.foot(inner, foot))
	}
	title := "Stack"
	if n := len(all); n > rows && rows > 0 {
		title += " " + short(float64(s.top+1)) + "–" + short(float64(min(s.top+rows, n))) + " of " + short(float64(n))
	}
	if n := s.a.doc.Marks(); n > 0 {
		title += " · " + short(float64(n)) + " marked"
	}
	return p.Frame(draw.Frame{Title: title, Focus: focused}, lines, s.w, s.h)
}

// columns are the widths of the stack's columns.
type columns struct{ title, label, params, count, bar int }

// stackColumns gives mechanism and parameters what the rows shown need, the label
// the rest.
func stackColumns(inner int, rows []document.Row) columns {
	c := columns{count: 6, bar: 7, title: 9, params: 10}
	if inner < 70 {
		c.bar = 5
	}
	for _, r := range rows {
		title, _ := entryTitle(r)
		c.title = max(c.title, min(text.Width(text.Clean(title)), 16))
		c.params = max(c.params, min(text.Width(entryParams(r.Entry)), 24))
	}
	rest := inner - 2 - c.count - 1 - c.bar - shareWidth - 2 // marker, gaps
	if over := c.title + c.params + 6 - rest; over > 0 {     // the label keeps six cells
		c.params = max(9, c.params-over)
	}
	c.title = min(c.title, max(8, rest-c.params-6))
	c.label = max(0, rest-c.title-c.params)
	return c
}

// shareWidth is the width of a share in per cent.
const shareWidth = 5

func (c columns) head(p *draw.Pen, inner int) string {
	return p.Line(inner).Skip(2).Left(p.Muted, "mechanism", c.title).Skip(1).Left(p.Muted, "", c.label).Skip(1).
		Left(p.Muted, "parameters", c.params).Right(p.Muted, "×K", c.count).Skip(1).Left(p.Muted, "share", c.bar+shareWidth).String()
}

func (s *stackPane) row(c columns, inner, i int, row document.Row) string {
	p := s.a.pen
	e := row.Entry
	l := p.Line(inner)
	ink, marker := p.Text, " "
	if s.a.doc.Marked(i) {
		marker = p.Glyphs.Dot
	}
	if i == s.a.doc.Cursor() {
		ink = p.Accent
		if marker == " " {
			marker = p.Glyphs.Select
		}
	}
	off := e.Disabled
	if off {
		ink = p.Stale
	}
	title, label := entryTitle(row)
	l.Left(p.Accent, marker, 2).Left(ink, title, c.title).Skip(1).Left(p.Muted, label, c.label).Skip(1)
	l.Left(p.Text, entryParams(e), c.params)
	count := "×" + short(e.Count)
	if text.Width(count) > c.count {
		count = "×" + compact(e.Count)
	}
	l.Right(p.Text, count, c.count).Skip(1)
	if off {
		return l.Left(p.Muted, "off", c.bar+shareWidth).String()
	}
	share, known := s.share(row)
	if !known {
		return l.String()
	}
	barInk := p.Muted
	if i == s.a.doc.Cursor() {
		barInk = p.Accent
	}
	if s.a.pending {
		barInk = p.Stale
	}
	return l.Bar(barInk, share, c.bar).Right(p.Text, percent(share), shareWidth).String()
}

// share of the cost; entries inside a parallel block have none of their own.
func (s *stackPane) share(row document.Row) (float64, bool) {
	r := s.a.full
	if r == nil || row.Depth() > 0 || row.Top() >= len(r.Entries) {
		return 0, false
	}
	return r.Entries[row.Top()].Share, true
}

// percent writes a share in three cells: "64%", "<1%".
func percent(share float64) string {
	if share > 0 && share < 0.005 {
		return "<1%"
	}
	return strconv.Itoa(int(math.Round(100*share))) + "%"
}

// compact writes a large count in five cells: 1.2e6, 25k.
func compact(x float64) string {
	if x >= 1e3 && x < 1e6 {
		return short(roundTo(x/1e3, 2)) + "k"
	}
	if s := short(roundTo(x, 2)); text.Width(s) <= 5 {
		return s
	}
	return short(roundTo(x, 1))
}

// entryTitle is the mechanism and the label of a row; branches are drawn as a tree.
func entryTitle(row document.Row) (title, label string) {
	e := row.Entry
	title = e.Mechanism
	if spec, ok := mechanisms.Lookup(e.Mechanism); ok {
		title = spec.Title
	}
	if row.Block() {
		title = "Parallel"
	}
	label = e.Label
	if row.Block() && label == "" {
		label = short(float64(len(e.Parallel))) + " branches"
	}
	if d := row.Depth(); d > 0 {
		tree := "  "
		if row.First {
			tree = "∥ "
		}
		title = strings.Repeat("  ", min(d, 4)-1) + tree + title
	}
	return title, label
}

// entryParams is what an entry was given, symbol and value, the main one first.
// What stands at its default is left out: the row is short.
func entryParams(e *scenarios.Entry) string {
	spec, ok := mechanisms.Lookup(e.Mechanism)
	if !ok {
		return ""
	}
	var parts []string
	for _, p := range spec.Params {
		if p.Type == mechanisms.Scores || p.Type == mechanisms.Points {
			if v, given := e.Values[p.Name]; given {
				parts = append(parts, "|O| "+short(float64(len(v.Items))))
			}
			continue
		}
		if p.Type != mechanisms.Number && p.Type != mechanisms.Whole {
			continue
		}
		if x, ok := document.Number(e, p); ok && !(p.Default.Number == x && !p.Required && !p.Optional) {
			parts = append(parts, plainSymbol(p)+" "+short(x))
		}
	}
	if e.Sampling > 0 && e.Sampling < 1 {
		parts = append(parts, "q "+short(e.Sampling))
	}
	return strings.Join(parts, " ")
}

// empty teaches the first step.
func (s *stackPane) empty(inner int) []string {
	p := s.a.pen
	var out []string
	add := func(key, what string) {
		out = append(out, p.Line(inner).Skip(2).Left(p.Key, key, 9).Put(p.Text, what).String())
	}
	out = append(out, p.Line(inner).Put(p.Strong, "Nothing is released yet, so nothing is spent.").String(), text.Space(inner))
	add("a c 100", "a hundred counts, with Laplace noise")
	add("a g", "sums or means, with Gaussian noise")
	add("a e", "the best of several candidates")
	add("o", "an example from the library")
	return out
}

// foot writes the keys of a table that belong at the foot of a pane.
func (a *App) foot(w int, t Table) string {
	p := a.pen
	l := p.Line(w)
	for _, b := range t.Bindings {
		if b.Foot == "" {
			continue
		}
		key, words := b.footing()
		if l.Room() < text.Width(key)+1+text.Width(words) {
			break
		}
		l.Put(p.Key, key).Put(p.Muted, " "+words).Skip(2)
	}
	return l.String()
}
