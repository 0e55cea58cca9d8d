package reading

import (
	"cmp"
	"context"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/report"
	"epsiloscope/report/sheet"
	"epsiloscope/tui/export"
	"epsiloscope/tui/kit"
)

// Statement is the paragraph and the fact sheet one may quote.
type Statement struct{ *page[*report.Statement] } // look is an index into report.StatementFormats

// NewStatement returns the screen of the paragraph to quote and its facts.
func NewStatement(s *kit.Shell) *Statement {
	p := &Statement{newPage[*report.Statement](s, "Statement screen", "")}
	p.keys = []kit.Binding{
		kit.Action("statement.copy", "c enter", "copy", "Copy the statement in the format shown", p.copy),
		kit.Action("statement.next-format", "f right l", "format", "Next format: text, Markdown, LaTeX, BibTeX, JSON", kit.NoCmd(func() { p.turn(+1) })),
		kit.Action("statement.previous-format", "left h", "", "Previous format", kit.NoCmd(func() { p.turn(-1) })),
	}
	p.work = func(ctx context.Context, of about) (*report.Statement, error) {
		return report.NewStatement(ctx, of.scenario, of.result)
	}
	p.write = func(out *kit.Writer, _ about, st *report.Statement) { p.set(out, st) }
	p.turn(0)
	return p
}

func (s *Statement) turn(by int) {
	n := len(report.StatementFormats)
	s.look = (s.look + by + n) % n
	s.title = "What may be quoted: " + report.StatementFormats[s.look]
	s.Text.GotoTop()
}

func (s *Statement) copy() tea.Cmd {
	words, err := s.text()
	switch {
	case !s.RequireResult():
		return nil
	case !s.query.Fresh():
		return s.Say("still computing; try again in a moment")
	case cmp.Or(s.query.Err, err) != nil: // there is none, or not in this format
		return s.Complain(cmp.Or(s.query.Err, err))
	}
	return s.Copy(words, "the statement as "+report.StatementFormats[s.look])
}

// text returns the statement in the format shown; "" before there is one.
func (s *Statement) text() (string, error) {
	var b strings.Builder
	st := s.query.Answer
	if st == nil {
		return "", nil
	}
	err := sheet.Statement(st).Write(&b, report.StatementFormats[s.look])
	return b.String(), err
}

// Share gives the statement in the format shown; before there is one, what the screen says.
func (s *Statement) Share() export.Subject {
	if words, err := s.text(); words != "" && err == nil && s.Result != nil && !s.Pending && s.query.Fresh() {
		return export.Subject{Text: words}
	}
	return s.page.Share()
}

// set writes it in the format shown.
func (s *Statement) set(out *kit.Writer, st *report.Statement) {
	p := out.Pen
	if s.look > 0 {
		words, err := s.text()
		if err != nil {
			out.Prose(p.Over, err.Error())
			return
		}
		for line := range strings.SplitSeq(strings.TrimRight(words, "\n"), "\n") {
			indent := len(line) - len(strings.TrimLeft(line, " "))
			for _, l := range p.Wrap(line, out.W-indent) {
				out.Add(p.Line(out.W).Skip(indent).Put(p.Text, l))
			}
		}
		return
	}
	out.Statement(st)
}
