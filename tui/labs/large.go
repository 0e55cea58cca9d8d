package labs

import (
	"epsiloscope/scenarios/report"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/text"
)

// large is the lab for a projector: the chart, and below it what it says with one figure
// large, the cost or what is left at the step that is played.
func (l *Screen) large() []string {
	p, s := l.Pen, l.now()
	words := max(9, l.H/3)
	inner, room := draw.Inner(l.W, words)
	lines := l.Project(76, inner, room, l.writeLarge)
	box := p.Frame(draw.Frame{Title: s.Title}, text.Box(lines, inner, room), l.W, words)
	return append(l.chartBox(l.W, l.H-words), box...)
}

func (l *Screen) writeLarge(out *kit.Writer) {
	p, s := out.Pen, l.now()
	switch run := s.run; {
	case run.Outcome == nil:
		out.Prose(p.Strong, s.Summary+".")
	case l.reel.on && len(l.steps()) > 0 && l.reel.at > 0:
		now, columns := l.steps()[l.reel.at-1], run.Sequence.Columns
		last := len(columns) - 1
		out.Banner(p.Winner, figure(now.Values[last]), columns[last])
		out.Gap()
		out.Prose(p.Strong, now.Says)
	default:
		if c := run.Cost; c != nil && c.Best >= 0 {
			out.Banner(p.Winner, "ε = "+report.Upper(c.Bounds[c.Best].Epsilon), "what it costs")
			out.Gap()
		}
		for _, t := range run.Says {
			out.Prose(p.Strong, t)
		}
	}
}
