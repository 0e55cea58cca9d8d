package labsview

import (
	"fmt"
	"math"

	"epsiloscope/accounting/numeral"
	"epsiloscope/report/chart"
	"epsiloscope/report/scale"
	"epsiloscope/teach/labs"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
)

// stepChart draws the steps up to number at: all of them, or those in its window.
func stepChart(q labs.Sequence, at int) chart.Chart {
	first, last := 1, frames
	if q.Window > 0 {
		first = max(1, at-q.Window+1)
		last = max(at, min(len(q.Steps), first+q.Window-1))
	} else { // the room doubles as it fills
		for last < at {
			last *= 2
		}
		last = min(last, len(q.Steps))
	}
	c := chart.Chart{
		Title: "Step by step", X: chart.Axis{Label: "step", Min: float64(first), Max: float64(max(last, first+1))},
	}
	for k := range q.CurveCount {
		s := chart.Series{Name: q.Columns[k]}
		for i := first; i <= last; i++ {
			s.X, s.Y = append(s.X, float64(i)), append(s.Y, q.Steps[i-1].Values[k])
		}
		c.Series = append(c.Series, s)
	}
	_, y := scale.Fit(c)
	c.Y.Min, c.Y.Max = y.Min, y.Max // the axis stands still while the curves grow
	for k := range c.Series {
		s, shown := &c.Series[k], max(0, min(at, last)-first+1)
		s.X, s.Y = s.X[:shown], s.Y[:shown]
	}
	for i := first; i <= at; i++ {
		if q.Steps[i-1].Marked {
			c.Marks = append(c.Marks, chart.Vertical(float64(i), ""))
		}
	}
	if q.Mark != "" {
		c.Notes = []string{"dashed: " + q.Mark}
	}
	return c
}

// writeStep says what the current step did, and below it lists the last steps, newest last.
func (l *Screen) writeStep(out *kit.Writer, rows int) {
	p, q, at := out.Pen, l.currentLab().run.Sequence, l.playback.at
	if at < 1 || at > len(q.Steps) {
		return
	}
	now := q.Steps[at-1]
	ink := p.Text
	if now.Marked {
		ink = p.Winner
	}
	out.Prose(ink, now.Says)
	room := rows - len(out.Lines) - 1
	from := max(0, at-max(1, room))
	number := max(4, len(fmt.Sprint(at)))
	head := p.Line(out.W).Right(p.Muted, "step", number)
	var widths []int // of the columns that fit
	for k, c := range q.Columns {
		w := draw.Width(p.Spell(c))
		for _, s := range q.Steps[from:at] {
			w = max(w, draw.Width(formatValue(s.Values[k])))
		}
		if head.Room() < w+2 {
			break
		}
		widths = append(widths, w+2)
		head.Right(p.Muted, p.Spell(c), w+2)
	}
	out.Add(head)
	for i := from; i < at; i++ {
		s, ink := q.Steps[i], p.Text
		switch {
		case i == at-1:
			ink = p.Strong
		case s.Marked:
			ink = p.Winner
		}
		line := p.Line(out.W).Right(ink, fmt.Sprint(i+1), number)
		for k, w := range widths {
			line.Right(ink, formatValue(s.Values[k]), w)
		}
		if s.Marked && line.Room() > 2 {
			line.Skip(1).Put(p.Winner, p.Glyphs.Select)
		}
		out.Add(line)
	}
}

// formatValue returns a value of a step; a gap where there is none.
func formatValue(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return labs.Number(v, numeral.ToNearest)
}
