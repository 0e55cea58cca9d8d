package home

import (
	"math"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
	"epsiloscope/tui/dialogs"
	"epsiloscope/tui/document"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/text"
)

// stackPane lists what is released, and each entry's share of the cost.
type stackPane struct {
	part
	top   int // first row shown
	cache kit.Cached[kit.Look]
}

func (s *stackPane) Keys() kit.Table { return kit.Table{Name: "Stack pane"} }

// HandleMouse selects with a click and scrolls with the wheel.
func (s *stackPane) HandleMouse(_, y int, m tea.MouseMsg) tea.Cmd {
	if by := kit.Wheel(m); by != 0 {
		s.Doc.Select(s.Doc.Cursor() + by)
	}
	head, _ := s.room()
	if row := s.top + y - 1 - head; m.Button == tea.MouseButtonLeft && y > head && row < len(s.Doc.Rows()) {
		if s.Doc.Cursor() == row {
			dialogs.EditEntry(s.Shell)
			return nil
		}
		s.Doc.Select(row)
	}
	return nil
}

// room is the height of the column titles (0 where the box is low) and how many
// rows fit.
func (s *stackPane) room() (head, rows int) {
	_, h := draw.Inner(s.W, s.H)
	switch {
	case s.home.Lay.Strip && s.H < 12: // the strip below carries the keys
		return 0, h
	case h < 6:
		return 0, max(0, h-1)
	}
	return 1, max(0, h-2)
}

func (s *stackPane) View(focused bool) []string {
	return s.cache.Get(s.Look(focused), func() []string { return s.draw(focused) })
}

func (s *stackPane) draw(focused bool) []string {
	p := s.Pen
	inner, h := draw.Inner(s.W, s.H)
	all := s.Doc.Rows()
	head, rows := s.room()
	cursor := s.Doc.Cursor()
	s.top = kit.Window(s.top, cursor, len(all), rows)
	c := stackColumns(s.Pen, inner, all[min(s.top, len(all)):min(s.top+rows, len(all))])
	var lines []string
	if len(all) == 0 {
		lines = s.empty(inner, h)
	} else {
		if head > 0 {
			lines = append(lines, c.head(p, inner))
		}
		for i := s.top; i < min(s.top+rows, len(all)); i++ {
			lines = append(lines, s.row(c, inner, i, all[i]))
		}
	}
	if h > head+rows {
		foot := s.home.stackKeys.Bindings
		if len(all) == 0 { // the others have nothing to act on
			foot = foot[:1]
		}
		lines = append(text.Fill(lines, inner, h-1), s.Foot(inner, foot...))
	}
	title := "Stack"
	if n := len(all); n > rows && rows > 0 {
		title += " " + report.Short(float64(s.top+1)) + "–" + report.Short(float64(min(s.top+rows, n))) + " of " + report.Short(float64(n))
	}
	if n := s.Doc.Marks(); n > 0 {
		title += " · " + report.Short(float64(n)) + " marked"
	}
	return p.Frame(draw.Frame{Title: title, Focus: focused}, lines, s.W, s.H)
}

// columns are the widths of the stack's columns. Label and parameters share what
// the others leave: where every label fits beside the widest parameters, both have
// a column, else each row divides it on its own, the parameters flush right.
type columns struct {
	title, body, params, count, bar int
	flush                           bool
}

// The least and the usual width of a share's bar, and of the share in per cent.
const (
	barLeast, barUsual = 3, 7
	shareWidth         = 5
)

// stackColumns gives mechanism and count what the rows shown need, and label and
// parameters the rest. Where that is too little, the bars give way.
func stackColumns(p *draw.Pen, inner int, rows []document.Row) columns {
	c := columns{count: 6, bar: barUsual, title: 9, params: 10}
	if inner < 70 {
		c.bar = 5
	}
	label, longest, count := 0, 0, 4 // longest of a label with its own parameters
	for _, r := range rows {
		title, l := stackTitle(r)
		params := text.Width(p.Spell(entryParams(r.Entry)))
		c.title = max(c.title, min(text.Width(text.Clean(title)), titleMost))
		c.params = max(c.params, params)
		label = max(label, text.Width(text.Clean(l)))
		longest = max(longest, text.Width(text.Clean(l))+1+params)
		count = max(count, min(c.count, 2+text.Width(report.Short(r.Entry.Count))))
	}
	rest := inner - 2 - c.title - 1 - c.count - 1 - c.bar - shareWidth // marker, gaps
	if longest > rest {
		rest += c.count - count + c.bar - barLeast
		c.count, c.bar = count, barLeast
	}
	if least := 14; rest < least { // a long name of a mechanism is cut before a number
		c.title = max(8, c.title-(least-rest))
		rest = inner - 2 - c.title - 1 - c.count - 1 - c.bar - shareWidth
	}
	c.body, c.params = max(0, rest), min(c.params, max(0, rest))
	c.flush = label+1+c.params > c.body
	return c
}

