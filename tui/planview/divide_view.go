package planview

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms/param"
	"epsiloscope/report"
	"epsiloscope/scenarios"
	"epsiloscope/tui/document"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
)

func (p *Screen) viewDivide(out *kit.Writer, inner, room int) {
	pen, s, d := out.Pen, p.Doc.Scenario(), p.divide.Answer
	heading := kit.Widest(out.W-4-draw.Width(p.methodWord()), "Divide the budget among the unlocked entries, by ", "Divide among the unlocked entries, by ", "Divide by ")
	out.Add(pen.Line(out.W).Put(pen.Muted, heading).Put(pen.Key, "‹ ").Put(pen.Strong, p.methodWord()).Put(pen.Key, " ›"))
	out.Gap()
	switch {
	case p.divide.Err != nil:
		out.Prose(pen.Warn, p.divide.Err.Error())
		out.Gap()
	case p.divide.Known && !d.result.Feasible:
		out.Prose(pen.Over, report.Plain(d.result.Note))
		out.Gap()
	}
	defer out.Old(p.divide.Known && (!p.divide.Fresh() || p.divide.Of.scenario != s))()
	c := divideColumnsIn(inner)
	head := pen.Line(inner).Skip(4).Left(pen.Muted, "entry", c.entry).Right(pen.Muted, kit.Widest(c.weight, "weight", "w"), c.weight).Right(pen.Muted, "now", 11).
		Right(pen.Muted, kit.Widest(c.wrong, "±95 %", ""), c.wrong).Right(pen.Muted, "then", 12).Right(pen.Muted, "±95 %", 10)
	if c.share > 0 {
		head.Skip(3 + changeWidth)
		set := head.Left
		if c.share < 20 { // over numbers without bars
			set = head.Right
		}
		set(pen.Muted, kit.Widest(c.share-2, "share of the cost now", "share"), c.share-2).Skip(2)
		set(pen.Muted, "then", c.share-2)
	}
	out.Add(head)
	var after *scenarios.Scenario // nil where nothing fits
	if p.divide.Known && p.divide.Err == nil && d.result.Feasible && len(d.result.Scenario.Stack) == len(s.Stack) {
		after = d.result.Scenario
	}
	p.scroll(len(s.Stack), room-7)
	for i := p.top; i < min(len(s.Stack), p.top+max(1, room-7)); i++ {
		var will *scenarios.Entry
		if after != nil {
			will = &after.Stack[i]
		}
		out.Add(p.divideRow(pen.Line(inner), c, s.Stack[i], will, i))
	}
	if after != nil {
		out.Gap()
		if f := d.result.Factor; len(p.wishes) > 0 {
			out.Prose(pen.Text, wishText(f))
		}
		out.Prose(pen.Muted, fmt.Sprintf("%s by %s; %s.", achievedText(d.result.Result), report.TheoremPhrase(d.result.Method), d.result.Rule))
	}
}

// divideColumns are the widths of the columns that give way where room is short: the shares
// go first, then the error of what is set now, for the answer is what comes after.
type divideColumns struct{ entry, weight, wrong, share int }

// changeWidth is the column that says how an error changes.
const changeWidth = 22

func divideColumnsIn(w int) divideColumns {
	switch {
	case w < 74:
		return divideColumns{14, 5, 0, 0}
	case w < 115:
		return divideColumns{20, 7, 10, 0}
	case w < 150:
		return divideColumns{20, 7, 10, (w - divideFixed - 20) / 2}
	}
	return divideColumns{30, 7, 10, (w - divideFixed - 30) / 2}
}

// divideFixed is the width of all columns but the entry and the shares.
const divideFixed = 4 + 7 + 11 + 10 + 12 + 10 + 3 + changeWidth

