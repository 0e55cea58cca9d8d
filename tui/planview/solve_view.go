package planview

import (
	"fmt"
	"math"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/report"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
)

func (p *Screen) viewSolve(out *kit.Writer, inner, h int) {
	pen, s := out.Pen, p.Doc.Scenario()
	q, _ := p.currentQuestion()
	l := pen.Line(out.W).Put(pen.Muted, "Solve for ").Put(pen.Key, "‹ ")
	end, present := " ›", pen.Spell(nowText(s, q))
	l.Put(pen.Strong, q.name(pen, s, l.Room()-draw.Width(end)-draw.Width(present))).Put(pen.Key, end)
	out.Add(l.Put(pen.Muted, present))
	p.gap(out)
	now := p.solve.Answer
	if p.Refusal != nil {
		out.Refusal(p.Shell)
		return
	}
	if p.solve.Fresh() && p.solve.Err != nil {
		out.Prose(pen.Warn, p.solve.Err.Error())
		return
	}
	if len(now.all) == 0 || p.solve.Of.question != q { // what was solved of another entry is no answer here
		out.Prose(pen.Muted, "Solving …")
		return
	}
	defer out.Old(p.solve.Of.scenario != s)()
	from := len(out.Lines)
	best, answered := plan.Best(now.all), p.isAnswered()
	switch {
	case !answered: // in the line of the answer, so that nothing moves when it comes
		out.Prose(pen.Muted, "Solving …")
		p.gap(out)
	case best >= 0:
		p.answer(out, q, now.all[best])
		p.gap(out)
	case p.stuck():
		p.wayOut(out, q, s)
		p.gap(out)
	}
	columns := p.writeAnswers(out, q, inner, h)
	if columns.lost > 0 && h-len(out.Lines) > 2 {
		out.Prose(pen.Muted, lostMeaning)
	}
	p.forms(out)
	p.writeCurve(out, inner, from, h)
}

// answerColumns are the widths of the columns that a narrow table of answers leaves out: a small ε as a fraction, and
// what is given away.
type answerColumns struct{ fraction, lost int }

// writeAnswers writes the table of the answers by every theorem, as many as fit, and returns its columns.
func (p *Screen) writeAnswers(out *kit.Writer, q question, inner, h int) answerColumns {
	pen, all := out.Pen, p.solve.Answer.all
	c := answerColumns{fraction: 13, lost: 15}
	if out.W < 76 {
		c = answerColumns{}
	}
	limited := "ε"
	if heads := kit.HarmHeads[p.Doc.Scenario().Budget.Harm.Kind()]; heads != nil {
		limited = kit.Widest(7, heads...)
	}
	out.Add(pen.Line(out.W).Skip(4).Left(pen.Muted, "theorem", 14).Right(pen.Muted, "answer", 12).Skip(c.fraction).
		Right(pen.Muted, limited, 8).Right(pen.Muted, "±95 %", 10).
		Right(pen.Muted, kit.Widest(c.lost, lostHead, ""), c.lost))
	room := max(1, min(len(all), h-len(out.Lines)-p.lowCurveLines(q, inner)))
	first := kit.Window(0, p.row, len(all), room)
	for i := first; i < first+room; i++ {
		out.Add(p.answerRow(out, c, i))
	}
	if room < len(all) {
		p.place = fmt.Sprintf(", rows %d–%d of %d", first+1, first+room, len(all))
	}
	return c
}

// answerRow returns the row of an answer: its value, what the budget limits at it, the error that it leaves, and what
// is given away against the best answer once that is known.
func (p *Screen) answerRow(out *kit.Writer, c answerColumns, i int) *draw.Line {
	pen, now := out.Pen, p.solve.Answer
	r, best, answered := now.all[i], plan.Best(now.all), p.isAnswered()
	star := "  "
	if i == best && answered {
		star = pen.Glyphs.Star + " "
	}
	l, _ := pen.Row(out.W, i == p.row && !p.stuck())
	l.Put(pen.Winner, star).Left(pen.Text, kit.MethodName(accounting.Bound{Method: r.Method}), 14)
	if !r.Feasible {
		l.Put(pen.Muted, "– ")
		return l.Put(pen.Muted, kit.Clause(pen.Spell(report.InfeasibleReason(r)), l.Room()))
	}
	l.Right(pen.Strong, report.PlanValue(r), 12)
	if c.fraction > 0 {
		l.Skip(3).Left(pen.Muted, kit.Widest(c.fraction-3, smallFraction(r), ""), c.fraction-3)
	}
	reached := r.Achieved.Epsilon
	if r.Harm.Kind() != "" {
		reached = r.HarmAchieved
	}
	l.Right(pen.Text, whole(reached, 8), 8)
	off := "–"
	if i < len(now.errors) && !math.IsNaN(now.errors[i]) {
		off = "±" + whole(now.errors[i], 9)
	}
	l.Right(pen.Text, off, 10)
	if w := r.Waste(now.all[best]); answered && w > 5e-4 {
		l.Right(pen.Muted, kit.Widest(c.lost, report.Percent(w), ""), c.lost)
	}
	return l
}

// lostHead is the head of the column that compares every answer with the best one, and lostMeaning says what it is.
const (
	lostHead    = "given away"
	lostMeaning = "Given away: what it costs against the best one; 50 % is twice the noise."
)