func (c columns) head(p *draw.Pen, inner int) string {
	l := p.Line(inner).Skip(2).Left(p.Muted, "mechanism", c.title).Skip(1)
	if c.flush {
		l.Right(p.Muted, "parameters", c.body)
	} else {
		l.Skip(c.body-c.params).Left(p.Muted, "parameters", c.params)
	}
	return l.Right(p.Muted, "×K", c.count).Skip(1).Left(p.Muted, kit.CutTo("share", c.bar+shareWidth), c.bar+shareWidth).String()
}

// labelled writes label and parameters; of the two the label is cut first.
func (c columns) labelled(l *draw.Line, p *draw.Pen, label, params string) *draw.Line {
	w := c.params
	if c.flush {
		w = min(text.Width(params), max(c.body*2/3, c.body-1-text.Width(text.Clean(label))))
	}
	return l.Left(p.Muted, label, max(0, c.body-1-w)).Skip(1).Left(p.Text, fewer(params, w), min(w, c.body))
}

// fewer leaves the last parameters out where not all fit: a number is shown whole
// or not at all.
func fewer(params string, w int) string {
	if text.Width(params) <= w {
		return params
	}
	words := strings.Fields(params) // symbol, value, symbol, value
	for len(words) > 2 && text.Width(strings.Join(words, " "))+2 > w {
		words = words[:len(words)-2]
	}
	return strings.Join(words, " ") + " …"
}

func (s *stackPane) row(c columns, inner, i int, row document.Row) string {
	p := s.Pen
	e := row.Entry
	l := p.Line(inner)
	ink, marker := p.Text, " "
	if s.Doc.Marked(i) {
		marker = p.Glyphs.Dot
	}
	if i == s.Doc.Cursor() {
		ink = p.Accent
		if marker == " " {
			marker = p.Glyphs.Select
		}
	}
	off := e.Disabled
	if off {
		ink = p.Stale
	}
	title, label := stackTitle(row)
	l.Left(p.Accent, marker, 2).Left(ink, title, c.title).Skip(1)
	c.labelled(l, p, label, p.Spell(entryParams(e)))
	count := "×" + report.Short(e.Count)
	if text.Width(count) > c.count {
		count = "×" + kit.Compact(e.Count)
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
	if i == s.Doc.Cursor() {
		barInk = p.Accent
	}
	if s.Pending {
		barInk = p.Stale
	}
	return l.Bar(barInk, share, c.bar).Right(p.Text, percent(share), shareWidth).String()
}

// share of the cost; entries inside a parallel block have none of their own.
func (s *stackPane) share(row document.Row) (float64, bool) {
	r := s.Full
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

// titleMost is the widest name of a mechanism in the stack.
const titleMost = 17

// stackTitle is the entry's title in few words: what a long name says in brackets
// or in its last word is left out.
func stackTitle(row document.Row) (title, label string) {
	title, label = entryTitle(row)
	if text.Width(title) > titleMost {
		if head, _, ok := strings.Cut(title, " ("); ok {
			return head, label
		}
		if i := strings.LastIndexByte(title, ' '); i > 0 {
			title = title[:i]
		}
	}
	return title, label
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
		label = report.Short(float64(len(e.Parallel))) + " branches"
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
	spec, ok := mechanisms.SpecOf(e.Mechanism, e.Values)
	if !ok {
		return ""
	}
	var parts []string
	for _, p := range spec.Params {
		if p.Type == param.Scores || p.Type == param.Points {
			if v, given := e.Values[p.Name]; given {
				parts = append(parts, "|O| "+report.Short(float64(len(v.Items))))
			}
			continue
		}
		if v, given := e.Values[p.Name]; given && p.Type == param.Choice && v.Text != p.Default.Text {
			parts = slices.Insert(parts, min(1, len(parts)), v.Text) // what comes later may not fit
		}
		if p.Type != param.Number && p.Type != param.Whole {
			continue
		}
		if x, ok := document.Number(e, p); ok && !(p.Default.Number == x && !p.Required && !p.Optional) {
			parts = append(parts, document.PlainSymbol(p)+" "+report.Short(x))
		}
	}
	if e.Sampling > 0 && e.Sampling < 1 {
		parts = append(parts, "q "+report.Short(e.Sampling))
	}
	return strings.Join(parts, " ")
}

// empty teaches the first step.
func (s *stackPane) empty(inner, h int) []string {
	p := s.Pen
	var out []string
	add := func(key, what string) {
		out = append(out, p.Line(inner).Skip(2).Left(p.Key, key, 9).Put(p.Text, what).String())
	}
	out = append(out, p.Line(inner).Put(p.Strong, "Nothing is released yet, so nothing is spent.").String())
	if h > 5 {
		out = append(out, text.Space(inner))
	}
	add("a c 100", "a hundred counts, with Laplace noise")
	add("a g", "sums or means, with Gaussian noise")
	add("a e", "the best of several candidates")
	add("o", "an example from the library")
	return out
}
