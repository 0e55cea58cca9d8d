package home

import (
	"cmp"
	"math"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/report"
	"epsiloscope/scenarios"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
)

// headline returns the best ε in large digits, the theorem that gives it, whether it
// fits, and what would still fit.
func (b *boundsPane) headline(inner int) []string {
	p, r := b.Pen, cmp.Or(b.Full, b.Result)
	large, ink := b.headlineNumber(r)
	digits, w := p.Large(ink, large)
	big := digits[:]
	if tall, wide := p.Larger(ink, large); b.Projector && wide+minNotes <= inner && b.H >= len(tall)+2 {
		big, w = tall, wide
	}
	notes := b.headlineNotes(r, inner-w-2)
	out := make([]string, len(big), len(big)+1)
	each := max(1, len(big)/len(notes))
	for i := range big {
		l := p.Line(inner).Raw(big[i], w).Skip(2)
		if i%each == 0 {
			l.Put(notes[i/each].ink, notes[i/each].text)
		}
		out[i] = l.String()
	}
	return append(out, draw.Space(inner))
}

// headlineNumber returns what is written in large digits: the best ε or, if the budget limits a harm, the least harm.
func (b *boundsPane) headlineNumber(r *scenarios.Result) (large string, ink draw.Ink) {
	p, best := b.Pen, r.BestBound()
	large, ink = "ε -", p.Muted
	if best.Finite() {
		large = "ε " + report.Upper(best.Epsilon)
		ink, _ = kit.Verdict(p, best, r.Target.Epsilon, r.IsOpen())
	}
	if r.Harm != nil { // what the budget limits is the answer, and ε stands beside it
		large = report.Upper(r.Harm.LeastUpper(r.Bounds))
		_, ink = b.harmVerdict(r)
	}
	switch {
	case !b.Doc.Scenario().Releases(): // nothing fits, and nothing is over
		ink = p.Muted
	case b.Pending:
		ink = p.Stale
	}
	return large, ink
}

// headlineNote holds a line beside the large digits.
type headlineNote struct {
	text string
	ink  draw.Ink
}

// headlineNotes returns the three lines beside the large digits, in the room that these leave.
func (b *boundsPane) headlineNotes(r *scenarios.Result, room int) (notes [3]headlineNote) {
	p, best := b.Pen, r.BestBound()
	switch {
	case !b.Doc.Scenario().Releases():
		notes[0] = headlineNote{"nothing is released yet", p.Muted}
		if budget := r.Target.Epsilon; budget > 0 {
			notes[1] = headlineNote{"the budget is " + report.FormatGiven(budget), p.Muted}
		}
		return notes
	case best.Finite():
		notes = b.boundNotes(r, best, room)
	default:
		notes[0] = headlineNote{"no theorem gives a finite ε here", p.Text}
		notes[1] = headlineNote{"the rows below say why", p.Muted}
		if r.Target.Delta == 0 {
			notes[2] = headlineNote{"most need a δ above 0: d, then =", p.Muted}
		}
	}
	if b.Pending { // the verdict on an old number is old, too
		for i := range notes {
			notes[i].ink = p.Stale
		}
	}
	return notes
}

// boundNotes returns the lines beside a finite ε: its theorem, whether it fits, and how many more of the selected entry
// would; beside a harm what it is, whether it fits, and the theorem.
func (b *boundsPane) boundNotes(r *scenarios.Result, best accounting.Bound, room int) (notes [3]headlineNote) {
	p, lines := b.Pen, bylines(best)
	if p.Glyphs.ASCII && r.Harm == nil { // the number beside it is plain text
		lines = lines[1:]
	}
	by := kit.Widest(room, lines...)
	verdict, ink := b.verdict(r, best, room)
	notes[1] = headlineNote{verdict, ink}
	if r.Harm != nil {
		name := report.HarmName(r.Harm.Limit)
		notes[0] = headlineNote{kit.Widest(room, name+", at most", name), p.Text}
		notes[2] = headlineNote{by, p.Muted}
		return notes
	}
	notes[0] = headlineNote{by, p.Text}
	notes[2] = headlineNote{b.leftLine(best, room), p.Muted}
	if _, stale, _ := b.home.LeftOf(best.Method); stale {
		notes[2].ink = p.Stale
	}
	return notes
}

// minNotes is the least room for the words beside digits of twice the size.
const minNotes = 30

// bylines name the theorem behind the best number, the longest wording first, which has the
// number itself: a number is never cut.
func bylines(b accounting.Bound) []string {
	upper, by := report.Upper(b.Epsilon), "by "+kit.MethodName(b)
	if b.Method == accounting.Numerical && b.Lower > 0 {
		certified := report.CertifiedEnds(b)
		forms := []string{"ε = " + upper + " numerical, " + certified, "numerical, " + certified, certified}
		if b.LowerByAttack() {
			forms = append(forms, "at least "+report.Lower(b.Lower)+" by an attack")
		}
		return append(forms, "numerical")
	}
	pure := ""
	if b.Delta == 0 {
		pure = ", with δ = 0"
	}
	return []string{"ε = " + upper + " " + by + pure, by + pure, by, kit.MethodName(b)}
}

