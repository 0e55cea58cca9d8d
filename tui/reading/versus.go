package reading

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/report"
	"epsiloscope/report/sheet"
	"epsiloscope/scenarios"
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
	return dialogs.Choose(v.Shell, "Compare with", "compare", v.Doc.Path, nil, nil, func(it dialogs.Item) tea.Cmd {
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

func writeVersus(out *kit.Writer, _ about, of *scenarios.Versus) {
	out.Report(0, report.VersusLines(of))
	if len(of.Changes) == 0 {
		out.Prose(out.Pen.Muted, "Nothing changed.")
	}
	out.Report(2, report.ChangeLines(of.Changes))
	out.Gap()
	out.Grid(0, sheet.VersusGrid(of, "ε before", "ε now"))
}
