package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/scenarios/report"
)

// copyAnswer sends the answer in one sentence.
func (a *App) copyAnswer() tea.Cmd {
	if a.result == nil || a.pending {
		a.say("still computing; try again in a moment")
		return nil
	}
	r := a.result
	s := report.Heading(r) + ": " + report.Answer(r)
	if v := report.Verdict(r); v != "" {
		s += "; " + v
	}
	return a.toClipboard(s, "the answer")
}

// copyTable sends the whole comparison as Markdown.
func (a *App) copyTable() tea.Cmd {
	if a.result == nil || a.pending {
		a.say("still computing; try again in a moment")
		return nil
	}
	var b strings.Builder
	if err := report.Markdown(&b, a.result); err != nil {
		a.complain(err)
		return nil
	}
	return a.toClipboard(b.String(), "the comparison")
}
