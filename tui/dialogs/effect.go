package dialogs

import (
	"context"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting"
	"epsiloscope/report"
	"epsiloscope/scenarios"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/jobs"
	"epsiloscope/tui/kit"
)

// weigh asks what the stack would cost with the form as it is, before it is applied. It shows
// the certified number that the screen will show, and nothing for a change without cost.
func (f *form) weigh() tea.Cmd {
	if !f.priced {
		return nil
	}
	var s *scenarios.Scenario
	if !slices.ContainsFunc(f.fields, func(x *formField) bool { return x.check() != "" }) {
		s, _ = f.made()
	}
	if s == nil || samePrice(s, f.Doc.Scenario()) {
		f.effect.Forget()
		return nil
	}
	account := f.Accountant
	return f.effect.Ask(f.Jobs, jobs.PauseRefine, s, func(ctx context.Context, tell func([]string, error)) {
		r, err := kit.EvaluateFully(ctx, account, s)
		switch {
		case err != nil && len(otherAdjacencies(s)) > 0:
			tell([]string{problemWords(err) + ". enter offers the adjacency with it."}, nil)
		case err != nil:
			tell([]string{problemWords(err)}, nil)
		case r != nil:
			tell([]string{"the stack would cost " + report.Answer(r), report.Verdict(r)}, nil)
		}
	})
}

// samePrice reports whether two scenarios are made of the same releases, at the same target.
func samePrice(a, b *scenarios.Scenario) bool {
	if a.Budget != b.Budget || a.Alpha != b.Alpha {
		return false
	}
	x, err1 := scenarios.Stack(a)
	y, err2 := scenarios.Stack(b)
	return err1 == nil && err2 == nil && slices.EqualFunc(x, y, func(p, q accounting.Entry) bool {
		return p.Count == q.Count && accounting.KeyOf(p.Release) == accounting.KeyOf(q.Release)
	})
}

// putEffect writes it under the fields.
func (f *form) putEffect(out *kit.Writer) {
	if f.effect.Asked != nil && !f.effect.Fresh() {
		out.Prose(out.Pen.Text, "computing what the stack would cost …")
		return
	}
	for i, l := range f.effect.Answer {
		ink := out.Pen.Text
		if i > 0 {
			ink = verdictInk(out.Pen, l)
		}
		if l != "" {
			out.Prose(ink, l)
		}
	}
}

// verdictInk returns the ink of a verdict in words.
func verdictInk(p *draw.Pen, verdict string) draw.Ink {
	if strings.HasPrefix(verdict, "over") {
		return p.Over
	}
	return p.Good
}
