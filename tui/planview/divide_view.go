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

// after returns the scenario with the divided budget; nil if there is none for the present stack.
func (p *Screen) after() *scenarios.Scenario {
	d := p.divide.Answer
	divided := p.divide.Known && p.divide.Err == nil && d.result.Feasible
	if divided && len(d.result.Scenario.Stack) == len(p.Doc.Scenario().Stack) {
		return d.result.Scenario
	}
	return nil
}

// noneFits reports that no division fits the budget, or that nothing is left to divide.
func (p *Screen) noneFits() bool {
	return p.divide.Known && (p.divide.Err != nil || !p.divide.Answer.result.Feasible)
}

// writeWaysOut says what to do where no division fits.
func (p *Screen) writeWaysOut(out *kit.Writer) {
	way := func(key, does string) {
		out.Add(out.Pen.Line(out.W).Skip(2).Put(out.Pen.Key, key).Put(out.Pen.Text, " "+does))
	}
	if len(p.locked) > 0 {
		way("space", "unlocks an entry marked =, so that its noise can change")
	}
	if len(p.wishes) > 0 {
		way("r", "changes the error that is wished for, or takes it back")
	}
	way("t", "sets another budget")
	way("esc", "goes back; on the stack x drops an entry, i leaves one out")
	out.Gap()
}

// isOldDivision reports that the division on the screen is that of an earlier question.
func (p *Screen) isOldDivision() bool {
	return p.divide.Known && (!p.divide.Fresh() || p.divide.Of.scenario != p.Doc.Scenario())
}

// divideList lists the entries, each with its noise now and then, below the names of the views.
func (p *Screen) divideList() kit.Chooser {
	s, after := p.Doc.Scenario(), p.after()
	head := kit.NewWriter(p.Pen, p.ListWidth())
	p.tabs(head)
	c := kit.Chooser{Title: "Entries", Head: head.Lines, At: p.row, Marked: true}
	for i, e := range s.Stack {
		item := kit.Item{Ink: p.Pen.Warn, Text: draw.Clean(report.EntryName(e)), Right: noiseText(e)}
		switch {
		case e.Disabled:
			item.Mark, item.Right = "-", item.Right+" off"
		case p.locked[i+1]:
			item.Mark, item.Right = "=", item.Right+" locked"
		case after != nil:
			item.Right += " → " + noiseText(after.Stack[i])
		}
		c.Items = append(c.Items, item)
	}
	return c
}

// drawDivide draws the view that divides: the entries left, what becomes of their errors and shares right, and all
// about the selected one in the further column of a wide window.
func (p *Screen) drawDivide(title string, focused bool) []string {
	list := p.divideList()
	w, h := p.TextSize(list)
	inner, rows := draw.Inner(w, h)
	out := kit.NewWriter(p.Pen, inner)
	if p.Projector { // there is no list
		p.tabs(out)
	}
	p.viewDivide(out, rows-1)
	p.writeBelow(out, rows-1)
	text := p.Pen.Frame(draw.Frame{Title: title, Focus: focused}, out.Lines, w, h, p.foot(inner))
	var aside []string
	if w := p.AsideWidth(); w > 0 {
		aside = p.Prose(w, 96, p.writeEntry)
	}
	return p.DrawSplit(list, text, "The selected entry", aside)
}

// writeBelow adds all about the selected entry below the picture, where there is room and no further column has it.
func (p *Screen) writeBelow(out *kit.Writer, room int) {
	if p.AsideWidth() > 0 || p.Projector || p.after() == nil && !p.noneFits() {
		return
	}
	lines := p.Prose(out.W, 96, p.writeEntry)
	if len(out.Lines)+len(lines)+2 <= room {
		if last := out.Lines[len(out.Lines)-1]; strings.TrimSpace(last) != "" {
			out.Gap()
		}
		out.Heading(out.Pen.Title, "The selected entry")
		out.Lines = append(out.Lines, lines...)
	}
}

