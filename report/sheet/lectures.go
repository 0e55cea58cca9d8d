package sheet

import (
	"cmp"
	"fmt"
	"math"

	"epsiloscope/report"
	"epsiloscope/teach/lectures"
	"epsiloscope/teach/proofs"
)

var proofColumns = []Column[proofs.Step]{
	{Key: "says", Value: func(p proofs.Step) any { return p.Says }},
	{Key: "left", Value: func(p proofs.Step) any { return p.Left.Formula }},
	{Key: "left_value", Value: func(p proofs.Step) any { return p.Left.Value }},
	{Key: "relation", Value: func(p proofs.Step) any { return string(p.Relation) }},
	{Key: "right", Value: func(p proofs.Step) any { return p.Right.Formula }},
	{Key: "right_value", Value: func(p proofs.Step) any { return p.Right.Value }},
	{Key: "holds", Value: func(p proofs.Step) any { return p.Holds() }},
	{Key: "slide", Value: func(p proofs.Step) any { return p.Slide }},
}

// Proof returns a proof with numbers, two lines per step.
func Proof(p proofs.Proof, w proofs.NumberedProof) *Sheet {
	s := &Sheet{Title: p.Title, Lines: report.Lines(report.Text, "with the numbers of "+report.Plain(w.Subject))}
	for i, step := range w.Steps {
		s.Lines = append(s.Lines, report.Line{Text: fmt.Sprintf("%d. %s", i+1, step.Says)},
			report.Line{Role: report.Step, Text: "   " + tick(step.Holds()) + " " + step.Claim()})
	}
	s.exact = csvOf(proofColumns, w.Steps)
	s.Data = Record{{"proof", p.Name}, {"title", p.Title}, {"deck", p.Deck}, {"on", report.Plain(w.Subject)}, {"steps", RecordsOf(proofColumns, w.Steps)}}
	return s
}

type form = lectures.Corollary

// corollaryColumns returns the closed forms of lectures beside what their theorems allow.
func corollaryColumns(t *lectures.CorollaryTable) []Column[form] {
	return []Column[form]{
		{Show: func(c form) string { return formMark(t, c) }},
		{Key: "name", Value: func(c form) any { return c.Name }},
		words("formula", "formula", func(c form) string { return c.Formula }),
		{Key: "source", Value: func(c form) any { return c.Source }},
		{Key: "method", Value: func(c form) any { return string(c.Theorem) }},
		{Head: t.Field, Align: Right, Show: func(c form) string { return report.EntryValue(t.Field, c.Value) }, Key: "value", Value: func(c form) any { return c.Value }},
		{Key: "proven", Value: func(c form) any { return c.Proven }},
		{Head: "theorem allows", Align: Right, Show: func(c form) string { return cmp.Or(mark(c.Allowed > 0, report.EntryValue(t.Field, c.Allowed)), "–") }},
		number("really costs", "epsilon", Decimal, report.Upper, func(c form) float64 { return c.Cost }),
		{Key: "epsilon_least", Value: func(c form) any { return c.Least }},
		{Key: "allowed", Value: func(c form) any { return c.Allowed }},
		{Head: "lost", Align: Right, Show: func(c form) string { return wasteCell(c.Waste) }, Key: "waste", Value: func(c form) any { return c.Waste }},
		{Key: "note", Value: func(c form) any { return c.Note }},
	}
}

// formMark returns ✗ for a form that exceeds the budget, ✓ for one that fits, and ? if that depends on a sensitivity
// that is not stated.
func formMark(t *lectures.CorollaryTable, c form) string {
	over, _ := t.ExceedsBudget(c)
	if !over && t.Open {
		return "?"
	}
	return tick(!over)
}

// corollaries returns a table below another.
func corollaries(t *lectures.CorollaryTable) *Sheet {
	s := NewSheet(fmt.Sprintf("closed forms of the lectures for %s equal releases", report.Short(t.Count)), corollaryColumns(t), t.Rows)
	for _, c := range t.Rows {
		s.AddWarning(report.Plain(corollaryNote(t, c)))
	}
	return s
}

// corollaryNote says where the form comes from and what it is worth.
func corollaryNote(t *lectures.CorollaryTable, c lectures.Corollary) string {
	text := c.Formula + ": " + c.Name + " (" + c.Source + ")"
	if c.Note != "" {
		text += "; " + c.Note
	}
	if _, safe := t.ExceedsBudget(c); safe {
		text += fmt.Sprintf("; safe after all, by %s: %s", c.LeastMethod, report.Upper(c.Least))
	}
	return text
}

func wasteCell(w float64) string {
	switch {
	case math.Abs(w) < 5e-4:
		return "nothing"
	case w < 0:
		return "over by " + report.Percent(-w)
	}
	return report.Percent(w)
}
