package reading

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/report"
	"epsiloscope/report/sheet"
	"epsiloscope/scenarios"
	"epsiloscope/tui/dialogs"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
)

// Versus sets the scenario beside others: what changed, and what it costs.
type Versus struct {
	*page[*scenarios.Versus]
	others []other // the first is the scenario as it was opened or saved
}

// other is a scenario to compare with.
type other struct {
	name string
	of   *scenarios.Scenario // nil: as it was opened
}

// NewVersus returns the screen, comparing with the scenario as it was opened.
func NewVersus(s *kit.Shell) *Versus {
	v := &Versus{page: newPage[*scenarios.Versus](s, "Comparison screen", ""), others: []other{{name: "as it was opened"}}}
	v.list = &list{title: "Compare with", pick: v.against, items: func() (items []kit.Item) {
		for _, o := range v.others {
			items = append(items, kit.Item{Text: draw.Clean(o.name)})
		}
		return items
	}}
	v.keys = append([]kit.Binding{
		kit.Action("versus.choose", "c enter", "against another", "Choose what to compare with: a file or a bundled name", v.openOther),
		kit.Action("versus.as-opened", "backspace", "", "Compare with the scenario as it was opened again", kit.NoCmd(func() { v.list.choose(0) })),
	}, v.list.keys("comparison")...)
	v.work, v.write = v.compare, v.writeText
	v.picture, v.asideTitle = writeVersusTable, "By every theorem"
	v.against(0)
	return v
}

// against compares with one of the list.
func (v *Versus) against(at int) {
	v.title = "What changed since it was opened"
	if at > 0 {
		v.title = "Compared with " + draw.Cut(draw.Clean(v.others[at].name), 40)
	}
}

// add compares with a scenario that was read; one of the same name is replaced.
func (v *Versus) add(s *scenarios.Scenario, name string) {
	name = filepath.Base(name)
	at := slices.IndexFunc(v.others[1:], func(o other) bool { return o.name == name }) + 1
	if at == 0 {
		v.others = append(v.others, other{})
		at = len(v.others) - 1
	}
	v.others[at] = other{name, s}
	v.list.choose(at)
}

// openOther lets a file or a bundled scenario be chosen and reads it.
func (v *Versus) openOther() tea.Cmd {
	return dialogs.Choose(v.Shell, "Compare with", "compare", v.Doc.Path, nil, nil, func(it dialogs.Item) tea.Cmd {
		return v.Jobs.Do(func() (func() tea.Cmd, error) {
			s, err := dialogs.Load(it)
			return kit.NoCmd(func() { v.add(s, it.Name) }), err
		})
	})
}

// Refresh compares once the result is final.
func (v *Versus) Refresh() tea.Cmd {
	v.ask = cmp.Or(v.others[v.list.at].of, v.Doc.BaseState())
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

func (v *Versus) writeText(out *kit.Writer, of about, says *scenarios.Versus) {
	out.Report(0, report.VersusLines(says))
	if len(says.Changes) == 0 {
		out.Prose(out.Pen.Muted, "Nothing changed.")
	}
	out.Report(2, report.ChangeLines(says.Changes))
	out.Gap()
	v.inline(out, of, says)
}

func writeVersusTable(out *kit.Writer, _ about, says *scenarios.Versus) {
	out.Grid(0, sheet.VersusGrid(says, "ε before", "ε now"))
}
