package labsview

import (
	"fmt"
	"slices"

	"github.com/charmbracelet/bubbles/progress"
	"github.com/muesli/termenv"

	"epsiloscope/report/chart"
	"epsiloscope/teach/labs"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
)

// split returns the width of the left column, and the height of the list in it.
func (l *Screen) split() (left, top int) {
	most, title := 0, 0
	for _, s := range l.labs {
		most, title = max(most, len(s.Params)), max(title, draw.Width(s.Title))
	}
	params := min(most+3, l.H/2)
	return max(20, min(title+8, max(l.W*40/100, l.W-72))), min(len(l.labs)+2, max(3, l.H-params))
}

func (l *Screen) View(bool) []string {
	if l.Projector {
		return l.large()
	}
	left, top := l.split()
	column := append(l.listBox(left, top), l.paramBox(left, l.H-top)...)
	h := l.H * 55 / 100
	return kit.JoinColumns(column, append(l.chartBox(l.W-left, h), l.textBox(l.W-left, l.H-h)...))
}

// first returns the first of n lines that a list of `rows` rows shows around its selected one.
func first(at, n, rows int) int { return max(0, min(at-rows/2, n-rows)) }

// list draws as many lines as have room, and says in the title which.
func (l *Screen) list(f draw.Frame, lines []string, at, w, h int) []string {
	_, room := draw.Inner(w, h)
	n, from := len(lines), first(at, len(lines), room)
	if room < n {
		f.Title += fmt.Sprintf(", %d–%d of %d", from+1, min(n, from+room), n)
	}
	return l.Pen.Frame(f, lines[from:], w, h)
}

func (l *Screen) listBox(w, h int) []string {
	p := l.Pen
	inner, _ := draw.Inner(w, h)
	var lines []string
	for i, s := range l.labs {
		line, ink := p.Row(inner, i == l.at)
		line.Put(ink, kit.WholeWords(p.Spell(s.Title), line.Room()))
		if tick := p.Glyphs.Tick; s.run != nil && line.Room() > draw.Width(tick) {
			line.FillTo(inner-draw.Width(tick)).Put(p.Good, tick)
		}
		lines = append(lines, line.String())
	}
	return l.list(draw.Frame{Title: "Labs", Focus: !l.turning}, lines, l.at, w, h)
}

func (l *Screen) paramBox(w, h int) []string {
	p, s := l.Pen, l.currentLab()
	inner, room := draw.Inner(w, h)
	var lines []string
	for i, q := range s.Params {
		line, ink := p.Row(inner, i == l.param)
		if !l.turning {
			ink = p.Text
		}
		value, used := labs.ValueText(s.values[q.Name]), ""
		if s.run != nil && !s.isStale() && s.run.UsedValue(q.Name) != value { // 0 for the example's own
			used = " here " + s.run.UsedValue(q.Name)
		}
		line.Put(ink, q.Name)
		line.FillTo(max(line.Column()+1, inner-draw.Width(value+used))).Put(p.Strong, value).Put(p.Muted, used)
		lines = append(lines, line.String())
	}
	seed := fmt.Sprint(s.seed)
	lines = append(lines, p.Line(inner).Skip(2).Put(p.Muted, "seed").FillTo(inner-len(seed)).Put(p.Muted, seed).String())
	frame := draw.Frame{Title: "Parameters", Focus: l.turning}
	if len(lines) < room {
		other := "parameters"
		if l.turning {
			other = "labs"
		}
		foot := l.Foot(inner, kit.Hint("tab", other), kit.Hint("←→", "turn"), kit.Hint("e", "type"))
		return p.Frame(frame, lines, w, h, foot)
	}
	return l.list(frame, lines, l.param, w, h)
}

// chartBox shows a chart of the run; what the lab is about before there is one.
func (l *Screen) chartBox(w, h int) []string {
	if l.isRunning() { // its bar moves with every message
		return l.drawChart(w, h)
	}
	lab, played := l.currentLab(), l.playback
	key := [...]any{w, h, l.Themes, l.at, lab.run, fmt.Sprint(lab.err), l.chart, played.at, played.on}
	return l.box.Get(key, func() []string { return l.drawChart(w, h) })
}

