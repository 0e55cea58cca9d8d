package dialogs

import (
	"context"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
	"epsiloscope/tui/jobs"
	"epsiloscope/tui/kit"
)

// weigh asks what the stack would cost with the form as it stands, by the closed
// forms: the effect beside the cause, before anything is taken.
func (f *form) weigh() tea.Cmd {
	if f.trial == nil {
		return nil
	}
	var s *scenarios.Scenario
	if !slices.ContainsFunc(f.fields, func(x *formField) bool { return x.check() != "" }) {
		s = f.trial(f)
	}
	if s == nil {
		f.effect = nil
		return nil
	}
	account := f.Accountant
	return f.Jobs.Start(&f.job, jobs.PauseRefine, func(ctx context.Context, emit func(tea.Msg)) {
		r, err := account.Evaluate(ctx, s, scenarios.Options{Closed: true})
		if err != nil || ctx.Err() != nil {
			return
		}
		emit(previewMsg{text: []string{"the stack would cost " + report.Answer(r), report.Verdict(r)}})
	})
}

// Receive takes the answer.
func (f *form) Receive(msg tea.Msg) tea.Cmd {
	if m, ok := msg.(previewMsg); ok {
		f.effect = m.text
	}
	return nil
}

// putEffect writes it under the fields.
func (f *form) putEffect(out *kit.Writer) {
	for i, l := range f.effect {
		ink := out.Pen.Text
		if i > 0 {
			ink = out.Pen.Good
			if strings.HasPrefix(l, "over") {
				ink = out.Pen.Over
			}
		}
		if l != "" {
			out.Prose(ink, l)
		}
	}
}
