package home

import (
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/scenarios/report"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/text"
)

// briefBelow is the height under which large digits would leave no room for the
// theorems.
const briefBelow = 10

// brief is the headline in one line: the best ε, its theorem, whether it fits.
func (b *boundsPane) brief(inner int) []string {
	p, r := b.Pen, b.Full
	if r == nil {
		r = b.Result
	}
	l := p.Line(inner).Skip(1)
	if r.Best < 0 {
		return []string{l.Put(p.Text, "no theorem gives a finite ε here").String()}
	}
	best := r.Bounds[r.Best]
	verdict, mark := b.verdict(r, best, inner)
	ink := p.Winner
	if b.Pending {
		ink = p.Stale
	}
	return []string{l.Put(ink, answerLine(best, inner-4-text.Width(verdict))).Skip(2).Put(mark, verdict).String()}
}

// answerLine is the best ε and its theorem as far as they fit, the ε in any case.
func answerLine(b accounting.Bound, room int) string {
	answer := "ε = " + report.Upper(b.Epsilon)
	if s := byLine(b, room); strings.HasPrefix(s, answer) {
		return s
	}
	return kit.Widest(room, answer+" by "+kit.MethodName(b), answer)
}
