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
	return kit.NewTable("Statement screen", append([]kit.Binding{
		kit.Bind("c enter", "copy", "Copy the statement in the format shown", s.copy),
		kit.Bind("f right l", "format", "Next format: text, Markdown, LaTeX, BibTeX, JSON", kit.Just(func() { s.turn(+1) })),
		kit.Bind("left h", "", "Previous format", kit.Just(func() { s.turn(-1) })),
	}, scrollKeys(&s.view)...)...)
}

func (s *Statement) HandleKey(msg tea.KeyMsg) (tea.Cmd, bool) { return kit.Dispatch(msg, s.Keys()) }

func (s *Statement) turn(by int) {
	n := len(report.StatementFormats)
	s.format = (s.format + by + n) % n
	s.view.GotoTop()
}

func (s *Statement) copy() tea.Cmd {
	if s.statement == nil || s.Pending || s.failure != nil {
		s.Say("still computing; try again in a moment")
		return nil
	}
	var b strings.Builder
	name := report.StatementFormats[s.format]
	if err := sheet.Statement(&b, s.statement, name); err != nil {
		s.Complain(err)
		return nil
	}
	return s.Copy(b.String(), "the statement as "+name)
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
		var b strings.Builder
		if err := sheet.Statement(&b, st, report.StatementFormats[s.format]); err != nil {
			out.Prose(p.Over, err.Error())
			return
		}
		for _, line := range strings.Split(strings.TrimRight(b.String(), "\n"), "\n") {
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
		for i, l := range out.Wrap(f.Text, out.W-17) {
			name := ""
			if i == 0 {
				name = f.Name
			}
			out.Add(p.Line(out.W).Left(p.Title, name, 17).Put(p.Text, l))
		}
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