func (l *Screen) drawChart(w, h int) []string {
	p, s := l.Pen, l.currentLab()
	inner, room := draw.Inner(w, h)
	frame := draw.Frame{Title: s.Title}
	var lines []string
	if l.isRunning() {
		lines = append(lines, l.bar(inner))
	}
	switch {
	case s.err != nil:
		lines = append(lines, kit.WrapText(p, p.Over, s.err.Error(), inner)...)
	case s.run == nil:
		lines = append(lines, kit.WrapText(p, p.Text, s.Summary+".", inner)...)
		lines = append(lines, "", p.Line(inner).Put(p.Muted, s.Origin()+".").String(), "",
			l.Foot(inner, kit.Hint("enter", "run"), kit.Hint("tab", "parameters")))
	default:
		charts := s.run.Charts
		i := l.chart % len(charts)
		frame.Title = charts[i].Title
		switch {
		case l.playback.on:
			frame.Title = fmt.Sprintf("Step %d of %d", l.playback.at, l.playbackLength())
		case len(charts) > 1:
			frame.Note = p.Line(w).Put(p.Key, "c").Put(p.Muted, fmt.Sprintf(" chart %d of %d", i+1, len(charts)))
		}
		l.plot.SetChart(l.playedPart(charts[i]))
		lines = append(lines, l.plot.Draw(p, inner, max(1, room-len(lines)))...)
	}
	return p.Frame(frame, lines, w, h)
}

// playedPart returns the part of a chart that has been played.
func (l *Screen) playedPart(c chart.Chart) chart.Chart {
	switch {
	case !l.playback.on:
		return c
	case len(l.steps()) > 0:
		return stepChart(l.currentLab().run.Sequence, l.playback.at)
	}
	return leftPart(c, float64(l.playback.at)/frames)
}

// bar shows how much of the run is done.
func (l *Screen) bar(inner int) string {
	p := l.Pen
	const tail = "  esc stops it"
	room := max(10, min(60, inner-len(tail)))
	full, empty := '█', '░'
	if p.Glyphs.ASCII {
		full, empty = '#', '.'
	}
	// The ink of the theme colours it, so that it needs no colours of its own.
	b := progress.New(
		progress.WithWidth(room), progress.WithFillCharacters(full, empty), progress.WithColorProfile(termenv.Ascii))
	return p.Line(inner).Raw(p.Accent.Render(b.ViewAs(l.done)), room).Put(p.Muted, tail).String()
}

// textBox says what there is to see, with the numbers, the cost and the warning.
func (l *Screen) textBox(w, h int) []string {
	inner, room := draw.Inner(w, h)
	step, title := 0, "Result and cost"
	if l.playback.on && l.playback.at > 0 && len(l.steps()) > 0 {
		step, title = l.playback.at, "What happens"
	}
	key := [...]any{inner, room, l.Themes, l.at, l.currentLab().run, l.currentLab().isStale(), step}
	l.text.Fill(key, inner, room-1, func() []string {
		return l.Prose(inner, inner, func(out *kit.Writer) {
			if step == 0 {
				l.write(out)
			} else {
				l.writeStep(out, room-1)
			}
		})
	})
	frame := draw.Frame{Title: title}
	if l.text.Longer() && !l.playback.on {
		frame.Note = l.Pen.Line(w).Put(l.Pen.Key, "J K").Put(l.Pen.Muted, fmt.Sprintf(" %.0f %%", 100*l.text.ScrollPercent()))
	}
	return l.Pen.Frame(frame, l.text.Lines(), w, h, l.foot(inner))
}

// foot names the keys that fit: those of playing while it plays.
func (l *Screen) foot(inner int) string {
	s := l.currentLab()
	if l.playback.on {
		hints := []kit.Binding{kit.Hint("space", "play"), kit.Hint(". ,", "step"), kit.Hint("esc", "whole"), kit.Hint("v", "pace")}
		if l.playback.job.Busy {
			hints[0] = kit.Hint("space", "pause")
		}
		if len(l.steps()) > 0 && s.run.Sequence.Mark != "" {
			hints = slices.Insert(hints, 3, kit.Hint("n", "next paid"))
		}
		return l.Foot(inner, hints...)
	}
	hints := slices.DeleteFunc(l.Keys().Bindings, func(b kit.Binding) bool {
		switch b.Keys()[0] {
		case "c":
			return s.run == nil || len(s.run.Charts) < 2 // there is no other chart
		case "enter":
			return l.isRunning()
		case "a", " ":
			return s.run == nil
		}
		return false
	})
	if l.job.Busy {
		return l.Foot(inner, append([]kit.Binding{kit.Hint("esc", "stop")}, hints...)...)
	}
	return l.Foot(inner, append(hints, kit.Hint("esc", "back"))...)
}
