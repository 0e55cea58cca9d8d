package reading

import (
	"context"
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/report"
	"epsiloscope/report/sheet"
	"epsiloscope/tui/dialogs"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
)

// meaning is the meaning of the release for a person in the data, and the effect of the noise
// for users of the answers.
type meaning struct {
	*report.Person
	errors []report.AccuracyRow
}

// NewPerson says so, starting from the usual suspicions and one of the user's own.
func NewPerson(s *kit.Shell) kit.Pane {
	p := newPage[meaning](s, "Person screen", "What it means for a person")
	p.keys = []kit.Binding{kit.Action("person.suspicion", "r", "another suspicion", "Type a suspicion to start from: 1/50", func() tea.Cmd {
		return dialogs.Prompt{Title: "A suspicion before the release", Help: "a number between 0 and 1, or a percentage: 0.02, 2%, 1/50",
			Check: func(text string) (string, error) {
				x, err := report.ParsePrior(text)
				return "= " + report.StatedPercent(x), err
			},
			Done: func(text string) (cmd tea.Cmd, err error) {
				p.ask, err = report.ParsePrior(text)
				return nil, err
			}}.Open(s, "")
	})}
	p.work = func(ctx context.Context, of about) (meaning, error) {
		priors := slices.Clone(report.Priors)
		if x, given := of.ask.(float64); given {
			priors = append(priors, x)
		}
		person, err := report.NewPerson(ctx, of.scenario, of.result, priors...)
		return meaning{person, report.AccuracyOf(of.scenario)}, err
	}
	p.write = writePerson
	return p
}

func writePerson(out *kit.Writer, _ about, who meaning) {
	out.Sheet(sheet.Person(who.Person))
	out.Gap()
	accuracy(out, who.errors)
}

// accuracy says what the noise does to the answers.
func accuracy(out *kit.Writer, rows []report.AccuracyRow) {
	if len(rows) == 0 {
		return
	}
	pen := out.Pen
	out.Heading(pen.Title, "What users of the answers will see, at 95 %")
	for _, row := range rows {
		l := pen.Line(out.W).Skip(2).Left(pen.Text, draw.Clean(row.What), 24).Skip(1)
		switch {
		case row.Reason != "":
			l.Put(pen.Muted, row.Reason)
		case row.Picks:
			l.Put(pen.Strong, "right "+report.ChanceDown(row.Right)).Put(pen.Muted, ", expected loss "+report.Upper(row.Loss)+" in score")
		default:
			l.Put(pen.Strong, "±"+report.Upper(row.Accuracy.Each)).Put(pen.Muted, " each")
			if row.Answers > 1 {
				l.Put(pen.Muted, ", ±"+report.Upper(row.Accuracy.Joint)+" all "+report.Short(row.Answers)+" at once")
			}
			if row.Sampling > 0 {
				share := fmt.Sprintf("%s of n, sampling ±%s", report.Percent(row.Share), report.Percent(row.Sampling))
				if l.Room() < draw.Width(share)+3 {
					out.Add(l)
					l = pen.Line(out.W).Skip(27)
				} else {
					l.Put(pen.Muted, " · ")
				}
				l.Put(pen.Muted, share)
			}
		}
		out.Add(l)
	}
}
