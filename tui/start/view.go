package start

import (
	"epsiloscope/scenarios/guide"
	"epsiloscope/scenarios/report"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/text"
)

// askWidth is the column of the questions.
const askWidth = 26

func (d *Dialog) View(w, h int) []string {
	w = min(w-2, 124)
	if w < 100 { // one above the other
		w = min(w, 80)
		rows := d.rows() + 3
		return append(d.left(w, min(rows, h-7)), d.right(w, min(11, h-min(rows, h-7)))...)
	}
	h = min(h-2, d.rows()+6)
	left := w * 54 / 100
	lines, right := d.left(left, h), d.right(w-left, h)
	for i := range lines {
		lines[i] += right[i]
	}
	return lines
}

// rows is how many questions are asked.
func (d *Dialog) rows() int {
	n := 0
	for _, q := range questions {
		if d.asked(q) != "" {
			n++
		}
	}
	return n
}

func (d *Dialog) left(w, h int) []string {
	p := d.Pen
	inner, room := draw.Inner(w, h)
	_, wrong, problem := d.wish()
	var lines []string
	for i, q := range questions {
		words := d.asked(q)
		if words == "" {
			continue
		}
		mark, ink := " ", p.Text
		if i == d.at {
			mark, ink = p.Glyphs.Select, p.Accent
		}
		l := p.Line(inner).Left(p.Accent, mark, 2).Left(ink, words, askWidth)
		switch {
		case q.choices != nil && i == d.at:
			l.Put(p.Accent, p.Glyphs.Left+" "+q.choices[d.choice[q.name]]+" "+p.Glyphs.Right)
		case q.choices != nil:
			l.Put(p.Strong, q.choices[d.choice[q.name]])
		default:
			if q.name == "exact" {
				l.Put(p.Muted, "± ")
			}
			kit.Field(l, p, *d.answer[q.name], max(1, min(24, l.Room())), i == d.at, d.fresh)
		}
		if q.name == wrong && l.Room() > 2 {
			l.Put(p.Over, p.Glyphs.Cross)
		}
		lines = append(lines, l.String())
	}
	help := kit.Wrapped(p, p.Muted, questions[d.at].help, inner)
	if problem != "" {
		help = kit.Wrapped(p, p.Over, d.asked(question{ask: askOf(wrong)})+" "+problem, inner)
	}
	if gap := room - len(lines) - len(help); gap > 0 {
		lines = append(lines, text.Space(inner))
	}
	return p.Frame(draw.Frame{Title: "A new plan", Focus: true}, text.Box(append(lines, help...), inner, room), w, h)
}

func askOf(name string) map[string]string {
	for _, q := range questions {
		if q.name == name {
			return q.ask
		}
	}
	return nil
}

func (d *Dialog) right(w, h int) []string {
	p := d.Pen
	inner, room := draw.Inner(w, h)
	out := kit.NewWriter(p, inner)
	wish, _, problem := d.wish()
	foot := p.Line(inner)
	if d.plan != nil {
		foot.Put(p.Key, "enter").Put(p.Muted, " accept  ")
	}
	foot.Put(p.Key, "tab").Put(p.Muted, " next  ").Put(p.Key, "ctrl+n").Put(p.Muted, " empty  ").Put(p.Key, "esc").Put(p.Muted, " leave")
	switch missing := wish.Missing(); {
	case problem != "":
		out.Prose(p.Muted, "waiting for an answer")
	case missing != "":
		out.Prose(p.Text, "Next: "+missing+".")
	case d.err != nil:
		out.Prose(p.Over, d.err.Error())
	case d.plan == nil:
		out.Prose(p.Muted, "computing …")
	default:
		d.sofar(out, d.plan, wish)
	}
	lines := append(text.Box(out.Lines, inner, max(0, room-1)), foot.String())
	return p.Frame(draw.Frame{Title: "So far"}, text.Box(lines, inner, room), w, h)
}

func (d *Dialog) sofar(out *kit.Writer, p *guide.Plan, w guide.Wish) {
	pen := out.Pen
	out.Prose(pen.Strong, p.Scenario.Stack[0].Describe())
	if r := p.Result; r.Best >= 0 {
		ink, mark := pen.Winner, pen.Glyphs.Tick
		if !p.Fits {
			ink, mark = pen.Over, pen.Glyphs.Cross
		}
		b := r.Bounds[r.Best]
		words := "ε = " + report.Upper(b.Epsilon) + " of " + report.Short(w.Epsilon) + " " + mark
		if p.Error > 0 && (w.Kind == guide.Counts || w.Kind == guide.Totals) {
			words += "   ±" + report.Upper(p.Error) + " at 95 %"
		}
		out.Prose(ink, words)
	}
	if !p.Fits {
		out.Prose(pen.Text, "Over the budget. Any one of these would fit:")
		for _, s := range p.Instead {
			out.Bullet(s)
		}
	}
	for _, s := range p.Chose {
		out.Bullet(s)
	}
}
