package planview

import (
	"math"

	"epsiloscope/accounting"
	"epsiloscope/report"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
)

// partsBeside is the width from which on the two pictures of the parts stand side by side, partsApart the cells between
// them.
const partsBeside, partsApart = 150, 4

// writeParts draws below the table, into so many rows, what each entry costs beside the whole, and what one more of
// each takes of the rest of the budget; then it says what the columns mean. What has no room is left out.
func (p *Screen) writeParts(out *kit.Writer, inner, rows int, whole float64) {
	least := 2 + 2*len(p.margin.Answer.Entries) // a gap, the heading, two bars for each
	if rows < min(least, 6) {
		return
	}
	beside := inner >= partsBeside
	w := inner
	if beside {
		w = (inner - partsApart) / 2
	}
	parts, rest, meaning := kit.NewWriter(out.Pen, w), kit.NewWriter(out.Pen, w), kit.NewWriter(out.Pen, out.W)
	p.drawRest(rest, whole)
	p.sayColumns(meaning)
	for _, further := range []*kit.Writer{rest, meaning} {
		need := len(further.Lines)
		if beside && further == rest {
			need = max(0, need-least)
		}
		if least+need > rows {
			further.Lines = nil
		}
		if !beside || further == meaning {
			rows -= len(further.Lines)
		}
	}
	p.drawParts(parts, rows, whole)
	if beside {
		h := max(len(parts.Lines), len(rest.Lines))
		rest.Lines = kit.JoinColumns(draw.Box(parts.Lines, w+partsApart, h), draw.Box(rest.Lines, w, h))
		parts.Lines = nil
	}
	for _, block := range []*kit.Writer{parts, rest, meaning} {
		out.Lines = append(out.Lines, block.Lines...)
	}
}

// drawParts draws two bars for each entry, as parts of the whole: what it costs alone, and what dropping it saves.
// Where not all fit, those around the selected one are shown.
func (p *Screen) drawParts(out *kit.Writer, rows int, whole float64) {
	pen, entries := out.Pen, p.margin.Answer.Entries
	out.Gap()
	out.Heading(pen.Title, kit.Widest(out.W, "Each entry alone, and what dropping it saves, as parts of the whole", "Alone, and what dropping it saves, of the whole"))
	each := 2
	if 2+3*len(entries)-1 <= rows {
		each = 3
	}
	full := whole // what fills a bar: an entry that is off may cost more than all the others
	for _, e := range entries {
		if e.Alone > full && !math.IsInf(e.Alone, 1) {
			full = e.Alone
		}
	}
	shown := max(1, min(len(entries), (rows-2+each-2)/each))
	first := kit.Window(0, p.row, len(entries), shown)
	name := nameWidth(out.W)
	for i := first; i < first+shown; i++ {
		bar := func(entry, what string, ink draw.Ink, x float64) {
			l := pen.Line(out.W).Skip(2).Left(pen.Text, entry, name).Skip(1).Left(pen.Muted, what, 6)
			if math.IsInf(x, 0) || math.IsNaN(x) {
				x = 0
			}
			l.Bar(ink, x/full, max(0, l.Room()-9)).Right(pen.Text, partText(x, whole), 8)
			out.Add(l)
		}
		saved := entries[i].Saves
		if saved <= p.margin.Answer.Width { // lost in the width of the interval
			saved = 0
		}
		bar(draw.Clean(report.EntryName(p.Doc.Scenario().Stack[i])), "alone", pen.Muted, entries[i].Alone)
		bar("", "saves", pen.Accent, saved)
		if each > 2 && i < first+shown-1 {
			out.Gap()
		}
	}
}

// nameWidth returns the cells of the name of an entry in a line of w cells, as many at least as the table has.
func nameWidth(w int) int {
	if w < 72 {
		return 15
	}
	return min(28, max(24, w/4))
}

// partText returns a part of a number in percent; a dash for none.
func partText(x, of float64) string {
	if !(x > 0 && of > 0) {
		return "–"
	}
	return report.Percent(x / of)
}

// drawRest draws what one more of each entry, and one more round, takes of what the budget leaves.
func (p *Screen) drawRest(out *kit.Writer, whole float64) {
	pen, b, m := out.Pen, p.Doc.Scenario().Budget, p.margin.Answer
	limit, most := b.Epsilon, accounting.BudgetLimit(b.Epsilon)
	if m.Harm.Kind() != "" {
		limit, most = m.Harm.Limit(), m.Harm.Limit()
	}
	if !(limit > 0) {
		return
	}
	rest := limit - whole
	out.Gap()
	if rest <= most-limit { // what rounding leaves is nothing
		out.Heading(pen.Over, "Nothing is left of the budget: no more of any entry fits.")
		return
	}
	out.Heading(pen.Title, "One more of each, as a part of the "+report.Lower(rest)+" that the budget leaves")
	name := nameWidth(out.W)
	bar := func(entry string, x float64) {
		l := pen.Line(out.W).Skip(2).Left(pen.Text, entry, name).Skip(1)
		switch {
		case !(x > m.Width): // lost in the width of the interval
			l.Put(pen.Muted, "–")
		case whole+x > most:
			l.Put(pen.Over, pen.Glyphs.Cross+" does not fit")
		default:
			l.Bar(pen.Accent, min(1, x/rest), max(0, l.Room()-9)).Right(pen.Text, report.Percent(min(1, x/rest)), 8)
		}
		out.Add(l)
	}
	for i, e := range m.Entries {
		bar(draw.Clean(report.EntryName(p.Doc.Scenario().Stack[i])), e.OneMore)
	}
	bar("one more round", m.Round)
}

// sayColumns says what the columns of the table mean.
func (p *Screen) sayColumns(out *kit.Writer) {
	out.Gap()
	out.Prose(out.Pen.Muted, "Alone: the entry by itself, with all its copies. Dropping saves: how much less the whole costs without it; that is less than alone where a theorem charges many releases less than the sum of their costs. One more adds: one more copy in every round.")
}
