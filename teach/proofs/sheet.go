package proofs

import (
	"fmt"

	"epsiloscope/report"
	"epsiloscope/report/sheet"
)

var stepColumns = []sheet.Column[Step]{
	{Key: "says", Value: func(p Step) any { return p.Says }},
	{Key: "left", Value: func(p Step) any { return p.Left.Formula }},
	{Key: "left_value", Value: func(p Step) any { return p.Left.Value }},
	{Key: "relation", Value: func(p Step) any { return string(p.Relation) }},
	{Key: "right", Value: func(p Step) any { return p.Right.Formula }},
	{Key: "right_value", Value: func(p Step) any { return p.Right.Value }},
	{Key: "holds", Value: func(p Step) any { return p.Holds() }},
	{Key: "slide", Value: func(p Step) any { return p.Slide }},
}

// Sheet returns the proof with numbers, two lines per step.
func (p Proof) Sheet(w NumberedProof) *sheet.Sheet {
	s := sheet.NewSheet(p.Title, stepColumns, w.Steps)
	s.AddText("with the numbers of " + report.Plain(w.Subject))
	for i, step := range w.Steps {
		s.Lines = append(s.Lines, report.Line{Text: fmt.Sprintf("%d. %s", i+1, step.Says)},
			report.Line{Role: report.Step, Text: "   " + sheet.Tick(step.Holds()) + " " + step.Claim()})
	}
	s.Data = sheet.Record{{"proof", p.Name}, {"title", p.Title}, {"deck", p.Deck}, {"on", report.Plain(w.Subject)},
		{"steps", sheet.RecordsOf(stepColumns, w.Steps)}}
	return s
}
