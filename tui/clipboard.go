package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/scenarios/report"
	"epsiloscope/scenarios/report/sheet"
)

// copyAnswer sends the answer in one sentence.
func (a *App) copyAnswer() tea.Cmd {
	if a.Result == nil || a.Pending {
		a.Say("still computing; try again in a moment")
		return nil
	}
	r := a.Result
	s := report.Heading(r) + ": " + report.Answer(r)
	if v := report.Verdict(r); v != "" {
		s += "; " + v
	}
	return a.Copy(s, "the answer")
}

// copyTable sends the whole comparison as Markdown.
func (a *App) copyTable() tea.Cmd {
	if a.Result == nil || a.Pending {
		a.Say("still computing; try again in a moment")
		return nil
	}
	var b strings.Builder
	if err := sheet.Result(a.Result).Write(&b, "markdown"); err != nil {
		a.Complain(err)
		return nil
	}
	return a.Copy(b.String(), "the comparison")
}