// achievedText words what a plan comes to: the harm that the budget limits, or ε.
func achievedText(r plan.Result) string {
	if r.Harm.Kind() != "" {
		return report.HarmName(r.Harm) + " ≤ " + report.Upper(r.HarmAchieved)
	}
	return "ε = " + report.Upper(r.Achieved.Epsilon)
}

// answer writes the best of the answers in a sentence.
func (p *Screen) answer(out *kit.Writer, q question, r plan.Result) {
	pen := out.Pen
	l := pen.Line(out.W)
	number, does := strings.Replace(q.unknown(p.Doc.Scenario()).answer, "%", report.PlanValue(r), 1), " meets the budget"
	if strings.HasSuffix(number, "s") { // copies, rounds, steps
		does = " meet the budget"
	}
	if r.Value == 1 {
		does = " meets the budget"
		number = strings.NewReplacer("copies", "copy", "rounds", "round", "steps", "step").Replace(number)
	}
	if q.solve == "max_batch" { // its target is not the budget
		does = " adds less than 0.1 % to ε"
	}
	l.Put(pen.Winner, pen.Glyphs.Star+" "+number).Put(pen.Muted, does)
	if p.sensitivityIsOpen() {
		l.Put(pen.Warn, kit.Widest(l.Room(), " only if one changed record moves each answer by its default sensitivity: t answers", " if Δ holds under replace: t answers", " ?"))
		out.Add(l)
		return
	}
	l.Put(pen.Text, kit.Widest(l.Room(), ", by "+report.TheoremPhrase(r.Method), ", "+r.Method.Name(), ""))
	if offer := " puts the selected row into the stack"; l.Room() >= len("; enter")+len(offer) {
		l.Put(pen.Muted, "; ").Put(pen.Key, "enter").Put(pen.Muted, offer)
	}
	out.Add(l)
}

// sensitivityIsOpen reports whether an entry under replace does not say how far one changed record moves
// its answer: then nothing is known to meet a budget.
func (p *Screen) sensitivityIsOpen() bool { return len(p.Doc.Scenario().OpenSensitivities()) > 0 }

// wayOut names the changes that would make the scenario fit, where no value of the unknown does.
func (p *Screen) wayOut(out *kit.Writer, q question, s *scenarios.Scenario) {
	pen := out.Pen
	const meets = " meets the budget"
	l := pen.Line(out.W).Put(pen.Over, pen.Glyphs.Cross+" ")
	out.Add(l.Put(pen.Over, q.withEntry(pen, s, q.unknown(s).none, l.Room()-draw.Width(meets))+meets))
	list := p.solve.Answer.changes
	switch {
	case p.solve.Busy && list == nil:
		out.Prose(pen.Muted, "Looking for changes that would make it fit …")
	case len(list) > 0:
		out.Add(pen.Line(out.W).Put(pen.Text, "Any one of these would make the scenario fit; ").Put(pen.Key, "enter").Put(pen.Text, " makes the selected one:"))
		for i, c := range list {
			l, ink := pen.Row(out.W, i == p.row)
			out.Add(l.Put(ink, c.Says))
		}
	}
}

// forms writes the lectures' closed forms, each with its true cost.
func (p *Screen) forms(out *kit.Writer) {
	t := p.solve.Answer.forms
	if t == nil {
		return
	}
	pen := out.Pen
	p.gap(out)
	out.Add(pen.Line(out.W).Left(pen.Title, "Closed forms of the lectures", 41).Put(pen.Muted, "they cost, by their own theorem"))
	for _, c := range t.Rows {
		formula, _, _ := strings.Cut(c.Formula, ",")
		mark, ink := pen.Glyphs.Tick, pen.Good
		over, safe := t.ExceedsBudget(c)
		switch {
		case over:
			mark, ink = pen.Glyphs.OverMark, pen.Over
		case t.Open:
			mark, ink = "?", pen.Warn
		}
		l := pen.Line(out.W).Skip(2).Put(ink, mark+" ").Left(pen.Text, formula, 26)
		l.Left(pen.Strong, report.EntryValue(t.Field, c.Value), 11).
			Left(ink, whole(c.Cost, 7), 8)
		switch {
		case c.Waste > 5e-4:
			l.Put(pen.Muted, report.Percent(c.Waste)+" of "+report.EntryValue(t.Field, c.Allowed)+" lost")
		case c.Waste < -5e-4:
			l.Put(pen.Over, "over; "+report.EntryValue(t.Field, c.Allowed)+" is allowed")
		}
		if safe {
			l.Put(pen.Muted, fmt.Sprintf("; safe by %s: %s", c.LeastMethod, report.Upper(c.Least)))
		}
		out.Add(l)
	}
}

// whole returns a number rounded up to what a column has room for: a part of one is another.
func whole(x float64, room int) string {
	up := func(digits int) string { return report.Short(numeral.RoundUp(x, digits)) }
	return kit.Widest(room, report.Upper(x), up(3), up(2), up(1))
}

// smallFraction returns a small ε as people quote it, not above it.
func smallFraction(r plan.Result) string {
	if quoted := report.Fraction(r.Value); r.Solve == "epsilon" && quoted != "" {
		return "or " + quoted
	}
	return ""
}
