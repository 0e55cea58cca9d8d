package reading

import (
	"cmp"
	"context"
	"errors"
	"math"
	"path/filepath"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
	"epsiloscope/tui/dialogs"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
)

// Versus sets the scenario beside another: what changed, and what it costs.
type Versus struct {
	*page[*scenarios.Versus]
	other *scenarios.Scenario // nil: the scenario as it was opened or saved
}

// NewVersus returns the screen, comparing with the scenario as it was opened.
func NewVersus(s *kit.Shell) *Versus {
	v := &Versus{page: newPage[*scenarios.Versus](s, "Comparison screen", "")}
	v.keys = []kit.Binding{
		kit.Bind("c enter", "against another", "Choose what to compare with: a file or a bundled name", v.openOther),
		kit.Bind("backspace", "", "Compare with the scenario as it was opened again", kit.NoCmd(func() { v.against(nil, "") })),
	}
	v.work, v.write = v.compare, writeVersus
	v.against(nil, "")
	return v
}

func (v *Versus) against(other *scenarios.Scenario, name string) {
	if v.other, v.title = other, "What changed since it was opened"; name != "" {
		v.title = "Compared with " + draw.Cut(draw.Clean(filepath.Base(name)), 40)
	}
}

// openOther lets a file or a bundled scenario be chosen and reads it.
func (v *Versus) openOther() tea.Cmd {
	return dialogs.Choose(v.Shell, "Compare with", "compare", v.Doc.Path, nil, func(it dialogs.Item) tea.Cmd {
		return v.Jobs.Do(func() (func() tea.Cmd, error) {
			s, err := dialogs.Load(it)
			return kit.NoCmd(func() { v.against(s, it.Name) }), err
		})
	})
}

// Refresh compares once the result is final.
func (v *Versus) Refresh() tea.Cmd {
	v.ask = cmp.Or(v.other, v.Doc.BaseState())
	return v.page.Refresh()
}

func (v *Versus) compare(ctx context.Context, of about) (*scenarios.Versus, error) {
	other := of.ask.(*scenarios.Scenario)
	if other == nil {
		return nil, errors.New("this scenario is new: there is nothing it was before. c compares it with another")
	}
	before, err := v.Accountant.Evaluate(ctx, other, scenarios.Options{})
	if err != nil {
		return nil, err
	}
	versus := scenarios.NewVersus(other, of.scenario, before, of.result)
	return versus, versus.AddHarm(ctx, other, of.scenario)
}

func writeVersus(out *kit.Writer, about about, of *scenarios.Versus) {
	p := out.Pen
	out.Report(0, report.VersusLines(of))
	if len(of.Changes) == 0 {
		out.Prose(p.Muted, "Nothing changed.")
	}
	entry := ""
	for _, c := range of.Changes {
		if c.Entry != entry {
			entry = c.Entry
			out.Add(p.Line(out.W).Put(p.Title, "entry "+c.Entry+" ").Put(p.Muted, c.What))
		}
		l := p.Line(out.W).Skip(2)
		switch {
		case c.Kind == scenarios.Added:
			l.Put(p.Good, "+ ").Put(p.Text, c.To)
		case c.Kind == scenarios.Removed:
			l.Put(p.Over, "− ").Put(p.Text, c.From)
		default:
			from, to := report.ChangeValues(c)
			l.Left(p.Muted, c.Field, 17).Put(p.Text, from).Put(p.Muted, " → ").Put(p.Strong, to)
		}
		out.Add(l)
	}
	out.Gap()
	out.Add(p.Line(out.W).Left(p.Muted, "bound", 17).Right(p.Muted, "before", 9).Right(p.Muted, "now", 12).Right(p.Muted, "difference", 15))
	for _, r := range of.Rows {
		d := r.Difference()
		l := p.Line(out.W).Left(p.Text, r.Method.Name(), 17)
		epsilon(l, p.Text, p.Muted, r.A).Skip(2)
		epsilon(l, p.Strong, p.Muted, r.B).Skip(4)
		switch {
		case math.IsNaN(d):
			l.Right(p.Muted, "–", 10)
		case d > 0:
			l.Figure(p.Over, "+"+report.Upper(d), 10)
		case d < 0:
			l.Figure(p.Good, "−"+report.Lower(-d), 10)
		default:
			l.Figure(p.Muted, "0", 10)
		}
		out.Add(l)
	}
}

// epsilon writes the figure of a bound in ten cells.
func epsilon(l *draw.Line, ink, none draw.Ink, b accounting.Bound) *draw.Line {
	if !b.Finite() {
		return l.Right(none, "n/a", 9).Skip(1)
	}
	if b.Status == accounting.Unproven { // no bound
		return l.Figure(none, "≈"+report.Upper(b.Epsilon), 10)
	}
	return l.Figure(ink, report.Upper(b.Epsilon), 10)
}
