package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/report"
	"epsiloscope/report/sheet"
	"epsiloscope/scenarios/review"
	"epsiloscope/tui/export"
	"epsiloscope/tui/kit"
)

// export offers what is shown as a file or on the clipboard.
func (a *App) export() { export.Open(a.Shell, a.subject()) }

// picture writes the chart that is shown.
func (a *App) picture(form string) tea.Cmd {
	of := a.subject()
	if of.Chart == nil {
		return a.Say("this screen has no chart; W writes its text and its numbers")
	}
	return export.Write(a.Shell, of, form)
}

// subject returns what the current screen has to export.
func (a *App) subject() export.Subject {
	of := export.Subject{}
	if g, ok := a.screens[a.screen].pane.(export.Giver); ok {
		of = g.Share()
	}
	if of.Stem == "" {
		of.Stem = a.screens[a.screen].name
	}
	if of.Title == "" {
		of.Title, _, _ = strings.Cut(a.screens[a.screen].title, ":")
	}
	if of.Text == "" {
		dialogs := a.Dialogs
		a.Dialogs = nil // the palette may cover what is meant
		of.Text = kit.Plain([]string{a.View()})
		a.Dialogs = dialogs
	}
	return of
}

// copyAnswer sends the answer in one sentence.
func (a *App) copyAnswer() tea.Cmd {
	if !a.RequireResult() {
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
	if !a.RequireResult() {
		return nil
	}
	var b strings.Builder
	var open []review.Point
	if found, known := a.home.Review(); known {
		open = found.Questions()
	}
	if err := sheet.Result(a.Result, open).Write(&b, "markdown"); err != nil {
		return a.Complain(err)
	}
	return a.Copy(b.String(), "the comparison")
}
