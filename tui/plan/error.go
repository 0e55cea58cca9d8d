package plan

import (
	"context"
	"errors"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
	"epsiloscope/scenarios/report"
	"epsiloscope/tui/dialogs"
	"epsiloscope/tui/kit"
)

// openError asks for the error an answer may have at 95 %. On the solving view it
// sets the entry's noise, and the other unknowns can be solved from there; on the
// dividing view it is a wish that decides the proportions.
func (p *Screen) openError() tea.Cmd {
	s := p.Doc.Scenario()
	entry := p.row + 1
	if p.view == 0 {
		q, _ := p.asked()
		entry = q.entry
	}
	if row, ok := p.Doc.Selected(); entry == 0 && ok {
		entry = row.Top() + 1
	}
	if p.view > 1 || entry < 1 || entry > len(s.Stack) {
		return nil
	}
	limits := param.Param{Name: "error", OpenMin: p.view == 0, Max: 1e300}
	help := "in units of the answer; the noise becomes the largest that stays within it"
	if p.view == 1 {
		help = "in units of the answer; 0 clears it"
	}
	return dialogs.AskNumber(p.Shell, "Error at 95 % for “"+report.EntryName(s.Stack[entry-1])+"”", help, limits, func(x float64) tea.Cmd {
		if p.view == 0 {
			return p.aimAt(s, entry, x)
		}
		if p.wishes[entry] = x; x == 0 {
			delete(p.wishes, entry)
		}
		return nil
	})
}

// aimAt searches the noise by command, as an error may take long to compute.
func (p *Screen) aimAt(s *scenarios.Scenario, entry int, most float64) tea.Cmd {
	return p.Jobs.Do(func() (func() tea.Cmd, error) {
		with, err := plan.WithError(context.Background(), s, entry, most, false)
		return kit.Just(func() {
			if p.Doc.Scenario() != s {
				p.Complain(errors.New("the scenario changed meanwhile; nothing was set"))
				return
			}
			p.Doc.Replace(with, "error", false)
			p.Say(fmt.Sprintf("%s, for an error of at most %s; u takes it back", noiseText(with.Stack[entry-1]), report.Short(most)))
		}), err
	})
}
