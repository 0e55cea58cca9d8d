package reading

import (
	"context"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
	"epsiloscope/scenarios/report/sheet"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/share"
)

// Statement is the paragraph and the fact sheet one may quote.
type Statement struct {
	reading
	format    int // index into report.StatementFormats
	statement *report.Statement
}

// NewStatement makes the screen.
func NewStatement(s *kit.Shell) *Statement { return &Statement{reading: newReading(s)} }

func (s *Statement) Keys() kit.Table {
	return s.table("Statement screen",
		kit.Bind("c enter", "copy", "Copy the statement in the format shown", s.copy),
		kit.Bind("f right l", "format", "Next format: text, Markdown, LaTeX, BibTeX, JSON", kit.Just(func() { s.turn(+1) })),
		kit.Bind("left h", "", "Previous format", kit.Just(func() { s.turn(-1) })),
	)
}

func (s *Statement) turn(by int) {
	n := len(report.StatementFormats)
	s.format = (s.format + by + n) % n
	s.text.GotoTop()
}

func (s *Statement) copy() tea.Cmd {
	if s.statement == nil || s.Pending || s.failure != nil {
		s.Say("still computing; try again in a moment")
		return nil
	}
	words, err := s.formatted()
	if err != nil {
		s.Complain(err)
		return nil
	}
	return s.Copy(words, "the statement as "+report.StatementFormats[s.format])
}

// formatted is the statement in the format shown.
func (s *Statement) formatted() (string, error) {
	var b strings.Builder
	err := sheet.Statement(s.statement).Write(&b, report.StatementFormats[s.format])
	return b.String(), err
}

// Share gives it.
func (s *Statement) Share() share.Subject {
	if s.statement != nil {
		if words, err := s.formatted(); err == nil {
			return share.Subject{Text: words}
		}
	}
	return s.reading.Share()
}

// Refresh writes the statement once the result is final.
func (s *Statement) Refresh() tea.Cmd {
	return s.refresh("", func(ctx context.Context, of *scenarios.Scenario, r *scenarios.Result) (func(), error) {
		st, err := report.NewStatement(ctx, of, r)
		return func() { s.statement = st }, err
	})
}

func (s *Statement) View(focused bool) []string {
	return s.show("What may be quoted: "+report.StatementFormats[s.format], focused, s.format, s.write, kit.Hint("c", "copy"), kit.Hint("f", "format"))
}

func (s *Statement) write(out *kit.Writer) {
	p, st := out.Pen, s.statement
	if s.format > 0 {
		words, err := s.formatted()
		if err != nil {
			out.Prose(p.Over, err.Error())
			return
		}
		for line := range strings.SplitSeq(strings.TrimRight(words, "\n"), "\n") {
			indent := len(line) - len(strings.TrimLeft(line, " "))
			for _, l := range out.Wrap(line, out.W-indent) {
				out.Add(p.Line(out.W).Skip(indent).Put(p.Text, l))
			}
		}
		return
	}
	out.Prose(p.Text, st.Paragraph)
	out.Gap()
	for _, f := range st.Facts {
		out.Hang(17, p.Text, f.Text, func(l *draw.Line) { l.Left(p.Title, f.Name, 17) })
	}
	list := func(title string, ink draw.Ink, items []string) {
		if len(items) == 0 {
			return
		}
		out.Gap()
		out.Add(p.Line(out.W).Put(ink, title))
		for _, item := range items {
			out.Bullet(item)
		}
	}
	list("Not covered", p.Title, st.NotCovered)
	list("Still to be answered", p.Warn, st.Open)
	out.Gap()
	for _, r := range st.References {
		out.Prose(p.Muted, "["+r.Key+"] "+r.Text)
	}
}
