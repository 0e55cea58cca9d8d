package tui

import (
	"strings"

	"github.com/aymanbagabas/go-osc52/v2"
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

// toClipboard uses OSC 52, which a terminal may ignore without a word: the message
// claims no more than is known.
func (a *App) toClipboard(s, what string) tea.Cmd {
	a.say(what + " was sent to the terminal’s clipboard")
	out := a.out()
	return a.pool.command(func() tea.Msg {
		if _, err := osc52.New(s).WriteTo(out); err != nil {
			return failedMsg{err}
		}
		return nil
	})
}