// viewDivide writes the picture of a division into the rows that are left of room.
func (p *Screen) viewDivide(out *kit.Writer, room int) {
	pen, s, d := out.Pen, p.Doc.Scenario(), p.divide.Answer
	heading := kit.Widest(out.W-4-draw.Width(p.methodWord()), "Divide the budget among the unlocked entries, by ", "Divide among the unlocked entries, by ", "Divide by ")
	out.Add(pen.Line(out.W).Put(pen.Muted, heading).Put(pen.Key, "‹ ").Put(pen.Strong, p.methodWord()).Put(pen.Key, " ›"))
	switch {
	case p.Refusal != nil:
		out.Refusal(p.Shell)
		return
	case p.divide.Err != nil:
		out.Prose(pen.Warn, accounting.Sentence(p.divide.Err.Error()))
	case p.divide.Known && !d.result.Feasible:
		out.Prose(pen.Over, accounting.Sentence(report.Plain(d.result.Note)))
	}
	defer out.Old(p.isOldDivision())()
	if p.noneFits() {
		p.writeWaysOut(out)
	}
	if p.after() != nil {
		if len(p.wishes) > 0 {
			out.Prose(pen.Text, wishText(d.result.Factor))
		}
		rule := fmt.Sprintf("%s by %s; %s.", achievedText(d.result.Result), report.TheoremPhrase(d.result.Method), d.result.Rule)
		// In a low window the entries come first.
		if len(pen.Wrap(rule, out.W))+len(out.Lines)+1+min(3, len(s.Stack)) <= room {
			out.Prose(pen.Muted, rule)
		}
	}
	out.Heading(pen.Title, "Error at 95 %, and share of the cost")
	p.row = max(0, min(p.row, len(s.Stack)-1))
	left := room - len(out.Lines)
	each := blockLines(len(s.Stack), left)
	shown := max(1, left/each)
	first := kit.Window(0, p.row, len(s.Stack), shown)
	for i := first; i < min(len(s.Stack), first+shown); i++ {
		p.divideBlock(out, i, each)
	}
}

// blockLines returns how many lines each of n entries takes in a picture of the given number of lines: its errors and
// two bars and a gap, without the gap, or its errors alone. Where not even those fit, the entries around the selected
// one are shown with their bars.
func blockLines(n, lines int) int {
	for _, each := range []int{4, 3, 1} {
		if n*each <= lines {
			return each
		}
	}
	return 3
}

// divideBlock writes an entry into the given number of lines: how its error changes, then its share of the cost now
// and then as bars.
func (p *Screen) divideBlock(out *kit.Writer, i, lines int) {
	pen, e, d := out.Pen, p.Doc.Scenario().Stack[i], p.divide.Answer
	l, ink := pen.Row(out.W, i == p.row)
	l.Left(ink, draw.Clean(report.EntryName(e)), max(10, min(28, out.W-52))).Skip(1)
	l.Left(pen.Muted, p.decider(i), 9).Skip(1)
	known := i < len(d.was) && i < len(d.will) && !e.Disabled
	fixed := e.Disabled || p.locked[i+1] // nothing becomes of it
	switch {
	case e.Disabled:
		l.Put(pen.Muted, "off")
	case known && fixed:
		l.Put(pen.Text, errorText(d.was, i)).Put(pen.Muted, ", locked")
	case known && p.after() != nil:
		l.Left(pen.Text, errorText(d.was, i)+" → "+errorText(d.will, i), 20).Skip(1)
		if change := errorChange(d.was[i].error, d.will[i].error); l.Room() >= draw.Width(change) {
			l.Put(pen.Muted, change)
		}
	case known:
		l.Put(pen.Text, errorText(d.was, i))
	}
	out.Add(l)
	if lines < 3 {
		return
	}
	bar := func(name string, ink draw.Ink, share float64) {
		l := pen.Line(out.W).Skip(2).Left(pen.Muted, name, 6)
		switch {
		case known && math.IsNaN(share):
			l.FillTo(out.W-1).Put(pen.Muted, "–")
		case known:
			l.Bar(ink, share, max(0, l.Room()-8)).Right(pen.Text, report.Percent(share), 7)
		}
		out.Add(l)
	}
	was, will := portion{}, portion{}
	if known {
		was, will = d.was[i], d.will[i]
	}
	bar("now", pen.Muted, was.share)
	if p.noneFits() {
		bar("then", pen.Accent, math.NaN())
	} else {
		bar("then", pen.Accent, will.share)
	}
	if lines > 3 {
		out.Gap()
	}
}

