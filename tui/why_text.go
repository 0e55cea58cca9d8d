package tui

import (
	"fmt"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
	"epsiloscope/tui/text"
)

// write sets the whole explanation in lines of the given width.
func (w *whyPane) write(inner int) []string {
	p := w.pen
	out := newWriter(p, min(inner, 112))
	w.sections = map[accounting.Method]int{}
	r := w.full
	if w.pending || r == nil {
		r = w.result
	}
	if r == nil {
		out.prose(p.Muted, "Nothing has been computed yet.")
		return pad(out.lines, inner)
	}
	out.prose(p.Text, "Every row is a theorem about the same stack. One that uses less of what is known about the mechanisms "+
		"gives a larger ε; none of them changes what is released.")
	out.gap()
	w.fits(out, r)
	for _, e := range report.Explain(r) {
		w.sections[e.Bound.Method] = len(out.lines)
		w.bound(out, r, e)
	}
	w.remarks(out, r)
	return pad(out.lines, inner)
}

// fits is the noise by which the selected entry would just meet the budget, by
// every theorem.
func (w *whyPane) fits(out *writer, r *scenarios.Result) {
	p, f := out.pen, w.found
	if len(f.rows) == 0 || f.doc != w.doc || f.version != w.doc.Version() {
		return
	}
	out.prose(p.Title, fmt.Sprintf("%s of “%s” is %s now. For the whole to meet the budget of %s it may be:",
		f.symbol, text.Cut(text.Clean(f.entry), 30), fraction(f.now), short(r.Target.Epsilon)))
	for _, row := range f.rows {
		l := p.Line(out.w).Skip(4).Left(p.Text, row.method, 15)
		if !row.feasible {
			out.add(l.Put(p.Muted, "the budget cannot be met by this entry alone"))
			continue
		}
		quoted := fraction(row.value)
		if quoted == report.Short(row.value) { // nothing shorter to quote
			quoted = ""
		}
		l.Left(p.Strong, f.symbol+" = "+report.Short(row.value), 18).Left(p.Muted, quoted, 12)
		if over := f.worse(row.value); over {
			l.Put(p.Over, widest(l.Room(), p.Glyphs.Cross+" what is set now is over by this theorem", p.Glyphs.Cross+" now over by this", p.Glyphs.Cross))
		} else {
			l.Put(p.Good, p.Glyphs.Tick)
		}
		out.add(l)
	}
	out.gap()
}

// fraction writes a small number as people quote it: 1/812.3.
func fraction(x float64) string {
	if x > 0 && x < 0.05 {
		return "1/" + report.Short(roundTo(1/x, 4))
	}
	return report.Short(x)
}

// bound writes one theorem.
func (w *whyPane) bound(out *writer, r *scenarios.Result, e report.Explanation) {
	p, b := out.pen, e.Bound
	l := p.Line(out.w).Left(p.Title, methodName(b), 16)
	switch {
	case b.Finite():
		ink := p.Strong
		if r.Best >= 0 && r.Bounds[r.Best].Method == b.Method {
			ink = p.Winner
		}
		l.Put(ink, "ε = "+report.Upper(b.Epsilon)).Put(p.Muted, "  at δ = "+short(b.Delta))
		if s := report.Slack(r, b); s > 0 {
			l.Put(p.Muted, widest(l.Room(), "  "+slackText(s)+" the certified lower end", "  "+slackText(s)))
		}
		if budget := r.Target.Epsilon; budget > 0 && !report.Fits(b, budget) {
			over := p.Glyphs.Cross + " over the budget of " + short(budget)
			l.Skip(2).Put(p.Over, widest(l.Room(), over, p.Glyphs.Cross+" over", p.Glyphs.Cross))
		}
	default:
		l.Put(p.Muted, map[accounting.Status]string{accounting.NotApplicable: "does not apply", accounting.Vacuous: "gives no finite ε"}[b.Status])
	}
	out.add(l)
	out.inset(4, p.Muted, b.Note)
	out.inset(4, p.Muted, theoremLine(e.Theorem))
	out.inset(4, p.Accent, e.Theorem.Formula)
	if b.Finite() {
		for _, s := range e.Steps {
			out.inset(4, p.Text, s)
		}
	}
	for _, c := range b.Conditions {
		mark, ink := p.Glyphs.Tick, p.Good
		if !c.Holds {
			mark, ink = p.Glyphs.Cross, p.Over
		}
		for i, s := range text.Wrap(text.Clean(c.Text), out.w-6) {
			if i > 0 {
				mark = " "
			}
			out.add(p.Line(out.w).Skip(4).Put(ink, mark+" ").Put(p.Text, s))
		}
	}
	if b.Method == accounting.Advanced {
		writeQuestions(out, r)
	}
	out.inset(4, p.Muted, e.Theorem.Slack)
	for _, s := range e.Slips {
		out.inset(4, p.Warn, s)
	}
	out.gap()
}

func theoremLine(t accounting.Theorem) string {
	switch {
	case t.Title == "":
		return ""
	case t.Authors == "":
		return t.Title
	}
	return fmt.Sprintf("%s. %s %d: %s", t.Title, t.Authors, t.Year, t.Source)
}

func (w *whyPane) remarks(out *writer, r *scenarios.Result) {
	p := out.pen
	if len(r.Lints) > 0 {
		out.add(p.Line(out.w).Put(p.Warn, "Remarks on this scenario"))
		for _, l := range r.Lints {
			out.bullet(lintText(l))
		}
		out.gap()
	}
	if notes := report.MechanismNotes(w.doc.Scenario()); len(notes) > 0 {
		out.add(p.Line(out.w).Put(p.Title, "On the mechanisms"))
		for _, n := range notes {
			out.bullet(n)
		}
	}
}

func lintText(l scenarios.Lint) string {
	if l.Entry > 0 {
		return fmt.Sprintf("entry %d: %s", l.Entry, l.Text)
	}
	return l.Text
}
