package reading

import (
	"fmt"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/report"
	"epsiloscope/scenarios"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
)

// write sets the whole explanation.
func (w *Why) write(out *kit.Writer) {
	p := out.Pen
	w.sections = map[accounting.Method]int{}
	r := w.Full
	if w.Pending || r == nil {
		r = w.Result
	}
	switch {
	case w.Refusal != nil:
		out.Refusal(w.Shell)
		return
	case r == nil:
		out.Prose(p.Muted, "Nothing has been computed yet.")
		return
	}
	if b := r.BestBound(); b.Finite() {
		ink, mark := kit.Verdict(p, b, r.Target.Epsilon, r.IsOpen())
		answer := "ε = " + report.Upper(b.Epsilon) + " at δ = " + report.FormatGiven(b.Delta) + ", by " + kit.MethodName(b)
		out.Prose(ink, strings.TrimSpace(answer+" "+mark))
	}
	out.Prose(p.Text, "Every row is a theorem about the same stack. One that uses less of what is known about the mechanisms "+
		"gives a larger ε; none of them changes what is released.")
	out.Gap()
	w.writeFits(out, r)
	for _, e := range report.Explain(r) {
		w.sections[e.Bound.Method] = len(out.Lines)
		w.bound(out, r, e)
	}
	w.notes(out, r)
}

// writeFits writes the noise by which the selected entry would just meet the budget, by every
// theorem.
func (w *Why) writeFits(out *kit.Writer, r *scenarios.Result) {
	p, f := out.Pen, w.fits.Answer
	if w.fits.Of != (fitsWant{w.Doc.Scenario(), w.Doc.Cursor()}) {
		return
	}
	now := report.Short(f.now) // as on the stack; a lecture says 1/800
	if quoted := report.Fraction(f.now); f.field == "epsilon" && quoted != "" {
		now += " (" + quoted + ")"
	}
	out.Prose(p.Title, fmt.Sprintf("%s of “%s” is %s now. For the whole to meet the budget of %s it may be:",
		f.symbol, draw.Cut(draw.Clean(f.entry), 30), now, report.FormatGiven(r.Target.Epsilon)))
	for _, row := range f.rows {
		l := p.Line(out.W).Skip(4).Left(p.Text, kit.MethodName(accounting.Bound{Method: row.Method}), 15)
		if !row.Feasible {
			out.Add(l.Put(p.Muted, "no "+f.symbol+" here meets the budget"))
			continue
		}
		value, quoted := report.PlanValue(row), ""
		if f.field == "epsilon" {
			quoted = report.Fraction(row.Value)
		}
		l.Left(p.Strong, f.symbol+" = "+value, 18).Left(p.Muted, quoted, 12)
		now, _ := r.Bound(row.Method)
		switch {
		case now.Status != accounting.Valid: // not computed yet
		case report.Fits(now, r.Target.Epsilon) && r.IsOpen():
			l.Put(p.Warn, "?")
		case report.Fits(now, r.Target.Epsilon):
			l.Put(p.Good, p.Glyphs.Tick)
		default:
			l.Put(p.Over, kit.Widest(l.Room(), p.Glyphs.OverMark+" over the budget now, by this theorem", p.Glyphs.OverMark+" over now", p.Glyphs.OverMark))
		}
		out.Add(l)
	}
	if w.fits.Busy {
		out.Add(p.Line(out.W).Skip(4).Put(p.Stale, "computing …"))
	}
	out.Gap()
}

// bound writes the claim of one theorem, what proves it, and the questions asked about it.
func (w *Why) bound(out *kit.Writer, r *scenarios.Result, e report.Explanation) {
	p, b := out.Pen, e.Bound
	l := p.Line(out.W).Left(p.Title, kit.MethodName(b), 16)
	epsilon, rest := report.BoundClaim(b)
	if !b.Finite() {
		l.Put(p.Muted, epsilon)
	} else {
		ink := p.Strong
		if r.BestBound().Method == b.Method {
			ink = p.Winner
		}
		l.Put(ink, epsilon).Put(p.Muted, "  "+rest)
		if s := report.Slack(r, b); s > 0 {
			slack := "  " + kit.SlackText(s)
			l.Put(p.Muted, kit.Widest(l.Room()-2-draw.Width(p.Glyphs.OverMark), slack+" the certified lower end", slack))
		}
		if budget := r.Target.Epsilon; budget > 0 && b.Status == accounting.Valid && !report.Fits(b, budget) {
			over := p.Glyphs.Over + " the budget of " + report.FormatGiven(budget)
			l.Skip(2).Put(p.Over, kit.Widest(l.Room(), over, p.Glyphs.Over, p.Glyphs.OverMark))
		}
	}
	out.Add(l)
	out.Inset(4, p.Text, e.Theorem.Title)
	out.Report(4, e.Lines())
	for _, q := range e.Questions {
		out.Inset(4, p.Accent, q.Ask)
		for _, a := range q.Answer {
			out.Inset(4, p.Text, a)
		}
	}
	out.Gap()
}

// notes writes the points of the review that are not settled, and the notes on entries and mechanisms.
func (w *Why) notes(out *kit.Writer, r *scenarios.Result) {
	p := out.Pen
	list := func(ink draw.Ink, title string, items []string) {
		if len(items) > 0 {
			out.Heading(ink, title)
		}
		for _, item := range items {
			out.Bullet(item)
		}
		if len(items) > 0 {
			out.Gap()
		}
	}
	if found, known := w.review(); known {
		list(p.Warn, "What the review asks", report.PointLines(found.Questions()))
	}
	var notes []string
	for _, n := range r.Notes {
		notes = append(notes, n.Subject()+": "+n.Text)
	}
	list(p.Title, "On the entries", notes)
	list(p.Title, "On the mechanisms", report.MechanismNotes(w.Doc.Scenario(), r))
}