// decider returns, in a few cells, what decides the part of an entry: its weight, its typical size, or the error that
// is wished for.
func (p *Screen) decider(i int) string {
	e := p.Doc.Scenario().Stack[i]
	wish, wished := p.wishes[i+1]
	weight := report.Short(cmp.Or(e.Weight, 1))
	switch {
	case p.locked[i+1] || e.Disabled || len(p.wishes) > 0 && !wished:
		return ""
	case wished:
		return "±" + report.Short(wish)
	case e.Typical > 0:
		times := strings.TrimSuffix("×"+weight, "×1")
		return kit.Widest(9, "~"+report.Short(e.Typical)+times, cmp.Or(times, "~"))
	}
	return "weight " + weight
}

// writeEntry sets out the selected entry: what it is, what decides its part, and what becomes of it.
func (p *Screen) writeEntry(out *kit.Writer) {
	pen, s, d, i := out.Pen, p.Doc.Scenario(), p.divide.Answer, p.row
	e := s.Stack[i]
	out.Prose(pen.Strong, draw.Clean(e.Describe()))
	out.Gap()
	defer out.Old(p.isOldDivision())()
	row := func(name, now, then string) {
		out.Add(pen.Line(out.W).Left(pen.Muted, name, 20).Right(pen.Text, now, 12).Right(pen.Strong, then, 14))
	}
	after := p.after()
	if i < len(d.was) && i < len(d.will) {
		then := func(words string) string {
			if after == nil {
				return "–"
			}
			return words
		}
		row("", "now", "then")
		noise := ""
		if after != nil {
			noise = noiseText(after.Stack[i])
		}
		row("noise", noiseText(e), then(noise))
		row("error at 95 %", errorText(d.was, i), then(errorText(d.will, i)))
		row("share of the cost", report.Percent(d.was[i].share), then(report.Percent(d.will[i].share)))
		if change := errorChange(d.was[i].error, d.will[i].error); after != nil && change != "" {
			out.Gap()
			out.Prose(pen.Text, report.UpperFirst(change)+".")
		}
	}
	out.Gap()
	out.Heading(pen.Title, "What decides its part")
	wish, wished := p.wishes[i+1]
	switch {
	case e.Disabled:
		out.Prose(pen.Text, "It is off: it releases nothing and gets nothing.")
	case p.locked[i+1]:
		out.Prose(pen.Text, "It is locked: it keeps its noise, and the others get what it leaves.")
	case wished:
		out.Prose(pen.Text, "The error that is wished for: ±"+report.Short(wish)+".")
	case len(p.wishes) > 0:
		out.Prose(pen.Text, "The errors that are wished for others; it has none.")
	default:
		out.Prose(pen.Text, "Its weight, "+report.Short(cmp.Or(e.Weight, 1))+": twice the weight, half the error.")
		if e.Typical > 0 {
			out.Prose(pen.Text, "The typical size of its answer, "+report.Short(e.Typical)+": errors become equal parts of it.")
		}
	}
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
	case math.IsNaN(list[i].error):
		return "–"
	}
	return "±" + report.Upper(list[i].error)
}

// errorChange returns how an error changes, in words.
func errorChange(was, will float64) string {
	r := will / was
	switch {
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
	if m := methods[p.method]; m != "" {
		return kit.MethodName(accounting.Bound{Method: m})
	}
	return "best bound"
}