func (p *Screen) divideRow(l *draw.Line, c divideColumns, was scenarios.Entry, will *scenarios.Entry, i int) *draw.Line {
	pen := p.Pen
	mark, lock := "  ", "  "
	if i == p.row {
		mark = pen.Glyphs.Select + " "
	}
	if p.locked[i+1] {
		lock = "= "
	}
	if was.Disabled {
		lock = "- "
	}
	l.Put(pen.Accent, mark).Put(pen.Warn, lock).Left(pen.Text, draw.Clean(report.EntryName(was)), c.entry)
	weight := report.Short(cmp.Or(was.Weight, 1))
	if was.Typical > 0 {
		times := strings.TrimSuffix("×"+weight, "×1")
		weight = kit.Widest(c.weight-1, "~"+report.Short(was.Typical)+times, cmp.Or(times, "~"))
	}
	if wish, ok := p.wishes[i+1]; ok {
		weight = "±" + report.Short(wish)
	} else if len(p.wishes) > 0 {
		weight = ""
	}
	if p.locked[i+1] || was.Disabled {
		weight = ""
	}
	l.Right(pen.Muted, weight, c.weight).Right(pen.Text, noiseText(was), 11)
	if c.wrong > 0 {
		l.Right(pen.Muted, errorText(p.divide.Answer.was, i), c.wrong)
	}
	switch {
	case was.Disabled:
		return l.Right(pen.Muted, "off", 12)
	case p.locked[i+1]:
		l.Right(pen.Muted, "locked", 12).Skip(10)
	case will == nil:
		return l.Right(pen.Muted, "–", 12).Right(pen.Muted, "–", 10)
	default:
		l.Right(pen.Strong, noiseText(*will), 12).Right(pen.Text, errorText(p.divide.Answer.will, i), 10)
	}
	if i >= len(p.divide.Answer.will) || i >= len(p.divide.Answer.was) || l.Room() < changeWidth+3 {
		return l
	}
	before, after := p.divide.Answer.was[i], p.divide.Answer.will[i]
	change := errorChange(before.wrong, after.wrong)
	if p.locked[i+1] {
		change = ""
	}
	l.Skip(3).Left(pen.Muted, change, changeWidth)
	if c.share > 0 {
		bar := max(0, c.share-9)
		l.Bar(pen.Muted, before.share, bar).Right(pen.Text, report.Percent(before.share), c.share-bar-2).Skip(2)
		l.Bar(pen.Accent, after.share, bar).Right(pen.Strong, report.Percent(after.share), c.share-bar-2)
	}
	return l
}

// wishText says how the wished errors came out.
func wishText(factor float64) string {
	if factor <= 1 {
		return fmt.Sprintf("These errors fit: they come out at %s of what was asked for.", report.Percent(factor))
	}
	return fmt.Sprintf("The budget does not allow these errors: they become %s times as large.", report.Upper(factor))
}

// noiseText returns an entry's main parameter, the first number it was given: "ε 0.1", "σ 25".
func noiseText(e scenarios.Entry) string {
	for _, p := range e.Spec().Params {
		if v, ok := e.Values[p.Name]; ok && p.Type == param.Number {
			return document.PlainSymbol(p) + " " + report.Short(v.Number)
		}
	}
	return ""
}

// errorText returns one of a list that may be shorter: it belongs to an earlier stack.
func errorText(list []portion, i int) string {
	switch {
	case i >= len(list):
		return ""
	case math.IsNaN(list[i].wrong):
		return "–"
	}
	return "±" + report.Upper(list[i].wrong)
}

// errorChange returns how an error changes, in words.
func errorChange(was, will float64) string {
	switch r := will / was; {
	case math.IsNaN(r) || math.IsInf(r, 0):
		return ""
	case math.Abs(r-1) < 5e-3:
		return "the same error"
	case r >= 2:
		return report.Short(math.Ceil(10*r)/10) + " times the error"
	case r > 1:
		return report.Percent(r-1) + " more error"
	default:
		return report.Percent(1-r) + " less error"
	}
}

// methodWord names the theorem of the view.
func (p *Screen) methodWord() string {
	switch m := methods[p.method]; {
	case m != "":
		return kit.MethodName(accounting.Bound{Method: m})
	case len(p.Doc.Scenario().Stack) > maxNumericalEntries:
		return "best closed-form bound"
	}
	return "best bound"
}
