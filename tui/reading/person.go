package reading

import (
	"context"
	"fmt"
	"math"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
	"epsiloscope/tui/dialogs"
	"epsiloscope/tui/draw"
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
	return kit.NewTable("Person screen", append([]kit.Binding{
		kit.Bind("r", "prior", "Type a suspicion to start from: 1/50", p.openPrior),
	}, scrollKeys(&p.view)...)...)
}

func (p *Person) HandleKey(msg tea.KeyMsg) (tea.Cmd, bool) { return kit.Dispatch(msg, p.Keys()) }

// openPrior asks for a suspicion of the user's own.
func (p *Person) openPrior() tea.Cmd {
	param := mechanisms.Param{Name: "prior", OpenMin: true, Max: 1, OpenMax: true}
	p.Push(&dialogs.Prompt{
		Shell: p.Shell, Title: "A suspicion before the release", Help: "a number between 0 and 1: 0.02, 1/50", Input: p.NewInput(""),
		Check: func(s string) (string, error) {
			if strings.TrimSpace(s) == "" {
				return "", nil
			}
			return dialogs.Meaning(param, s)
		},
		Done: func(s string) (tea.Cmd, error) {
			if _, err := dialogs.Meaning(param, s); err != nil {
				return nil, err
			}
			x, err := mechanisms.ParseNumber(s)
			p.priors = []float64{x}
			return nil, err
		},
	})
	return nil
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
	pen := p.Pen
	return p.show("What it means for a person", focused, len(p.priors), func(l *draw.Line) *draw.Line {
		return l.Put(pen.Key, "r").Put(pen.Muted, " another suspicion  ")
	}, p.write)
}

func (p *Person) write(out *kit.Writer) {
	pen, who := out.Pen, p.person
	out.Add(pen.Line(out.W).Put(pen.Strong, "ε = "+report.Upper(who.Epsilon)).Put(pen.Muted, " at δ = "+report.Short(who.Delta)+", for ").
		Put(pen.Text, report.OneUnit(who.Unit)).Put(pen.Muted, ", by "+kit.MethodName(boundNamed(who))))
	out.Gap()
	p.beliefs(out)
	p.attack(out)
	p.ruler(out)
	p.accuracy(out)
}

func (p *Person) beliefs(out *kit.Writer) {
	pen := out.Pen
	out.Add(pen.Line(out.W).Put(pen.Title, "How far a suspicion about somebody can grow"))
	for _, b := range p.person.Beliefs {
		l := pen.Line(out.W).Skip(2).Right(pen.Text, report.Odds(b.Prior), 16).Put(pen.Muted, "  → ").Left(pen.Strong, "at most "+report.Odds(b.Most), 26)
		width := max(0, min(30, l.Room()-2))
		before, after := int(math.Round(b.Prior*float64(width))), int(math.Round(b.Most*float64(width)))
		out.Add(l.Put(pen.Accent, strings.Repeat(string(pen.Glyphs.SliderFill), before)).
			Put(pen.Warn, strings.Repeat(string(pen.Glyphs.SliderRest), max(0, after-before))))
	}
	for _, s := range p.person.Lines() {
		out.Inset(2, pen.Muted, s)
	}
	out.Gap()
}

func (p *Person) attack(out *kit.Writer) {
	pen := out.Pen
	out.Add(pen.Line(out.W).Put(pen.Title, "The best test for "+p.person.Tested()))
	for _, r := range p.person.Rates {
		out.Add(pen.Line(out.W).Skip(2).Put(pen.Muted, "accusing ").Left(pen.Text, report.Odds(r.False), 11).Put(pen.Muted, " wrongly, it recognises at most ").
			Put(pen.Strong, report.Odds(r.True)))
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
	out.Inset(2, pen.Muted, "Whether an ε is large or small depends on the unit, the δ and the data; nobody’s label is attached here.")
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
			l.Put(pen.Strong, "right "+report.Odds(row.Right)).Put(pen.Muted, ", expected loss "+report.Upper(row.Loss)+" in score")
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