// harmVerdict says whether the harm that the budget limits fits.
func (b *boundsPane) harmVerdict(r *scenarios.Result) (string, draw.Ink) {
	p, limit := b.Pen, report.FormatGiven(r.Harm.Limit.Limit())
	switch {
	case r.Harm.Fits(r.Bounds) && r.CostsAreAdaptive():
		return "may not be quoted", p.Warn
	case r.Harm.Fits(r.Bounds) && r.IsOpen():
		return "Δ under replace? t answers", p.Warn
	case r.Harm.Fits(r.Bounds):
		return p.Glyphs.Tick + " fits the budget of " + limit, p.Good
	}
	return p.Glyphs.Over + " the budget of " + limit, p.Over
}

// verdict says whether the best number fits, as fully as the room allows.
func (b *boundsPane) verdict(r *scenarios.Result, best accounting.Bound, room int) (string, draw.Ink) {
	p, budget := b.Pen, r.Target.Epsilon
	switch {
	case r.Harm != nil:
		return b.harmVerdict(r)
	case budget <= 0:
		return "no budget set: t sets one", p.Muted
	case report.Fits(best, budget) && b.Result.CostsAreAdaptive():
		return kit.Widest(room, "may not be quoted: costs were chosen after earlier answers", "may not be quoted: w says why", "may not be quoted"), p.Warn
	case report.Fits(best, budget) && b.Result.IsOpen():
		return kit.Widest(room, "does a changed record move it by 1 or by 2? t answers", "Δ under replace? t answers", "Δ?"), p.Warn
	case report.Fits(best, budget):
		return p.Glyphs.Tick + " fits the budget of " + report.FormatGiven(budget), p.Good
	}
	over := p.Glyphs.Over + " the budget of " + report.FormatGiven(budget)
	by := " by " + report.Upper(best.Epsilon-budget)
	return kit.Widest(room, over+by, p.Glyphs.Over+" budget "+report.FormatGiven(budget)+by, over, p.Glyphs.Over+" budget"), p.Over
}

// leftLine says how many more of the selected entry fit, by whichever theorem allows
// most: with more of them another may win than wins now.
func (b *boundsPane) leftLine(best accounting.Bound, room int) string {
	n, ok := b.home.mostLeft(best.Method)
	row, selected := b.Doc.SelectedRow()
	switch {
	case !ok || !selected:
		return ""
	case math.IsInf(n, 1):
		return kit.Widest(room, "it costs nothing: any number of copies fits", "any number of copies fits")
	}
	more := "no more"
	if n > 0 {
		more = numeral.Format(n) + " more"
	}
	label := "“" + draw.Cut(draw.Clean(row.Entry.Label), 30) + "”"
	this, short := more+" of this entry would fit", more+" would fit"
	switch {
	case row.Depth() > 0: // what is counted is the block around it
		return kit.Widest(room, more+" of the whole block would fit", more+" of the block fit", "")
	case label == "“”":
		return kit.Widest(room, this, short)
	case n == 0:
		return kit.Widest(room, more+" of "+label+" would fit", short)
	}
	return kit.Widest(room, more+" of "+label+" would fit", more+" "+label+" fit", this, short)
}

// briefBelow is the height under which large digits would leave no room for the
// theorems.
const briefBelow = 10

// brief returns the headline in one line: the best ε, its theorem, whether it fits.
func (b *boundsPane) brief(inner int) []string {
	p, r := b.Pen, cmp.Or(b.Full, b.Result)
	l := p.Line(inner).Skip(1)
	best := r.BestBound()
	if !best.Finite() {
		return []string{l.Put(p.Text, "no theorem gives a finite ε here").String()}
	}
	verdict, mark := b.verdict(r, best, inner)
	ink, _ := kit.Verdict(p, best, r.Target.Epsilon, r.IsOpen())
	if b.Pending { // the verdict on an old number is old, too
		ink, mark = p.Stale, p.Stale
	}
	answer := "ε = " + report.Upper(best.Epsilon)
	answers := []string{bylines(best)[0], answer + " by " + kit.MethodName(best), answer}
	if r.Harm != nil {
		least := report.Upper(r.Harm.LeastUpper(r.Bounds))
		limit := report.HarmName(r.Harm.Limit) + " ≤ " + least
		answers = []string{limit + ", " + answer, limit, "≤ " + least}
		if _, ink = b.harmVerdict(r); b.Pending {
			ink = p.Stale
		}
	}
	room := inner - 4 - draw.Width(verdict)
	l.Put(ink, kit.Widest(room, answers...))
	return []string{l.Skip(2).Put(mark, verdict).String()}
}
