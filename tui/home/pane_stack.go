package home

import (
	"math"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/report"
	"epsiloscope/tui/dialogs"
	"epsiloscope/tui/document"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
)

// stackPane lists what is released, and each entry's share of the cost.
type stackPane struct {
	part
	top int // first row shown
}

// HandleMouse selects with a click and scrolls with the wheel.
func (s *stackPane) HandleMouse(_, y int, m tea.MouseMsg) tea.Cmd {
	if by := kit.Wheel(m); by != 0 {
		s.Doc.Select(s.Doc.Cursor() + by)
	}
	head, _ := s.heights()
	if row := s.top + y - 1 - head; m.Button == tea.MouseButtonLeft && y > head && row < len(s.Doc.Rows()) {
		if s.Doc.Cursor() == row {
			dialogs.EditEntry(s.Shell)
			return nil
		}
		s.Doc.Select(row)
	}
	return nil
}

// heights returns the height of the column titles (0 if the box is low) and how many rows fit.
func (s *stackPane) heights() (head, rows int) {
	_, h := draw.Inner(s.W, s.H)
	switch {
	case s.home.Lay.Strip && s.H < 12: // the strip below carries the keys
		return 0, h
	case h < 6 && len(s.Doc.Rows()) > h-2: // the entries need the row
		return 0, max(0, h-1)
	}
	return 1, max(0, h-2)
}

func (s *stackPane) View(focused bool) []string {
	p := s.Pen
	inner, h := draw.Inner(s.W, s.H)
	all := s.Doc.Rows()
	head, rows := s.heights()
	cursor := s.Doc.Cursor()
	s.top = kit.Window(s.top, cursor, len(all), rows)
	var shown []stackRow
	for _, r := range all[min(s.top, len(all)):min(s.top+rows, len(all))] {
		title, label := stackTitle(r)
		shown = append(shown, stackRow{r, title, label, p.Spell(entryParams(s.Doc.ScenarioFor(r), r.Entry))})
	}
	c := stackColumns(inner, shown)
	var lines []string
	if len(all) == 0 {
		lines = s.empty(inner, h)
	} else {
		if head > 0 {
			lines = append(lines, c.head(p, inner))
		}
		for i, r := range shown {
			lines = append(lines, s.row(c, inner, s.top+i, r))
		}
	}
	var foot []string
	if h > head+rows {
		foot = []string{s.Foot(inner, firstKeys(s.home.ActingBindings(s.home.stackKeys).Bindings)...)}
	}
	title := "Stack" + inSight(s.top, rows, len(all))
	if n := s.Doc.Marks(); n > 0 {
		title += " · " + report.Short(float64(n)) + " marked"
	}
	return s.DrawFrame(draw.Frame{Title: title, Focus: focused, Exact: true}, lines, foot...)
}

// The least and the usual width of a share's bar, and of the share in per cent.
const (
	barLeast, barUsual = 3, 7
	shareWidth         = 5
)

func (s *stackPane) row(c columns, inner, i int, row stackRow) string {
	p, e := s.Pen, row.Entry
	ink, bar, marker := p.Text, p.Muted, " "
	if i == s.Doc.Cursor() {
		ink, bar, marker = p.Accent, p.Accent, p.Glyphs.Select
	}
	if s.Doc.IsMarked(i) {
		marker = p.Glyphs.Dot
	}
	if e.Disabled {
		ink = p.Stale
	}
	l := p.Line(inner).Left(p.Accent, marker, 2).Left(ink, row.title, c.title).Skip(1)
	c.writeLabel(l, p, row.label, row.params)
	count := "×" + report.FormatGiven(e.Count)
	if draw.Width(count) >= c.count { // parameters may end where the column begins
		count = "×" + kit.CompactUp(e.Count)
	}
	l.Right(p.Text, count, c.count).Skip(1)
	if e.Disabled {
		return l.Left(p.Muted, "off", c.bar+shareWidth).String()
	}
	if share, known := s.share(row.Row); known {
		l.Bar(bar, share, c.bar).Right(p.Text, percent(share), shareWidth)
	}
	return l.String()
}

// share of the cost; entries inside a parallel block have none of their own.
func (s *stackPane) share(row document.Row) (float64, bool) {
	r := s.Result // shares come with the closed forms
	if r == nil || row.Depth() > 0 || row.Top() >= len(r.Entries) {
		return 0, false
	}
	return r.Entries[row.Top()].Share, true
}

// inSight says which of n rows are in sight, where not all are.
func inSight(top, rows, n int) string {
	if n <= rows || rows <= 0 {
		return ""
	}
	first, last, all := float64(top+1), float64(min(top+rows, n)), float64(n)
	return ", " + report.Short(first) + "–" + report.Short(last) + " of " + report.Short(all)
}

// percent writes a share in three cells: "64%", "<1%".
func percent(share float64) string {
	if share > 0 && share < 0.005 {
		return "<1%"
	}
	return strconv.Itoa(int(math.Round(100*share))) + "%"
}

// empty shows the first steps.
func (s *stackPane) empty(inner, h int) []string {
	p, out := s.Pen, kit.NewWriter(s.Pen, inner)
	out.Heading(p.Strong, "Nothing is released yet, so nothing is spent.")
	if h > 5 {
		out.Gap()
	}
	for _, step := range [][2]string{
		{"a c 100", "a hundred counts, with Laplace noise"}, {"a g", "sums or means, with Gaussian noise"},
		{"a e", "the best of several candidates"}, {"o", "an example from the library"},
	} {
		out.Add(p.Line(inner).Skip(2).Left(p.Key, step[0], 9).Put(p.Text, step[1]))
	}
	return out.Lines
}
