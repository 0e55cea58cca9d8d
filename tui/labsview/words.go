package labsview

import (
	"fmt"
	"math"
	"strings"

	"epsiloscope/mechanisms/param"
	"epsiloscope/report"
	"epsiloscope/teach/labs"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
)

func (l *Screen) write(out *kit.Writer) {
	p, s := l.Pen, l.currentLab()
	if s.run == nil {
		for _, q := range s.Params {
			out.Prose(p.Muted, q.Name+": "+q.Help+rangeOf(q))
		}
		return
	}
	run := s.run
	if s.isStale() {
		out.Prose(p.Warn, "This is the run before the parameters were changed.")
	}
	for _, t := range run.Says {
		out.Prose(p.Text, t)
	}
	writePrice(out, run)
	out.Gap()
	writeFigures(out, run.Figures)
	for _, t := range run.Tables {
		out.Gap()
		out.Prose(p.Title, t.Title)
		out.Grid(0, t.Grid())
	}
	out.Gap()
	out.Prose(p.Warn, labs.Warning)
}

// writePrice says what the run costs, or why no ε covers it, and what attacks on it reached.
func writePrice(out *kit.Writer, run *labs.Outcome) {
	p := out.Pen
	lines := run.PriceLines()
	first := len(lines) - len(run.Leaks) - 1 // the bound, or that there is no guarantee
	switch together := strings.Join(lines[:first], " and "); first {
	case 0:
	case 1:
		out.Prose(p.Muted, "The cost of "+together+":")
	default:
		out.Prose(p.Muted, "The cost of "+together+", together:")
	}
	if run.NoGuarantee != "" {
		out.Prose(p.Over, lines[first])
	} else {
		out.Prose(p.Strong, lines[first])
	}
	for _, attack := range lines[first+1:] {
		out.Prose(p.Muted, attack)
	}
}

// writeFigures sets the numbers below each other, what each means beside it where
// there is room, else below.
func writeFigures(out *kit.Writer, figures []labs.Figure) {
	p := out.Pen
	name := 0
	for _, f := range figures {
		name = max(name, draw.Width(f.Name))
	}
	name = min(name, out.W-12)
	for _, f := range figures {
		l := p.Line(out.W).Left(p.Text, f.Name, name).Right(p.Strong, f.Text(), 11)
		if l.Room() >= draw.Width(f.Note)+2 {
			out.Add(l.Skip(2).Put(p.Muted, f.Note))
			continue
		}
		out.Add(l)
		out.Inset(4, p.Muted, f.Note)
	}
}

// rangeOf returns the range of a parameter in brackets, or its choices.
func rangeOf(q param.Param) string {
	if q.Type == param.Choice {
		return " (" + strings.Join(q.Choices, ", ") + ")"
	}
	if math.IsInf(q.Max, 1) || math.IsInf(q.Min, -1) {
		return ""
	}
	return fmt.Sprintf(" (%s to %s)", report.Short(q.Min), report.Short(q.Max))
}

// large returns the lab for a projector: the chart, and below it what it says with one number
// large, the cost or what is left at the step that is played.
func (l *Screen) large() []string {
	p, s := l.Pen, l.currentLab()
	words := max(9, l.H/3)
	inner, room := draw.Inner(l.W, words)
	lines := l.Project(76, inner, room, l.writeLarge)
	box := p.Frame(draw.Frame{Title: s.Title}, draw.Box(lines, inner, room), l.W, words)
	return append(l.chartBox(l.W, l.H-words), box...)
}

func (l *Screen) writeLarge(out *kit.Writer) {
	p, s := out.Pen, l.currentLab()
	run := s.run
	switch {
	case run == nil:
		out.Prose(p.Strong, s.Summary+".")
	case l.playback.on && len(l.steps()) > 0 && l.playback.at > 0:
		now, columns := l.steps()[l.playback.at-1], run.Sequence.Columns
		last := len(columns) - 1
		out.Banner(p.Winner, formatValue(now.Values[last]), columns[last])
		out.Gap()
		out.Prose(p.Strong, now.Says)
	default:
		best := run.Cost.BestBound()
		switch {
		case run.NoGuarantee != "":
			out.Prose(p.Over, run.PriceLines()[0])
			out.Gap()
		case best.Finite():
			out.Banner(p.Strong, "ε = "+report.Upper(best.Epsilon), "what it costs")
			out.Gap()
		}
		for _, t := range run.Says {
			out.Prose(p.Strong, t)
		}
	}
}
