package reading

import (
	"context"
	"fmt"
	"math"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
	"epsiloscope/tui/dialogs"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/text"
)

// Person says what the release means for somebody in the data, and what its
// users will see of the noise.
type Person struct {
	reading
	priors []float64 // beside the usual ones
	person *report.Person
	errors []report.AccuracyRow
}

// NewPerson makes the screen.
func NewPerson(s *kit.Shell) *Person { return &Person{reading: newReading(s)} }

func (p *Person) Keys() kit.Table {
	return p.table("Person screen", kit.Bind("r", "prior", "Type a suspicion to start from: 1/50", p.openPrior))
}

// openPrior asks for a suspicion of the user's own.
func (p *Person) openPrior() tea.Cmd {
	prior := param.Param{Name: "prior", OpenMin: true, Max: 1, OpenMax: true}
	return dialogs.AskNumber(p.Shell, "A suspicion before the release", "a number between 0 and 1: 0.02, 1/50", prior, func(x float64) tea.Cmd {
		p.priors = []float64{x}
		return nil
	})
}

// Refresh works the figures out once the result is final.
func (p *Person) Refresh() tea.Cmd {
	priors := append(append([]float64{}, report.Priors...), p.priors...)
	return p.refresh(fmt.Sprint(priors), func(ctx context.Context, s *scenarios.Scenario, r *scenarios.Result) (func(), error) {
		person, err := report.NewPerson(ctx, s, r, priors...)
		rows := report.AccuracyOf(s)
		return func() { p.person, p.errors = person, rows }, err
	})
}

func (p *Person) View(focused bool) []string {
	return p.show("What it means for a person", focused, len(p.priors), p.write, kit.Hint("r", "another suspicion"))
}

func (p *Person) write(out *kit.Writer) {
	pen, who := out.Pen, p.person
	l := pen.Line(out.W).Put(pen.Strong, "ε = "+report.Upper(who.Epsilon)).Put(pen.Muted, " at δ = "+report.Short(who.Delta)+", for ").Put(pen.Text, report.OneUnit(who.Unit))
	out.Add(l.Put(pen.Muted, kit.Widest(l.Room(), ", by "+report.By(who.Method), ", "+who.Method.Name(), "")))
	out.Gap()
	p.beliefs(out)
	p.attack(out)
	p.ruler(out)
	p.accuracy(out)
}

// barWidth is the room of a bar from 0 to 100 %, beside two columns of figures.
func barWidth(w int) int { return max(0, min(40, w-36)) }

// scale heads the bars: what the columns and the ends of the bars mean.
func (p *Person) scale(out *kit.Writer, before, after string) {
	pen := out.Pen
	l := pen.Line(out.W).Skip(2).Right(pen.Accent, before, 14).Right(pen.Warn, after, 16).Skip(3) // in the inks of the bars
	if w := barWidth(out.W); w >= 20 {
		l.Left(pen.Muted, "0", w/2-1).Left(pen.Muted, "50 %", w-w/2-4).Put(pen.Muted, "100 %")
	}
	out.Add(l)
}

// bar is a chance before, and the most it can become.
func (p *Person) bar(out *kit.Writer, before, after float64) {
	pen, w := out.Pen, barWidth(out.W)
	l := pen.Line(out.W).Skip(2).Right(pen.Text, report.Chance(before), 14).Right(pen.Strong, report.Chance(after), 16).Skip(3)
	from, to := int(math.Round(before*float64(w))), int(math.Round(after*float64(w)))
	out.Add(l.Put(pen.Accent, strings.Repeat(pen.Glyphs.SliderFill, from)).
		Put(pen.Warn, strings.Repeat(pen.Glyphs.SliderRest, max(0, to-from))))
}

func (p *Person) beliefs(out *kit.Writer) {
	pen := out.Pen
	out.Add(pen.Line(out.W).Put(pen.Title, "How far a suspicion about somebody can grow"))
	p.scale(out, "before", "at most after")
	for _, b := range p.person.Beliefs {
		p.bar(out, b.Prior, b.Most)
	}
	for _, s := range p.person.Lines() {
		out.Inset(2, pen.Muted, s)
	}
	out.Gap()
}

func (p *Person) attack(out *kit.Writer) {
	pen := out.Pen
	out.Add(pen.Line(out.W).Put(pen.Title, "The best test for "+p.person.Tested()))
	p.scale(out, "false alarms", "caught at most")
	for _, r := range p.person.Rates {
		p.bar(out, r.False, r.True)
	}
	out.Inset(2, pen.Muted, "From "+p.person.Curve+".")
	out.Gap()
}

func (p *Person) ruler(out *kit.Writer) {
	pen := out.Pen
	if len(p.person.Ruler) == 0 {
		out.Add(pen.Line(out.W).Put(pen.Title, "Among real deployments"))
		out.Inset(2, pen.Muted, "None in the library has this unit; figures for another unit are no yardstick.")
		out.Gap()
		return
	}
	out.Add(pen.Line(out.W).Put(pen.Title, "Among deployments with the same unit, as reported"))
	shown := false
	mark := func() {
		shown = true
		out.Add(pen.Line(out.W).Put(pen.Accent, pen.Glyphs.Select+" ").Figure(pen.Strong, report.Upper(p.person.Epsilon), 8).Put(pen.Accent, "  this scenario"))
	}
	for _, d := range p.person.Ruler {
		if !shown && d.Epsilon > p.person.Epsilon {
			mark()
		}
		l := pen.Line(out.W).Skip(2).Figure(pen.Text, report.Short(d.Epsilon), 8).Put(pen.Muted, "  ").Left(pen.Text, d.Label(), 40)
		out.Add(l.Put(pen.Muted, " "+wholeClauses(d.Source, l.Room()-1)))
	}
	if !shown {
		mark()
	}
	out.Inset(2, pen.Muted, "Whether an ε is large or small depends on the unit, the δ and the data; we attach no label.")
	out.Gap()
}

func (p *Person) accuracy(out *kit.Writer) {
	pen := out.Pen
	if len(p.errors) == 0 {
		return
	}
	out.Add(pen.Line(out.W).Put(pen.Title, "What users of the answers will see, at 95 %"))
	for _, row := range p.errors {
		l := pen.Line(out.W).Skip(2).Left(pen.Text, text.Clean(row.What), 24).Skip(1)
		switch {
		case row.Reason != "":
			l.Put(pen.Muted, row.Reason)
		case row.Picks:
			l.Put(pen.Strong, "right "+report.Chance(row.Right)).Put(pen.Muted, ", expected loss "+report.Upper(row.Loss)+" in score")
		default:
			l.Put(pen.Strong, "±"+report.Upper(row.Accuracy.Each)).Put(pen.Muted, " each")
			if row.Answers > 1 {
				l.Put(pen.Muted, ", ±"+report.Upper(row.Accuracy.Joint)+" all "+report.Short(row.Answers)+" at once")
			}
			if row.Sampling > 0 {
				share := fmt.Sprintf("%s of n, sampling ±%s", report.Percent(row.Share), report.Percent(row.Sampling))
				if l.Room() < text.Width(share)+3 {
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

// wholeClauses leaves out what follows the last comma that fits, where not all does.
func wholeClauses(s string, w int) string {
	for text.Width(s) > w {
		i := strings.LastIndex(s, ", ")
		if i < 0 {
			return s
		}
		s = s[:i]
	}
	return s
}
