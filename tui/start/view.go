package start

import (
	"epsiloscope/report"
	"epsiloscope/teach/guide"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
)

// askWidth is the column of the questions.
const askWidth = 26

func (d *Dialog) View(w, h int) []string {
	w = min(w-2, 124)
	rows := len(d.rows())
	if w < 100 { // one above the other
		w = min(w, 80)
		high := min(rows+4, h-8) // the help of a question may take two lines
		return append(d.left(w, high), d.right(w, min(11, h-high))...)
	}
	left := w * 54 / 100
	inner, _ := draw.Inner(w-left, h)
	// Nothing of what is said at the right is cut if there is room.
	h = min(h-2, max(rows+6+2*(len(d.releases)-1), len(d.soFar(inner).Lines)+3))
	return kit.JoinColumns(d.left(left, h), d.right(w-left, h))
}

func (d *Dialog) left(w, h int) []string {
	p := d.Pen
	inner, room := draw.Inner(w, h)
	_, problem := d.wish()
	var lines []string
	here := 0
	for _, r := range d.rows() {
		if r == (row{d.on, d.at}) {
			here = len(lines)
		}
		lines = append(lines, d.line(inner, r, problem))
	}
	help := kit.WrapText(p, p.Muted, questions[d.at].help, inner)
	if problem != nil {
		q := questions[problem.at.question]
		help = kit.WrapText(p, p.Over, ask(q, d.releases[problem.at.release].kind())+" The answer "+problem.why, inner)
	}
	if most := room - len(help); len(lines) > most && most > 0 { // what is asked now is in sight
		first := max(0, min(here-most/2, len(lines)-most))
		lines = lines[first : first+most]
	} else if len(lines) < most {
		lines = append(lines, draw.Space(inner))
	}
	return p.Frame(draw.Frame{Title: "A new scenario", Focus: true}, append(lines, help...), w, h)
}

// line returns one question with its answer.
func (d *Dialog) line(inner int, r row, problem *wrong) string {
	p, q, a := d.Pen, questions[r.question], d.answersFor(r)
	words := ask(q, d.releases[r.release].kind())
	if q.name == "kind" && r.release > 0 {
		words = "And what else?"
	}
	focus := r == row{d.on, d.at}
	l, ink := p.Row(inner, focus)
	l.Left(ink, words, askWidth)
	switch {
	case q.choices != nil && focus:
		l.Put(p.Accent, p.Glyphs.Left+" "+a[q.name].Value()+" "+p.Glyphs.Right)
	case q.name == "kind" && r.release != d.on:
		l.Put(p.Strong, a.summary())
	case q.choices != nil:
		l.Put(p.Strong, a[q.name].Value())
	default:
		if q.name == "exact" {
			l.Put(p.Muted, "± ")
		}
		kit.Field(l, p, a[q.name].Input, max(1, min(24, l.Room())), focus, a[q.name].Fresh)
	}
	folded := q.name == "kind" && r.release != d.on // its answers are not shown
	if problem != nil && (problem.at == r || folded && problem.at.release == r.release) && l.Room() > 2 {
		l.Skip(1).Put(p.Over, p.Glyphs.Cross)
	}
	return l.String()
}

// summary returns a release whose questions are not shown.
func (a answers) summary() string {
	words := a.kind()
	if times := a["times"].Value(); times != "" && times != "1" && a.kind() != guide.Training {
		words += ", " + times + " times"
	}
	if exact := a["exact"].Value(); exact != "" && (a.kind() == guide.Counts || a.kind() == guide.Totals) {
		words += ", ±" + exact
	}
	return words
}

func (d *Dialog) right(w, h int) []string {
	p := d.Pen
	inner, room := draw.Inner(w, h)
	out := d.soFar(inner)
	var foot []kit.Binding
	if d.plan != nil || d.job.Busy && !d.want {
		foot = append(foot, kit.Hint("enter", "accept"))
	}
	foot = append(foot, kit.Hint("tab", "next"))
	if other := d.otherMechanism(); other != "" {
		foot = append(foot, kit.Hint("ctrl+t", other))
	}
	foot = append(foot, kit.Hint("ctrl+a", "one more"))
	if len(d.releases) > 1 {
		foot = append(foot, kit.Hint("ctrl+x", "drop"))
	} else if d.edited {
		foot = append(foot, kit.Hint("ctrl+x", "clear"))
	}
	foot = append(foot, kit.Hint("esc", "leave"), kit.Hint("ctrl+n", "empty scenario"))
	if most := max(0, room-1); len(out.Lines) > most && most > 0 {
		out.Lines = out.Lines[:most-1]
		out.Prose(p.Muted, p.Glyphs.Ellipsis)
	}
	lines := append(draw.Box(out.Lines, inner, max(0, room-1)), d.Foot(inner, foot...))
	return p.Frame(draw.Frame{Title: "So far"}, lines, w, h)
}

// soFar writes the plan, or what is missing for it.
func (d *Dialog) soFar(inner int) *kit.Writer {
	p, out := d.Pen, kit.NewWriter(d.Pen, inner)
	wish, problem := d.wish()
	if d.because != "" && d.plan == nil { // else the answer comes first
		out.Prose(p.Warn, d.because)
	}
	missing := wish.Missing()
	switch {
	case problem != nil:
		out.Prose(p.Muted, "waiting for an answer")
	case missing != "":
		out.Prose(p.Text, "Next: "+missing+".")
	case d.err != nil:
		out.Prose(p.Over, d.err.Error())
	case d.plan == nil:
		out.Prose(p.Muted, "computing …")
		if d.want {
			out.Prose(p.Text, "It will be accepted when it is ready; tab cancels that.")
		}
	default:
		d.writePlan(out, d.plan, wish)
	}
	return out
}

func (d *Dialog) writePlan(out *kit.Writer, p *guide.Proposal, w guide.Wish) {
	pen := out.Pen
	if b := p.Result.BestBound(); b.Finite() {
		ink, mark := kit.Verdict(pen, b, w.Epsilon, p.Result.IsOpen())
		out.Prose(ink, "ε = "+report.Upper(b.Epsilon)+" of "+report.FormatGiven(w.Epsilon)+" "+mark)
	}
	for i, e := range p.Scenario.Stack {
		words := e.Describe()
		if kind := w.Releases[i].Kind; p.Errors[i] > 0 && (kind == guide.Counts || kind == guide.Totals) {
			words += ", ±" + report.Upper(p.Errors[i]) + " at 95 %"
		}
		out.Prose(pen.Strong, words)
	}
	if !p.Fits {
		out.Prose(pen.Text, "Over the budget. Any one of these would fit:")
		for _, s := range p.Alternatives {
			out.Prose(pen.Text, "· "+s)
		}
		out.Prose(pen.Text, "As it is now:")
	}
	if d.because != "" {
		out.Prose(pen.Warn, d.because)
	}
	for _, s := range p.Choices {
		out.Bullet(s)
	}
}
