package reading

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/scenarios/report"
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
	p.keys = []kit.Binding{kit.Bind("r", "another suspicion", "Type a suspicion to start from: 1/50", func() tea.Cmd {
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
	pen := out.Pen
	l := pen.Line(out.W).Put(pen.Strong, "ε = "+report.Upper(who.Epsilon)).Put(pen.Muted, " at δ = "+report.FormatGiven(who.Delta)+", for ").Put(pen.Text, report.CoveredUnit(who.Unit, who.Rounds))
	out.Add(l.Put(pen.Muted, kit.Widest(l.Room(), ", by "+report.TheoremPhrase(who.Method), ", "+who.Method.Name(), "")))
	out.Gap()
	harm := who.HarmLines()
	out.Heading(pen.Title, "The best test for "+who.TestedFact())
	bars(out, "false positive", "found at most", who.Rates, func(r report.Rate) (float64, float64) { return r.False, r.True })
	for _, s := range harm {
		out.Inset(2, pen.Muted, s)
	}
	out.Inset(2, pen.Muted, "From "+who.Curve+".")
	if who.IsOneSided() {
		bars(out, "false negative", "cleared at most", who.Rates, func(r report.Rate) (float64, float64) { return r.False, r.Cleared })
		out.Inset(2, pen.Muted, "Found among members, cleared among others: clearing a person is another test, with bounds of its own.")
	}
	out.Gap()
	out.Heading(pen.Title, "How far a suspicion about a person can grow")
	bars(out, "before", "at most after", who.Beliefs, func(b report.Belief) (float64, float64) { return b.Prior, b.Most })
	for _, s := range who.Lines()[len(harm):] {
		out.Inset(2, pen.Muted, s)
	}
	out.Gap()
	ruler(out, who.Person)
	accuracy(out, who.errors)
}

// bars sets out chances before, and the most that each can become: two columns of figures, and
// a bar from 0 to 100 %.
func bars[T any](out *kit.Writer, before, after string, rows []T, of func(T) (before, after float64)) {
	pen, w := out.Pen, max(0, min(40, out.W-36))
	l := pen.Line(out.W).Skip(2).Right(pen.Accent, before, 14).Right(pen.Warn, after, 16).Skip(3) // in the inks of the bars
	if w >= 20 {
		l.Left(pen.Muted, "0", w/2-1).Left(pen.Muted, "50 %", w-w/2-4).Put(pen.Muted, "100 %")
	}
	out.Add(l)
	for _, row := range rows {
		before, after := of(row)
		from, to := int(math.Round(before*float64(w))), int(math.Round(after*float64(w)))
		out.Add(pen.Line(out.W).Skip(2).Right(pen.Text, report.StatedPercent(before), 14).Right(pen.Strong, report.Chance(after), 16).Skip(3).
			Put(pen.Accent, strings.Repeat(pen.Glyphs.SliderFill, from)).Put(pen.Warn, strings.Repeat(pen.Glyphs.SliderRest, max(0, to-from))))
	}
}

// ruler sets the scenario among deployments with the same unit.
func ruler(out *kit.Writer, who *report.Person) {
	pen := out.Pen
	defer out.Gap()
	if len(who.Ruler) == 0 {
		out.Heading(pen.Title, "Among real deployments")
		out.Inset(2, pen.Muted, "None in the library has this unit; values for another unit are no yardstick.")
		return
	}
	out.Heading(pen.Title, "Among deployments with the same unit, as reported")
	above := slices.IndexFunc(who.Ruler, func(d report.Deployment) bool { return d.Epsilon > who.Epsilon })
	if above < 0 {
		above = len(who.Ruler)
	}
	for i := range len(who.Ruler) + 1 {
		if i == above {
			out.Add(pen.Line(out.W).Put(pen.Accent, pen.Glyphs.Select+" ").Figure(pen.Strong, report.Upper(who.Epsilon), 8).Put(pen.Accent, "  this scenario"))
		}
		if i < len(who.Ruler) {
			d := who.Ruler[i]
			l := pen.Line(out.W).Skip(2).Figure(pen.Text, report.Short(d.Epsilon), 8).Put(pen.Muted, "  ").Left(pen.Text, d.Label(), 40)
			out.Add(l.Put(pen.Muted, " "+wholeClauses(d.Source, l.Room()-1)))
		}
	}
	out.Inset(2, pen.Muted, "Whether an ε is large or small depends on the unit, the δ and the data; we attach no label.")
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

// wholeClauses cuts s after the last clause that fits.
func wholeClauses(s string, w int) string {
	for draw.Width(s) > w {
		i := strings.LastIndex(s, ", ")
		if i < 0 {
			return s
		}
		s = s[:i]
	}
	return s
}
